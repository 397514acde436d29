import type { Leiaute } from '../leiaute.ts';

export const paulistana: Leiaute = {
  id: 'paulistana',
  nome: 'São Paulo (Nota do Milhão), e as cidades que o adotaram',
  fonte: 'Manual do web service de NFS-e da Prefeitura de São Paulo, versões 1 e 2',
  nota: { elemento: ['NFe'], tem: ['./ChaveNFe'], naoTem: ['./infNFe'], norma: true },
  numero: ['./ChaveNFe/NumeroNFe', './ChaveNFe/Numero'],
  inscricao: ['./ChaveNFe/InscricaoPrestador'],
  serieDoRps: ['./ChaveRPS/SerieRPS'],
  data: { campos: ['./DataEmissaoNFe', './DataEmissaoRPS'] },
  prestador: {
    cpfCnpj: ['./CPFCNPJPrestador/CNPJ|CPF', './CPFCNPJPrestador'],
    nome: ['./RazaoSocialPrestador'],
  },
  tomador: { cpfCnpj: ['./CPFCNPJTomador/CNPJ|CPF', './CPFCNPJTomador'], nome: ['./RazaoSocialTomador'] },
  intermediario: {
    cpfCnpj: ['./CPFCNPJIntermediario/CNPJ|CPF', './CPFCNPJIntermediario'],
    nome: ['./RazaoSocialIntermediario'],
  },
  valor: ['./ValorServicos', './ValorFinalCobrado', './ValorInicialCobrado'],
  municipio: { porNamespace: [{ contem: 'blumenau', municipio: '4202404' }], fixo: '3550308' },
  prestacao: ['./MunicipioPrestacao', './cLocPrestacao'],
  situacao: [
    // E: lost, which cancels nothing.
    { tipo: 'situacao', campos: ['./StatusNFe'], cancelada: ['C'], normal: ['N', 'E'] },
    { tipo: 'data', campos: ['./DataCancelamento'] },
  ],
  chaveNacional: ['./ChaveNFe/ChaveNotaNacional'],
  chaveNacionalDaNota: true,
  mutaveis: ['NumeroGuia', 'DataQuitacaoGuia', 'ValorCredito'],
};
