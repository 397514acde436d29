import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { officeKey } from '../../autorizacao/contexto.ts';
import type { Deps } from '../../deps.ts';
import { releaseBytes } from '../../platform/bytes/release-bytes.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { addJob, puttingInLine } from '../../platform/jobs/queue.ts';
import { BlobTooLargeError, type StoredBlob } from '../../platform/storage/blob-store.ts';
import { NoPlace, type Place, Shares } from '../../platform/threads/shares.ts';
import { blobDoEnvio } from '../blob-do-envio.ts';
import { IMPORT_MAX_BYTES, RECEPCAO_ESPERA_MS, RECEPCOES_SIMULTANEAS } from '../limites.ts';
import { findArquivo, markReceived } from '../queries.ts';
import { JOB_IMPORTAR } from '../tipos.ts';
import type { EnvioAdmitido } from './upload-address.ts';
import { EnvioInterrompido, guardedBody, releaseBody } from './upload-body.ts';
import {
  arquivoGrandeDemais,
  arquivoJaRecebido,
  assinaturaInvalida,
  envioIndisponivel,
  UploadError,
} from './upload-errors.ts';

type ReceiveDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log'>;

/** Bodies that this process is receiving, by office. */
const recepcoes = new Shares({ capacity: RECEPCOES_SIMULTANEAS, waitMs: RECEPCAO_ESPERA_MS });

/** What the sender is told. */
interface Recepcao {
  /** Hex MD5 of the bytes; the answer's ETag. */
  md5: string;
  /** False when the same bytes had been accepted before. */
  novo: boolean;
}

/**
 * Takes the body of an admitted upload. Resolves only when the bytes are durable and, in one transaction, the file
 * is `Em Processamento` and its job exists. The first accepted body wins; the same bytes again are fine.
 * @throws UploadError (too large, incomplete, digest, conflict, disk or database unavailable)
 * @throws EnvioInterrompido when the sender went away
 */
export async function receiveUpload(
  deps: ReceiveDeps,
  input: { envio: EnvioAdmitido; raw: IncomingMessage },
): Promise<Recepcao> {
  const { envio, raw } = input;
  const place = await placeFor(envio.arquivo.contador_id, raw);
  const body = guardedBody(raw, envio);
  try {
    return await (envio.arquivo.sha256 === null
      ? storeFirst(deps, { envio, body })
      : compareAgain(body, envio.arquivo));
  } catch (error) {
    throw refusalFor(deps, error);
  } finally {
    releaseBody(raw, body);
    place.release();
  }
}

/** Waits for its turn, while nothing of the body is read. */
async function placeFor(contadorId: number, raw: IncomingMessage): Promise<Place> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  raw.once('close', leave);
  try {
    const place = await recepcoes.enter(officeKey(contadorId), 1, gone.signal);
    if (!raw.destroyed) return place;
    place.release();
    throw new EnvioInterrompido();
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    throw raw.destroyed ? new EnvioInterrompido() : envioIndisponivel(error);
  } finally {
    raw.off('close', leave);
  }
}

/** Every attempt has a blob of its own, so that a losing one can never replace the bytes of the winner. */
async function storeFirst(
  deps: ReceiveDeps,
  { envio, body }: { envio: EnvioAdmitido; body: Readable },
): Promise<Recepcao> {
  const { arquivo, dono } = envio;
  const blob = blobDoEnvio(arquivo.id, dono);
  const stored = await deps.storage.put(blob, body, { maxBytes: IMPORT_MAX_BYTES, released: true });
  failpoint('upload_blob_duravel');
  const novo = await accept(deps, { arquivo, blob, stored });
  failpoint('upload_depois_do_commit');
  if (!novo) {
    await deps.storage.delete(blob);
    const winner = await findArquivo(deps.db.read, arquivo.id);
    if (winner?.sha256 == null) throw assinaturaInvalida();
    if (winner.sha256 !== stored.sha256) throw arquivoJaRecebido();
  } else if (stored.sizeBytes !== arquivo.tamanho_anunciado) {
    const bytes = { anunciados: arquivo.tamanho_anunciado, recebidos: stored.sizeBytes };
    deps.log.info({ arquivo: arquivo.id, ...bytes }, 'size differs from what was announced');
  }
  return { md5: stored.md5, novo };
}

/**
 * The one transaction that makes an upload ours. When it fails, the blob stays: whether the commit reached the disk
 * is not known, and an orphan costs less than a file whose bytes are gone (`malote verificar` finds orphans, and has them
 * imported).
 */
async function accept(
  deps: ReceiveDeps,
  input: { arquivo: EnvioAdmitido['arquivo']; blob: string; stored: StoredBlob },
): Promise<boolean> {
  const agora = deps.clock.now();
  const { arquivo, blob } = input;
  const { sizeBytes: tamanho, sha256, md5 } = input.stored;
  return puttingInLine(
    deps.db.write,
    async (trx) => {
      const contadorId = await markReceived(trx, { id: arquivo.id, agora, tamanho, sha256, md5, blob });
      if (contadorId === null) return false;
      const job = { tipo: JOB_IMPORTAR, arquivoId: arquivo.id, contadorId, pesoBytes: tamanho };
      await addJob(trx, { ...job, now: agora });
      failpoint('upload_antes_do_commit');
      return true;
    },
    arquivo.contador_id,
  );
}

/** A retry of an upload that was accepted: the bytes are only compared. */
async function compareAgain(
  body: Readable,
  known: { sha256: string | null; md5: string | null },
): Promise<Recepcao> {
  const sha256 = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > IMPORT_MAX_BYTES) throw new BlobTooLargeError();
    sha256.update(chunk);
    releaseBytes(chunk);
  }
  if (sha256.digest('hex') !== known.sha256) throw arquivoJaRecebido();
  return { md5: known.md5 ?? '', novo: false };
}

/** Whatever the disk or the database fails with, the sender may try again: nothing was acknowledged. */
function refusalFor(deps: Pick<Deps, 'log'>, error: unknown): Error {
  if (error instanceof UploadError || error instanceof EnvioInterrompido) return error;
  if (error instanceof BlobTooLargeError) return arquivoGrandeDemais();
  deps.log.error({ err: error }, 'an upload could not be kept');
  return envioIndisponivel(error);
}
