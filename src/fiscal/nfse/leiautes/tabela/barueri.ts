import type { Leiaute } from '../leiaute.ts';

export const barueri: Leiaute = {
  id: 'barueri',
  nome: 'Barueri (web service)',
  fonte: 'XSD nfe da Prefeitura de Barueri (ConsultarNfeServPrestadoResposta)',
  nota: {
    elemento: ['InfNfeServPrestado', 'InfNfeServTomado', 'InfNFe'],
    envoltorio: [
      'NfeServPrestado',
      'CompNfeServPrestado',
      'NfeServTomado',
      'CompNfeServTomado',
      'Nfe',
      'CompNfe',
    ],
    tem: ['./NumeroNfe', './DataEmissao'],
    norma: true,
  },
  numero: ['./NumeroNfe'],
  serie: ['./SerieNfe'],
  serieDoRps: ['.//Rps//IdentificacaoRps/Serie'],
  codigo: ['./CodigoVerificacao'],
  data: { campos: ['./DataEmissao'] },
  competencia: ['.//Competencia'],
  prestador: {
    cpfCnpj: [
      './/PrestadorServico/IdentificacaoPrestador/CpfCnpj/Cnpj|Cpf',
      './/PrestadorServico//IdentificacaoPrestador//Cnpj|Cpf|CpfCnpj',
      './/Prestador//IdentificacaoPrestador//Cnpj|Cpf|CpfCnpj',
      './/PrestadorServico//Cnpj|Cpf|CpfCnpj',
    ],
    nome: ['.//PrestadorServico/RazaoSocial', './/Prestador/RazaoSocial'],
  },
  tomador: {
    cpfCnpj: [
      './/TomadorServico|Tomador/IdentificacaoTomador/CpfCnpj/Cnpj|Cpf',
      './/TomadorServico|Tomador//IdentificacaoTomador//Cnpj|Cpf|CpfCnpj',
      './/TomadorServico|Tomador//Cnpj|Cpf|CpfCnpj',
    ],
    nome: ['.//TomadorServico|Tomador/RazaoSocial'],
  },
  valor: ['.//ValoresServicoPrestado/ValorServicos', './/ValorServicos'],
  base: ['.//ValorLiquidoNfe', './/BaseCalculo'],
  municipio: { fixo: '3505708' },
  situacao: [
    { tipo: 'confirmacao', campos: ['.//CancelamentoNFe', '//NfeCancelamento'] },
    {
      tipo: 'data',
      campos: ['.//CancelamentoNFe/DataCancelamento|DataHoraCancelamento', './DataCancelamento'],
    },
    { tipo: 'motivo', campos: ['.//CancelamentoNFe/MotivoCancelamento|Motivo', './MotivoCancelamento'] },
    { tipo: 'situacao', campos: ['./StatusNfe|SituacaoNfe|Situacao'] },
  ],
};
