import type { Leiaute } from '../leiaute.ts';

export const simple: Leiaute = {
  id: 'simple',
  nome: 'Simple',
  fonte: 'Manual do web service da Simple (ArrayOfNota)',
  nota: { elemento: ['Nota'], tem: ['./iNota', './sContribuinte'] },
  numero: ['./iNota'],
  serie: ['./sSerie'],
  codigo: ['./sCodigoVerificador'],
  data: { campos: ['./dDataEmissao'] },
  prestador: { cpfCnpj: ['./sContribuinte'], nome: ['./sNomeContribuinte'] },
  tomador: {
    cpfCnpj: ['./tTomador/sCPFTomador|sCNPJTomador|sCPFCNPJTomador', './sCPFTomador|sCNPJTomador'],
    nome: ['.//sNomeTomador'],
  },
  valor: ['./nValorTotal'],
  situacao: [
    { tipo: 'situacao', campos: ['./sSituacao'], cancelada: ['C'], normal: ['N'] },
    { tipo: 'data', campos: ['./dDataCancelamento'] },
    { tipo: 'motivo', campos: ['./sMotivoCancelamento'] },
  ],
};
