import type { TipoDeEvento } from '../../eventos/tabela.ts';
import { tabela } from '../../tabela.ts';

function none(descricao: string): TipoDeEvento {
  return { descricao, efeito: 'nenhum' };
}
function cancels(descricao: string): TipoDeEvento {
  return { descricao, efeito: 'cancela' };
}
function manifests(descricao: string): TipoDeEvento {
  return { descricao, efeito: 'manifestacao' };
}

export const CANCELAMENTO_NFSE = '101101';

/**
 * Events of the national NFS-e by code. A rejection by tomador or intermediário is an alert, no cancellation; codes
 * that are not here are kept with no effect.
 * @fonte XSD tiposEventos 1.01
 */
export const EVENTOS_NFSE: Readonly<Record<string, TipoDeEvento>> = tabela({
  [CANCELAMENTO_NFSE]: cancels('Cancelamento de NFS-e'),
  '101103': none('Solicitação de análise fiscal para cancelamento de NFS-e'),
  '105102': cancels('Cancelamento de NFS-e por substituição'),
  '105104': cancels('Cancelamento de NFS-e deferido por análise fiscal'),
  '105105': none('Cancelamento de NFS-e indeferido por análise fiscal'),
  '202201': manifests('Confirmação do prestador'),
  '202205': manifests('Rejeição do prestador'),
  '203202': manifests('Confirmação do tomador'),
  '203206': manifests('Rejeição do tomador'),
  '204203': manifests('Confirmação do intermediário'),
  '204207': manifests('Rejeição do intermediário'),
  '205204': manifests('Confirmação tácita'),
  '205208': { descricao: 'Anulação da rejeição', efeito: 'cancela_evento', desfaz: null },
  '305101': cancels('Cancelamento de NFS-e por ofício'),
  '305102': none('Bloqueio de NFS-e por ofício'),
  '305103': none('Desbloqueio de NFS-e por ofício'),
  '467201': none('Inclusão da NFS-e em DAN'),
  '907201': none('Tributos da NFS-e recolhidos'),
});
