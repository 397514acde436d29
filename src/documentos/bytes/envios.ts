/**
 * Uploads whose bytes are kept as a recipe of documents: given back, byte for byte, and turned into bytes again before
 * documents that they need are deleted.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tabelas } from '../../banco/tabelas.ts';
import type { Database } from '../../platform/db/connect.ts';
import { isDatabasePassing } from '../../platform/db/faults.ts';
import { BlobNotFoundError, type BlobStore } from '../../platform/storage/blob-store.ts';
import { findConteudos, type Leitor } from '../queries-leitura.ts';
import { descomprimir } from './conteudo.ts';
import * as envios from './queries-envios.ts';
import { montar, type Passo, readReceita, versoesDa } from './receita.ts';

/** Documents in memory at once. */
const DOCUMENTOS = 200;

/**
 * The bytes of an upload that is kept as a recipe; null when it has none.
 * @throws when they are not the bytes that came: a document is damaged or gone, or zlib deflates otherwise
 */
export async function refazerEnvio(db: Leitor, arquivoId: string): Promise<Buffer | null> {
  const row = await envios.findReceita(db, arquivoId);
  if (!row) return null;
  const hash = createHash('sha256');
  const parts: Uint8Array[] = [];
  for await (const part of bytesDosPassos(db, readReceita(row.receita))) {
    hash.update(part);
    parts.push(part);
  }
  if (hash.digest('hex') !== row.sha256)
    throw new Error(`upload ${arquivoId} cannot be made again from its recipe`);
  return Buffer.concat(parts);
}

/** As `refazerEnvio`, and null where its bytes cannot be made again. @throws when the database is away: that says nothing about them */
export async function refazerSePossivel(db: Leitor, arquivoId: string): Promise<Buffer | null> {
  try {
    return await refazerEnvio(db, arquivoId);
  } catch (error) {
    if (isDatabasePassing(error)) throw error;
    return null;
  }
}

/** In pieces, with a turn of the event loop between them: whoever else lives in this thread goes on. */
export async function* bytesDosPassos(db: Leitor, passos: readonly Passo[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  while (from < passos.length) {
    const ids = new Set<number>();
    let to = from;
    for (; to < passos.length && ids.size < DOCUMENTOS; to++) {
      const passo = passos[to];
      if (passo) for (const id of versoesDa([passo])) ids.add(id);
    }
    const documentos = await readDocumentos(db, [...ids]);
    const documento = (versaoId: number) => {
      const bytes = documentos.get(versaoId);
      if (!bytes) throw new Error(`version ${versaoId} that a recipe needs is gone`);
      return bytes;
    };
    for (const part of montar(passos.slice(from, to), documento)) {
      yield part;
      await nextTurn();
    }
    from = to;
  }
}

async function readDocumentos(db: Leitor, ids: readonly number[]): Promise<Map<number, Buffer>> {
  const rows = await findConteudos(db, ids);
  return new Map(rows.map((row) => [row.versao_id, descomprimir(row)]));
}

/**
 * The bytes of an upload, however they are kept; null when they are not. Where they lay when `arquivo` was read may have
 * changed since: then the row is read again.
 * @throws as `refazerEnvio` and the store do
 */
export async function bytesDoEnvio(
  deps: { db: Leitor; storage: BlobStore },
  arquivo: { id: string; blob: string | null },
): Promise<Buffer | null> {
  const { id, blob } = arquivo;
  if (blob === null) return refazerEnvio(deps.db, id);
  try {
    return await deps.storage.get(blob);
  } catch (error) {
    if (!(error instanceof BlobNotFoundError)) throw error;
    const now = await envios.findBlob(deps.db, id);
    if (now?.blob === blob) throw error;
    return now === undefined ? null : bytesDoEnvio(deps, { id, blob: now.blob });
  }
}

/**
 * Puts the bytes of an upload in the place of its recipe, before documents that it needs are deleted. Durable first, then
 * the row. Always under the same key: whoever comes after a death in between puts them there again, and nothing is left of
 * what is to be deleted.
 */
export async function devolverBytes(
  deps: { db: Database<Tabelas>; storage: BlobStore },
  arquivoId: string,
): Promise<void> {
  const bytes = await refazerEnvio(deps.db.read, arquivoId);
  if (!bytes) return;
  const blob = `${arquivoId}-devolvido`;
  await deps.storage.put(blob, Readable.from([bytes]), { maxBytes: bytes.length });
  const put = await deps.db.write.transaction().execute((trx) => envios.putBytes(trx, { arquivoId, blob }));
  if (put) return;
  // Another process was first, and what it did with them counts.
  const now = await envios.findBlob(deps.db.read, arquivoId);
  if (now?.blob !== blob) await deps.storage.delete(blob);
}
