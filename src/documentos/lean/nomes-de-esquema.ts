/** Names of schemas, each kept once: nearly every version was judged with one of a few. */
import * as queries from '../queries.ts';
import type { Trx } from '../tipos.ts';

/** The names of a batch, with their ids. */
export class NomesDeEsquema {
  readonly #ids = new Map<string, number>();

  add({ id, nome }: { id: number; nome: string }): void {
    this.#ids.set(nome, id);
  }

  has(nome: string): boolean {
    return this.#ids.has(nome);
  }

  /** @returns null of null. @throws for a name that was not kept */
  idOf(nome: string | null): number | null {
    const id = nome === null ? null : this.#ids.get(nome);
    if (id === undefined) throw new Error('the name of a schema was not kept');
    return id;
  }
}

/**
 * Keeps the names that versions about to be stored were judged with.
 * @param nomes one for each version, null for those without
 */
export async function keepNomesDeEsquema(
  trx: Trx,
  nomes: readonly (string | null)[],
): Promise<NomesDeEsquema> {
  // In one order for every writer, so that two of them cannot wait for each other.
  const distintos = [...new Set(nomes)].filter((nome) => nome !== null).sort();
  const guardados = new NomesDeEsquema();
  const find = async () => {
    for (const row of await queries.findNomesDeEsquema(trx, distintos)) guardados.add(row);
    return distintos.filter((nome) => !guardados.has(nome));
  };
  const novos = await find();
  if (novos.length > 0) {
    await queries.insertNomesDeEsquema(trx, novos);
    await find();
  }
  return guardados;
}
