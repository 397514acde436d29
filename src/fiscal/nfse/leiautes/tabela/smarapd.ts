import type { Leiaute } from '../leiaute.ts';

/** The prestador stands in the letterhead only: `Inscrição Municipal: 123 CPF/CNPJ: 11.222.333/0001-81`. */
export const smarapd: Leiaute = {
  id: 'smarapd',
  nome: 'SmarAPD',
  fonte: 'Exportação de notas da SmarAPD (tbnfd)',
  nota: {
    elemento: ['NOTA_FISCAL'],
    tem: ['./NumeroNota', './/TimbreContribuinteLinha4|TimbreContribuinteLinha3'],
  },
  numero: ['./NumeroNota'],
  serie: ['./CodigoSerie'],
  codigo: ['./ChaveValidacao'],
  data: { campos: ['./DataEmissao'] },
  prestador: {
    cpfCnpj: [],
    nome: ['./TimbreContribuinteLinha1'],
    noTexto: ['./TimbreContribuinteLinha4', './TimbreContribuinteLinha3', './TimbreContribuinteLinha2'],
  },
  tomador: { cpfCnpj: ['./ClienteCNPJCPF'], nome: ['./ClienteNomeRazaoSocial'] },
  valor: ['./ValorTotalNota'],
  municipio: { nome: ['./TimbreContribuinteLinha3', './TimbreContribuinteLinha2'] },
  situacao: [
    { tipo: 'situacao', campos: ['./SituacaoNf'] },
    { tipo: 'data', campos: ['./DataCancelamento'] },
    { tipo: 'motivo', campos: ['./MotivoCancelamento'] },
  ],
};
