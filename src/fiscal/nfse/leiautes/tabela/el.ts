import type { Leiaute } from '../leiaute.ts';

/** A request identifies an RPS, only a note its own number. */
export const el: Leiaute = {
  id: 'el',
  nome: 'E&L',
  fonte: 'XSD el-nfse da E&L',
  nota: { elemento: ['Nfse'], tem: ['./IdentificacaoNfse/Numero', './DadosPrestador'] },
  numero: ['./IdentificacaoNfse/Numero'],
  serieDoRps: ['./IdentificacaoNfse/Serie'],
  data: { campos: ['./DataEmissao'] },
  prestador: {
    cpfCnpj: ['./DadosPrestador//IdentificacaoPrestador//CpfCnpj|Cnpj|Cpf'],
    nome: ['./DadosPrestador/RazaoSocial'],
  },
  tomador: {
    cpfCnpj: ['./DadosTomador//IdentificacaoTomador//CpfCnpj|Cnpj|Cpf'],
    nome: ['./DadosTomador/RazaoSocial'],
  },
  intermediario: {
    cpfCnpj: ['./DadosIntermediario//CpfCnpj|Cnpj|Cpf'],
    nome: ['./DadosIntermediario/RazaoSocial'],
  },
  valor: ['./Valores/ValorServicos', './/ValorServicos'],
  municipio: {
    codigo: ['./DadosPrestador/Endereco/CodigoMunicipio'],
    nome: ['./DadosPrestador/Endereco/Municipio'],
    uf: ['./DadosPrestador/Endereco/Uf'],
  },
  situacao: [
    { tipo: 'situacao', campos: ['./Status'], cancelada: ['2'], normal: ['1'] },
    { tipo: 'data', campos: ['./DataCancelamento'] },
  ],
};
