import type { Leiaute } from '../leiaute.ts';

export const geisweb: Leiaute = {
  id: 'geisweb',
  nome: 'GeisWeb',
  fonte: 'XSD envio_lote_rps da GeisWeb (ConsultaNfseResposta)',
  nota: { elemento: ['Nfse'], tem: ['./IdentificacaoNfse/NumeroNfse', './PrestadorServico'] },
  numero: ['./IdentificacaoNfse/NumeroNfse'],
  codigo: ['./IdentificacaoNfse/CodigoVerificacao'],
  data: { campos: ['./DataEmissao', './DataLancamento'] },
  competencia: ['./Competencia'],
  prestador: {
    cpfCnpj: ['./PrestadorServico//IdentificacaoPrestador//CnpjCpf|CpfCnpj|Cnpj|Cpf'],
    nome: ['./PrestadorServico/RazaoSocial'],
  },
  tomador: {
    cpfCnpj: ['./TomadorServico//IdentificacaoTomador//CnpjCpf|CpfCnpj|Cnpj|Cpf'],
    nome: ['./TomadorServico/RazaoSocial'],
  },
  valor: ['./Servico/Valores/ValorServicos', './Servico//ValorServicos'],
  base: ['./Servico//BaseCalculo'],
  municipio: {
    codigo: ['./OrgaoGerador/CodigoMunicipio'],
    nome: ['./PrestadorServico/Endereco/Cidade'],
    uf: ['./PrestadorServico/Endereco/Estado'],
  },
  prestacao: ['./Servico/MunicipioPrestacaoServico'],
  // T, P and others say where the tax is due; only C says that the note was cancelled.
  situacao: [
    {
      tipo: 'situacao',
      campos: ['./Servico/TipoLancamento'],
      cancelada: ['C'],
      normal: ['P', 'T', 'R', 'N'],
    },
    { tipo: 'data', campos: ['./DataCancelamento'] },
  ],
  mutaveis: ['LinkConsulta'],
};
