import type { Leiaute } from '../leiaute.ts';

export const saoLuis: Leiaute = {
  id: 'sao-luis',
  nome: 'São Luís (exportação do portal)',
  fonte: 'Exportação de notas do portal de São Luís',
  nota: { elemento: ['nfse'], tem: ['./numeroNota', './/valotTotalNota|detalhamentoNota'] },
  numero: ['./numeroNota'],
  codigo: ['./codigoVerificacao'],
  data: { campos: ['./dtEmissao'] },
  prestador: { cpfCnpj: ['./prestador/cnpj|cpf|cpfCnpj'], nome: ['./prestador/razaoSocial|nome'] },
  tomador: { cpfCnpj: ['./tomador/cnpj|cpf|cpfCnpj'], nome: ['./tomador/razaoSocial|nome'] },
  valor: ['./detalhamentoNota/totais/valotTotalNota|valorTotalNota', './/valotTotalNota|valorTotalNota'],
  municipio: { codigo: ['./codigoMunicipio'], daReceita: true },
  situacao: [
    { tipo: 'situacao', campos: ['./situacao|situacaoNota'] },
    { tipo: 'data', campos: ['./dtCancelamento'] },
  ],
};
