/** The check of when entries were made: of documents that came together all say the same instant. */

import type { Leitor } from '../queries-leitura.ts';
import type { Achado } from './achados.ts';
import * as queries from './queries-verificar.ts';

/** An entry, as the check of feeds reads it. */
interface EntradaComInstante {
  cliente_id: number;
  nsu: number;
  documento_id: number;
  importado_em: number;
  documento_importado_em: number | null;
}

/**
 * An entry is made when its document comes, or later, when something changes what it shows: the instant of a later one follows
 * from no other row. Told is one that stands between two of one and the same transaction, or that is one bit away from when a
 * version of its document came.
 * @param rows of a page, in the order of their keys
 */
export async function findNosInstantes(trx: Leitor, rows: readonly EntradaComInstante[]): Promise<Achado[]> {
  const outras = rows.filter((row) => row.importado_em !== row.documento_importado_em);
  if (outras.length === 0) return [];
  const instantes = await queries.findInstantesDasVersoes(
    trx,
    outras.map((row) => row.documento_id),
  );
  const at = new Map(rows.map((row, index) => [row, index]));
  return outras.flatMap((row) => {
    const index = at.get(row) ?? 0;
    const vizinhas = { antes: rows[index - 1], depois: rows[index + 1] };
    const certo = instanteQueDevia(row, { vizinhas, instantes: instantes.get(row.documento_id) ?? [] });
    if (certo === null) return [];
    const { cliente_id: clienteId, nsu, documento_id: documentoId } = row;
    return [
      {
        codigo: 'data_da_entrada_errada',
        mensagem: 'A entrada não diz ter sido feita quando o seu documento chegou.',
        alvo: `cliente ${clienteId}, NSU ${nsu}`,
        ref: { clienteId, documentoId, nsu },
      },
    ];
  });
}

/** @returns the instant that an entry should say; null where nothing speaks against its own */
export function instanteQueDevia(
  row: EntradaComInstante,
  input: {
    vizinhas: { antes: EntradaComInstante | undefined; depois: EntradaComInstante | undefined };
    instantes: readonly number[];
  },
): number | null {
  const { antes, depois } = input.vizinhas;
  const { importado_em: instante } = row;
  if (input.instantes.includes(instante)) return null;
  const juntas = antes?.cliente_id === row.cliente_id && depois?.cliente_id === row.cliente_id;
  if (juntas && antes.importado_em === depois.importado_em) {
    return antes.importado_em === instante ? null : antes.importado_em;
  }
  const perto = input.instantes.filter((outro) => isOneBitApart(instante, outro));
  return perto.length === 1 ? (perto[0] ?? null) : null;
}

/** Two instants that lie that close may be one bit apart by chance; others are not. */
const CLOSE_MS = 1024;

function isOneBitApart(one: number, other: number): boolean {
  if (Math.abs(one - other) < CLOSE_MS) return false;
  const bits = BigInt(one) ^ BigInt(other);
  return bits > 0n && (bits & (bits - 1n)) === 0n;
}
