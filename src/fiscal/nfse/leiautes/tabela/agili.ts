import type { Leiaute } from '../leiaute.ts';

export const agili: Leiaute = {
  id: 'agili',
  nome: 'Agili',
  fonte: 'XSD nfse_v_1.00 da Agili',
  nota: {
    elemento: ['Nfse'],
    tem: [
      './Numero',
      './/CodigoAutenticidade',
      './DeclaracaoPrestacaoServico|IdentificacaoOrgaoGerador|SituacaoNfse',
    ],
  },
  grupos: ['ListaServico', 'DadosServico'],
  numero: ['./Numero'],
  serieDoRps: ['.//Rps//IdentificacaoRps/Serie'],
  codigo: ['.//CodigoAutenticidade'],
  data: { campos: ['./DataEmissao'] },
  prestador: {
    cpfCnpj: ['.//DadosPrestador|IdentificacaoPrestador//Cnpj|Cpf|CpfCnpj'],
    nome: ['.//DadosPrestador/RazaoSocial'],
  },
  tomador: {
    cpfCnpj: ['.//DadosTomador|IdentificacaoTomador//Cnpj|Cpf|CpfCnpj'],
    nome: ['.//DadosTomador/RazaoSocial'],
  },
  intermediario: {
    cpfCnpj: ['.//DadosIntermediario|IdentificacaoIntermediario//Cnpj|Cpf|CpfCnpj'],
    nome: ['.//DadosIntermediario/RazaoSocial'],
  },
  valor: ['.//DeclaracaoPrestacaoServico/ValorServicos', './/ValorServicos'],
  municipio: { codigo: ['.//IdentificacaoOrgaoGerador//CodigoMunicipioIBGE'] },
  situacao: [
    { tipo: 'situacao', campos: ['.//SituacaoNfse/Codigo'], cancelada: ['-2'], normal: ['1', '-8'] },
    { tipo: 'situacao', campos: ['.//SituacaoNfse/Descricao', './/SituacaoNfse'] },
    { tipo: 'motivo', campos: ['.//SituacaoNfse/MotivoCancelamento'] },
    { tipo: 'data', campos: ['.//SituacaoNfse/DataCancelamento'] },
  ],
  mutaveis: ['SituacaoNfse'],
};
