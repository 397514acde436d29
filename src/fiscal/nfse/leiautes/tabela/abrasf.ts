import type { Leiaute } from '../leiaute.ts';

/** By local names, in any namespace: this is how most systems of cities write, each with a few names of its own. */
export const abrasf: Leiaute = {
  id: 'abrasf',
  nome: 'ABRASF 1.00 a 2.04',
  fonte: 'XSD nfse.xsd da ABRASF, 1.00 a 2.04, e os dos fornecedores que o seguem',
  nota: {
    elemento: ['InfNfse'],
    envoltorio: ['Nfse', 'CompNfse', 'tcCompNfse', 'ComplNfse'],
    aoLado: ['NfseCancelamento', 'NfseSubstituicao'],
    tem: ['./Numero|IdentificacaoNfse|PrestadorServico|DataEmissao'],
    norma: true,
  },
  numero: ['./Numero', './IdentificacaoNfse/Numero'],
  serieDoRps: ['.//Rps//IdentificacaoRps/Serie', './/IdentificacaoRps/Serie'],
  codigo: ['.//CodigoVerificacao'],
  data: { campos: ['./DataEmissao', './DataEmissaoNfse', './DataEmissaoRps'] },
  competencia: ['./Competencia', './/InfDeclaracaoPrestacaoServico/Competencia'],
  // It stands in other places from version to version, and its name never beside its id in 2.04.
  prestador: {
    cpfCnpj: [
      './/PrestadorServico/IdentificacaoPrestador/CpfCnpj/Cnpj|Cpf',
      './/PrestadorServico/IdentificacaoPrestador/Cnpj|Cpf|CpfCnpj',
      './/Prestador/CpfCnpj/Cnpj|Cpf',
      './/Prestador/Cnpj|Cpf|CpfCnpj',
      './/PrestadorServico//IdentificacaoPrestador//Cnpj|Cpf|CpfCnpj',
      './/Prestador|IdentificacaoPrestador//Cnpj|Cpf|CpfCnpj',
      './/PrestadorServico//Cnpj|Cpf|CpfCnpj',
    ],
    nome: ['.//PrestadorServico/RazaoSocial', './/Prestador/RazaoSocial'],
  },
  tomador: {
    cpfCnpj: [
      './/TomadorServico|Tomador/IdentificacaoTomador/CpfCnpj/Cnpj|Cpf',
      './/TomadorServico|Tomador/IdentificacaoTomador/Cnpj|Cpf|CpfCnpj',
      './/TomadorServico|Tomador//IdentificacaoTomador//Cnpj|Cpf|CpfCnpj',
      './/TomadorServico|Tomador/CpfCnpj/Cnpj|Cpf',
      './/TomadorServico|Tomador/Cnpj|Cpf|CpfCnpj',
    ],
    nome: ['.//TomadorServico|Tomador/RazaoSocial'],
  },
  intermediario: {
    cpfCnpj: [
      './/IntermediarioServico|Intermediario//IdentificacaoIntermediario//Cnpj|Cpf|CpfCnpj',
      './/IntermediarioServico|Intermediario/CpfCnpj/Cnpj|Cpf',
      './/IntermediarioServico|Intermediario/Cnpj|Cpf|CpfCnpj',
    ],
    nome: ['.//IntermediarioServico|Intermediario/RazaoSocial'],
  },
  valor: ['.//Servico/Valores/ValorServicos', './/Servico//ValorServicos', './/ValorServicos'],
  soma: ['.//Servico/Valores/ValorServicos'],
  base: ['.//ValorLiquidoNfse', './/BaseCalculo'],
  municipio: {
    codigo: [
      './OrgaoGerador/CodigoMunicipio',
      './/PrestadorServico/Endereco/CodigoMunicipio',
      './/PrestadorServico//CodigoMunicipio',
      './/EnderecoPrestadorServico//CodigoMunicipio',
    ],
    nome: ['.//PrestadorServico/Endereco/Cidade|Municipio|NomeMunicipio|xMunicipio'],
    uf: ['.//PrestadorServico/Endereco/Uf'],
    porNamespace: [{ contem: 'nfse.goiania.go.gov.br', municipio: '5208707' }],
    proprios: { '0025300': '5208707', '25300': '5208707' },
  },
  prestacao: [
    './/Servico/CodigoMunicipio',
    './/Servico/MunicipioIncidencia',
    './/Servico/MunicipioPrestacaoServico',
  ],
  situacao: [
    {
      tipo: 'confirmacao',
      campos: ['//NfseCancelamento', '//Cancelamento', '//CancelamentoNfse', '//CancelamentoNfe'],
    },
    { tipo: 'substituta', campos: ['//NfseSubstituicao//NfseSubstituidora'] },
    // tsStatusNfse of Porto Velho and Ginfes; CA is what Sigep says.
    {
      tipo: 'situacao',
      campos: ['//tsStatusNfse', '//StatusNfse', './Status'],
      cancelada: ['2'],
      normal: ['1'],
    },
    { tipo: 'situacao', campos: ['./SituacaoNfse', './Situacao'] },
    { tipo: 'sim_nao', campos: ['./Cancelada', './Anulada'] },
    { tipo: 'data', campos: ['./DataCancelamento', './DataHoraCancelamento'] },
    { tipo: 'motivo', campos: ['./DescricaoCancelamento', './MotivoCancelamento'] },
  ],
  substitui: ['.//NfseSubstituida'],
  chaveNacional: ['//ChaveNotaNacional', '//ChaveADN'],
  versao: ['//Nfse/versao', '//CompNfse/versao'],
  mutaveis: ['ValorCredito'],
};
