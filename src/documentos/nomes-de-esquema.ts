/** Names of schemas, each kept once: nearly every version was judged with one of a few. */
import * as queries from './queries.ts';
import type { Trx } from './tipos.ts';

/**
 * Keeps the names that versions about to be stored were judged with.
 * @param nomes one for each version, null for those without
 * @returns the id of each name, and null of null
 */
export async function guardarNomesDeEsquema(
  trx: Trx,
  nomes: readonly (string | null)[],
): Promise<(nome: string | null) => number | null> {
  // In one order for every writer, so that two of them cannot wait for each other.
  const distintos = [...new Set(nomes.filter((nome) => nome !== null))].sort();
  const ids = new Map<string, number>();
  const find = async () => {
    for (const { id, nome } of await queries.findNomesDeEsquema(trx, distintos)) ids.set(nome, id);
    return distintos.filter((nome) => !ids.has(nome));
  };
  const novos = await find();
  if (novos.length > 0) {
    await queries.insertNomesDeEsquema(trx, novos);
    await find();
  }
  return (nome) => {
    const id = nome === null ? null : ids.get(nome);
    if (id === undefined) throw new Error('the name of a schema was not kept');
    return id;
  };
}
