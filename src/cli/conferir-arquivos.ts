/** The stored files against the rows that name them, both ways, in memory that does not grow with either. */
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { bytesDoEnvio } from '../documentos/bytes/envios.ts';
import { isDatabasePassing } from '../platform/db/faults.ts';
import { BlobNotFoundError } from '../platform/storage/blob-store.ts';
import * as queries from './queries-verificar.ts';

const STEP = 200;
/** Read at once: a bucket answers slowly, and each may be 30 MB. */
const DE_CADA_VEZ = 4;
/** A file without a row may belong to an upload whose commit is still to come; after this it does not. */
const ORFAO_APOS_MS = 3_600_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

type DepsDosArquivos = Pick<Deps, 'db' | 'storage' | 'clock'>;

/** Every upload whose bytes are kept: are they there, and are they the ones that came? */
export async function* conferirEnvios({
  db,
  storage,
}: DepsDosArquivos): AsyncGenerator<{ conferidos: number; faltas: string[] }> {
  for (let depoisDe = ''; ; ) {
    const rows = await queries.findBlobsAfter(db.read, { depoisDe, limite: STEP });
    const last = rows.at(-1);
    if (!last) return;
    depoisDe = last.id;
    while (rows.length > 0) {
      const some = rows.splice(0, DE_CADA_VEZ);
      const faltas = await Promise.all(some.map((row) => faultOf({ db: db.read, storage }, row)));
      yield { conferidos: some.length, faltas: faltas.filter((falta) => falta !== null) };
    }
  }
}

async function faultOf(
  deps: { db: Deps['db']['read']; storage: Deps['storage'] },
  { id, blob, sha256 }: { id: string; blob: string | null; sha256: string | null },
): Promise<string | null> {
  try {
    const bytes = await bytesDoEnvio(deps, { id, blob });
    // Its recipe has become bytes in the meantime, or both were let go; or it is lost.
    if (bytes === null)
      return (await queries.lacksReceita(deps.db, id))
        ? `arquivo ${id}: os bytes enviados não estão guardados`
        : null;
    return hash('sha256', bytes) === sha256 ? null : `arquivo ${id}: os bytes não conferem com o SHA-256`;
  } catch (error) {
    // A database or a store that is away says nothing about the file: the check ends with that error.
    if (isDatabasePassing(error)) throw error;
    if (blob === null)
      return `arquivo ${id}: os bytes não se refazem a partir dos documentos (${(error as Error).message})`;
    if (!(error instanceof BlobNotFoundError)) throw error;
    return `arquivo ${id}: os bytes enviados (${blob}) não estão guardados`;
  }
}

/**
 * Stored files that no row names. An upload that is just being accepted is not among them: its file is durable before
 * its row is, so young ones are passed over.
 */
export async function* acharOrfaos(deps: DepsDosArquivos): AsyncGenerator<string> {
  const others = await queries.findOutrosBlobs(deps.db.read);
  let keys: string[] = [];
  for await (const key of deps.storage.keys()) {
    if (!others.has(key)) keys.push(key);
    if (keys.length < STEP) continue;
    yield* orphansAmong(deps, keys);
    keys = [];
  }
  yield* orphansAmong(deps, keys);
}

async function* orphansAmong({ db, storage, clock }: DepsDosArquivos, keys: readonly string[]) {
  // The key of an upload's file begins with the id of its row.
  const ids = keys.flatMap((key) => ID.exec(key)?.[0] ?? []);
  const named = await queries.findArquivosComBlob(db.read, [...new Set(ids)]);
  for (const key of keys) {
    if (named.has(key)) continue;
    const found = await storage.stat(key);
    if (found && clock.now() - found.modifiedAt > ORFAO_APOS_MS) yield key;
  }
}
