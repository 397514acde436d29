/** The stored files against the rows that name them, both ways, in memory that does not grow with either. */
import { hash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { bytesDoEnvio } from '../documentos/bytes/envios.ts';
import type { ValidadorDeEsquema } from '../fiscal/ler.ts';
import { loadEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { isDatabasePassing } from '../platform/db/faults.ts';
import { BlobNotFoundError } from '../platform/storage/blob-store.ts';
import { type ArquivoAConferir, faltasDoArquivo, faltasDosItens } from './conferir-itens.ts';
import * as queries from './queries-verificar.ts';

const STEP = 200;
/** Read at once: a bucket answers slowly, and each may be 30 MB. */
const DE_CADA_VEZ = 4;
/** A file without a row may belong to an upload whose commit is still to come; after this it does not. */
const ORFAO_APOS_MS = 3_600_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

type DepsDosArquivos = Pick<Deps, 'db' | 'storage' | 'clock'>;

/** Every upload: are its bytes there, are they the ones that came, and do its rows say what they are? */
export async function* checkEnvios({
  config,
  db,
  storage,
}: DepsDosArquivos & { config: Pick<Config, 'dataFolder'> }): AsyncGenerator<{
  conferidos: number;
  faltas: string[];
}> {
  const deps = { db: db.read, storage, validador: loadEsquemas(config) };
  for (let depoisDe = ''; ; ) {
    const rows = await queries.findArquivosAfter(db.read, { depoisDe, limite: STEP });
    const last = rows.at(-1);
    if (!last) return;
    depoisDe = last.id;
    while (rows.length > 0) {
      const some = rows.splice(0, DE_CADA_VEZ);
      const faltas = await Promise.all(some.map((row) => faultsOf(deps, row)));
      const conferidos = some.filter(({ tem_bytes }) => tem_bytes === 1).length;
      yield { conferidos, faltas: faltas.flat() };
    }
  }
}

interface DepsDoEnvio {
  db: Deps['db']['read'];
  storage: Deps['storage'];
  validador: ValidadorDeEsquema;
}

async function faultsOf(deps: DepsDoEnvio, arquivo: ArquivoAConferir): Promise<string[]> {
  const lido = arquivo.tem_bytes === 1 ? await readOf(deps, arquivo) : { bytes: null, falta: null };
  const faltas = lido.falta === null ? [] : [lido.falta];
  faltas.push(...(await faltasDoArquivo(deps.db, { arquivo, bytes: lido.bytes })));
  if (lido.bytes) faltas.push(...(await faltasDosItens(deps, { arquivo, bytes: lido.bytes })));
  return faltas.map((falta) => `arquivo ${arquivo.id}: ${falta}`);
}

/** @returns the bytes that came, or what is wrong with them; neither where they were let go in the meantime */
async function readOf(
  deps: DepsDoEnvio,
  { id, blob, sha256 }: ArquivoAConferir,
): Promise<{ bytes: Buffer | null; falta: string | null }> {
  const semBytes = (falta: string | null) => ({ bytes: null, falta });
  try {
    const bytes = await bytesDoEnvio(deps, { id, blob });
    // Its recipe has become bytes in the meantime, or both were let go; or it is lost.
    if (bytes === null)
      return semBytes(
        (await queries.lacksReceita(deps.db, id)) ? 'os bytes enviados não estão guardados' : null,
      );
    return hash('sha256', bytes) === sha256
      ? { bytes, falta: null }
      : semBytes('os bytes não conferem com o SHA-256');
  } catch (error) {
    // A database or a store that is away says nothing about the file: the check ends with that error.
    if (isDatabasePassing(error)) throw error;
    if (blob === null)
      return semBytes(`os bytes não se refazem a partir dos documentos (${(error as Error).message})`);
    if (!(error instanceof BlobNotFoundError)) throw error;
    return semBytes(`os bytes enviados (${blob}) não estão guardados`);
  }
}

/**
 * Stored files that no row names. An upload that is just being accepted is not among them: its file is durable before
 * its row is, so young ones are passed over.
 */
export async function* findOrfaos(deps: DepsDosArquivos): AsyncGenerator<string> {
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
