/** The files of finished exports in the blob store: in, out, and away when their day is over. */
import { PassThrough, type Writable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import { type BlobStore, BlobTooLargeError } from '../../platform/storage/blob-store.ts';
import { ExportacaoGrandeDemais } from './documentos.ts';
import * as queries from './queries-exportacoes.ts';

/** Far more than the most documents that one export may have; a bound for what nobody thought of. Bytes. */
const ARQUIVO_MAX_BYTES = 10_000_000_000;

/** Key of an export's file. Its id says that no other row may name it, so who finds the row gone may delete it. */
export function blobDaExportacao(id: string): string {
  return `${id}-exportacao`;
}

/**
 * Stores what is written while it is written; nothing stays of what fails.
 * @returns the size in bytes
 * @throws what the writer, the source or the store broke with, whichever was first
 */
export async function storeZip(
  storage: BlobStore,
  input: { blob: string; signal: AbortSignal; escrever(out: Writable): Promise<void> },
): Promise<number> {
  const through = new PassThrough();
  // Whoever waits meets the failure; nobody may be listening just then.
  through.on('error', () => {});
  let first: unknown;
  const broke = (error: unknown) => {
    first ??= error;
    through.destroy(error as Error);
    throw first;
  };
  const limits = { maxBytes: ARQUIVO_MAX_BYTES, signal: input.signal };
  const [stored, written] = await Promise.allSettled([
    storage.put(input.blob, through, limits).catch(broke),
    input.escrever(through).catch(broke),
  ]);
  if (first instanceof BlobTooLargeError) throw new ExportacaoGrandeDemais();
  if (stored.status === 'rejected') throw first;
  if (written.status === 'rejected') {
    // It may have been whole for the store, and broken for who wrote it.
    await storage.delete(input.blob).catch(() => {});
    throw first;
  }
  return stored.value.sizeBytes;
}

/** Tells what has expired, then removes its file: what ends between the two is done again by the next look. */
export async function releaseExpired(deps: Pick<Deps, 'db' | 'storage' | 'clock'>): Promise<void> {
  const { db, storage, clock } = deps;
  await db.write.transaction().execute((trx) => queries.expire(trx, clock.now()));
  for (const { id, blob } of await queries.findASoltar(db.read)) {
    await storage.delete(blob);
    await db.write.transaction().execute((trx) => queries.releaseBlob(trx, id));
  }
}
