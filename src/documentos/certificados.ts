/**
 * The certificates that documents are stored without (`conteudo.ts`): each once for an office, with the number of
 * documents that need it. With the last of these it is deleted, since it names people and companies.
 */
import { createHash } from 'node:crypto';
import * as queries from './queries-certificados.ts';
import type { Trx } from './tipos.ts';

/**
 * Keeps the certificate of each document that is about to be stored.
 * @param input.textos one for each document, null for those that have none
 * @returns the id of each text, and null of null
 * @throws when asked for a text that it was not given: a document would lose its certificate
 */
export async function guardarCertificados(
  trx: Trx,
  input: { contadorId: number; textos: readonly (string | null)[] },
): Promise<(texto: string | null) => number | null> {
  const textos = input.textos.filter((texto) => texto !== null);
  const porHash = new Map<string, { sha256: Buffer; texto: string; usos: number }>();
  for (const [texto, iguais] of Map.groupBy(textos, (texto) => texto)) {
    const sha256 = createHash('sha256').update(texto, 'latin1').digest();
    porHash.set(sha256.toString('hex'), { sha256, texto, usos: iguais.length });
  }
  // In one order for every writer, so that two of them cannot wait for each other.
  const rows = [...porHash.keys()].sort().flatMap((hash) => porHash.get(hash) ?? []);
  const inserted = await queries.addUsos(
    trx,
    rows.map((row) => ({ contador_id: input.contadorId, ...row })),
  );
  const ids = new Map<string, number>();
  for (const { id, sha256 } of inserted) {
    const row = porHash.get(Buffer.from(sha256).toString('hex'));
    if (row) ids.set(row.texto, id);
  }
  return (texto) => {
    const id = texto === null ? null : ids.get(texto);
    if (id === undefined) throw new Error('a certificate was not kept');
    return id;
  };
}

/** Documents that were stored without these certificates are gone. @param ids one for each document, null for none */
export async function soltarCertificados(trx: Trx, ids: readonly (number | null)[]): Promise<void> {
  const usados = ids.filter((id) => id !== null).sort((a, b) => a - b);
  for (const [id, iguais] of Map.groupBy(usados, (usado) => usado)) {
    await queries.subtractUsos(trx, { id, usos: iguais.length });
  }
}
