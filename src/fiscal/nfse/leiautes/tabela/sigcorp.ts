import type { Leiaute } from '../leiaute.ts';

/** Names of São Paulo, with the date in the key and the city by its name. */
export const sigcorp: Leiaute = {
  id: 'sigcorp',
  nome: 'SigCorp (exportação do portal)',
  fonte: 'Exportação de notas dos portais SigCorp',
  nota: {
    elemento: ['NFe'],
    tem: ['./ChaveNFe/NumeroNFe', './ChaveNFe/DataEmissaoNFe'],
    naoTem: ['./infNFe'],
  },
  numero: ['./ChaveNFe/NumeroNFe'],
  serie: ['./ChaveNFe/SerieNFe'],
  codigo: ['./ChaveNFe/CodigoVerificacao'],
  data: { campos: ['./ChaveNFe/DataEmissaoNFe'] },
  prestador: {
    cpfCnpj: ['./CPFCNPJPrestador/CNPJ|CPF', './CPFCNPJPrestador'],
    nome: ['./RazaoSocialPrestador'],
  },
  tomador: { cpfCnpj: ['./CPFCNPJTomador/CNPJ|CPF', './CPFCNPJTomador'], nome: ['./RazaoSocialTomador'] },
  valor: ['./ValorServicos'],
  municipio: { nome: ['./Prefeitura', './EnderecoPrestador/Cidade'], uf: ['./EnderecoPrestador/UF'] },
  situacao: [
    { tipo: 'situacao', campos: ['./StatusNFe'] },
    { tipo: 'data', campos: ['./DataCancelamento'] },
    { tipo: 'motivo', campos: ['./MotivoCancelamento'] },
  ],
};
