/**
 * Items of a file without what the rows of their documents say anyway. Most items are of a document that was new: its
 * key, the hash of its bytes and the key once more in the file's name would be a third of all that is written of it.
 */
import type { Selectable } from 'kysely';
import type { TabelaItem } from '../../banco/tabelas.ts';
import * as queries from '../queries-leitura.ts';
import { type PecaGravada, RESULTADO } from '../tipos.ts';

/** Stands for the key in a name: labels of entries have no such character (their controls are written out). */
const CHAVE = '\u0001';

type LinhaDeItem = Selectable<TabelaItem>;
type Enxuto = Pick<LinhaDeItem, 'caminho' | 'sha256' | 'chave'>;

/** Outcomes that are no problem: problems are read by themselves, for the log. */
const SEM_PROBLEMA: readonly string[] = [RESULTADO.novo, RESULTADO.evento];

/** What is written of an item. */
export function enxugar(peca: PecaGravada): Enxuto {
  const { caminho, sha256, chave } = peca;
  if (!peca.primeira || chave === null || !SEM_PROBLEMA.includes(peca.resultado) || caminho.includes(CHAVE)) {
    return { caminho, sha256, chave };
  }
  return { caminho: caminho.replaceAll(chave, CHAVE), sha256: null, chave: null };
}

/** Rows as they would be had everything been written. The hash of a document that was deleted is gone with it. */
export async function completar<T extends Enxuto & Pick<LinhaDeItem, 'documento_id'>>(
  db: queries.Leitor,
  rows: readonly T[],
): Promise<T[]> {
  const ids = rows.flatMap((row) =>
    row.chave === null && row.documento_id !== null ? [row.documento_id] : [],
  );
  if (ids.length === 0) return [...rows];
  const primeiras = new Map(
    (await queries.findPrimeirasVersoes(db, ids)).map((row) => [row.documento_id, row]),
  );
  return rows.map((row) => {
    const primeira = row.chave === null ? primeiras.get(row.documento_id ?? 0) : undefined;
    if (!primeira) return row;
    const { chave, sha256 } = primeira;
    return { ...row, chave, sha256: sha256 || null, caminho: row.caminho.replaceAll(CHAVE, chave) };
  });
}
