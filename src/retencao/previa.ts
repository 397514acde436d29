/** What is due now and what will be soon, before anybody deletes anything. */

import type { Db } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import { type Cortes, cortesDe, MODELOS } from './prazos.ts';
import { type Prazo, prazosDe, regrasDe } from './regras.ts';
import { hojeEm, vencidosDe } from './vencidos.ts';

interface LinhaDaPrevia {
  modelo: string;
  /** Term over and held by nothing: what a deletion would take. */
  vencidos: number;
  /** Term over, kept by a legal hold. */
  sobGuarda: number;
  /** Term ends within so many days, counted without those above. */
  em30Dias: number;
  em90Dias: number;
  em365Dias: number;
  /** Day of issue of the oldest one that is due. */
  maisAntigo: string | null;
}

interface Previa {
  prazos: Prazo[];
  linhas: LinhaDaPrevia[];
  vencidos: number;
  sobGuarda: number;
  /** Kind → first day of issue that is still kept. */
  cortes: Cortes;
}

const DAY_MS = 24 * 3_600_000;
const HORIZONTES = [30, 90, 365] as const;

/** Counts what is due in an office. Nothing is changed. */
export async function previaDe(
  deps: Pick<Deps, 'clock'> & { db: { read: Db } },
  input: { contadorId: number },
): Promise<Previa> {
  const { contadorId } = input;
  const agora = deps.clock.now();
  const regras = await regrasDe(deps.db.read, contadorId);
  const cortes = cortesDe(hojeEm(agora), regras);
  // One walk up to the farthest horizon tells every horizon: each kind's limit moves by the same days.
  const limites = HORIZONTES.map((dias) => cortesDe(hojeEm(agora + dias * DAY_MS), regras));
  const farthest = limites.at(-1) ?? cortes;
  const linhas = new Map(MODELOS.map((modelo) => [modelo as string, linhaVazia(modelo)]));
  for await (const page of vencidosDe(deps.db.read, { contadorId, cortes: farthest, agora })) {
    for (const { documento, guardaId } of page) {
      const linha = linhas.get(documento.modelo);
      if (linha) count(linha, { documento, sobGuarda: guardaId !== null, cortes, limites });
    }
  }
  const rows = [...linhas.values()];
  return {
    prazos: await prazosDe(deps.db.read, contadorId),
    linhas: rows,
    vencidos: rows.reduce((sum, row) => sum + row.vencidos, 0),
    sobGuarda: rows.reduce((sum, row) => sum + row.sobGuarda, 0),
    cortes,
  };
}

function linhaVazia(modelo: string): LinhaDaPrevia {
  return {
    modelo,
    vencidos: 0,
    sobGuarda: 0,
    em30Dias: 0,
    em90Dias: 0,
    em365Dias: 0,
    maisAntigo: null,
  };
}

function count(
  linha: LinhaDaPrevia,
  input: {
    documento: { modelo: string; dia: string };
    sobGuarda: boolean;
    cortes: Cortes;
    limites: readonly Cortes[];
  },
): void {
  const { dia, modelo } = input.documento;
  if (dia < (input.cortes[modelo] ?? '')) {
    if (input.sobGuarda) linha.sobGuarda += 1;
    else linha.vencidos += 1;
    if (linha.maisAntigo === null || dia < linha.maisAntigo) linha.maisAntigo = dia;
    return;
  }
  if (input.sobGuarda) return;
  const at = input.limites.findIndex((limites) => dia < (limites[modelo] ?? ''));
  if (at === 0) linha.em30Dias += 1;
  if (at === 0 || at === 1) linha.em90Dias += 1;
  if (at >= 0) linha.em365Dias += 1;
}
