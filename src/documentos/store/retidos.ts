import { LOCK, lockFor } from '../../platform/db/locks.ts';
import type { Trx } from '../tipos.ts';
import { comPapelMaisForte, entregar } from './entregar.ts';
import * as queries from './queries-entradas.ts';

/** Documents in one step of the hand-over; bounds the memory, not the transaction. */
const STEP = 2_000;

/**
 * Hands a newly registered client everything the office holds in which it takes part, in order of arrival. Call
 * it in the transaction that registers the client, so that no import in between is missed or doubled.
 * @returns how many entries were made
 */
export async function deliverRetidos(
  trx: Trx,
  cliente: { contadorId: number; cpfCnpj: string },
  input: { agora: number; homologacao: boolean },
): Promise<number> {
  await lockFor(trx, LOCK.escritorio, [cliente.contadorId]);
  const ambientes = input.homologacao ? [1, 2] : [1];
  let total = 0;
  let depoisDe = 0;
  for (;;) {
    const rows = await queries.findParticipacoesEmFaltaDoCliente(trx, {
      ...cliente,
      depoisDe,
      limite: STEP,
      ambientes,
    });
    const last = rows.at(-1);
    if (!last) return total;
    // A document whose papéis straddle the step is taken whole in the next one, unless it is the only one.
    const whole = rows.length < STEP ? rows : rows.filter((row) => row.documento_id !== last.documento_id);
    const now = whole.length > 0 ? whole : rows;
    total += await entregar(trx, { novas: comPapelMaisForte(now), agora: input.agora });
    depoisDe = now.at(-1)?.documento_id ?? last.documento_id;
  }
}

/**
 * Delivers what was held because it came from homologação, after that has been switched on.
 * @returns how many entries were made
 */
export async function entregarHomologacao(trx: Trx, input: { agora: number }): Promise<number> {
  await lockFor(trx, LOCK.escritorio);
  let total = 0;
  let depoisDe = 0;
  for (;;) {
    const ids = await queries.findHomologacao(trx, { depoisDe, limite: STEP });
    const last = ids.at(-1);
    if (last === undefined) return total;
    const novas = comPapelMaisForte(await queries.findParticipacoesEmFalta(trx, ids));
    total += await entregar(trx, { novas, agora: input.agora });
    depoisDe = last;
  }
}
