/** Bytes of an upload that no row names: they become an upload of their office again, and are imported. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Deps } from '../../deps.ts';
import { puttingInLine } from '../../platform/jobs/queue.ts';
import type { StoredBlob } from '../../platform/storage/blob-store.ts';
import { blobDoEnvio } from '../blob-do-envio.ts';
import { IMPORT_MAX_BYTES } from '../limites.ts';
import { findDono } from '../queries.ts';
import { insertRecebido } from '../recebido.ts';
import { looksLikeZip } from '../unpack/unpack.ts';

type ReadmitirDeps = Pick<Deps, 'db' | 'storage' | 'clock'>;

/** What people see in the place of a file's name. */
const NOME = 'recuperado do armazenamento, sem registro no banco';

/**
 * Documents that the office has are duplicates then, so that this is harmless where the upload was in the vault after all.
 * @param input.arquivoId the upload that the key names, where there is no row of it: it keeps its id, so that who asks for it
 *   finds it again. Null: another upload has the id, and the bytes are stored once more
 * @param input.chegouEm ms UTC
 * @param input.autor of the audit log
 * @returns the id of the upload
 */
export async function readmitir(
  deps: ReadmitirDeps,
  input: {
    blob: string;
    bytes: Buffer;
    contadorId: number;
    arquivoId: string | null;
    chegouEm: number;
    autor: string;
  },
): Promise<string> {
  const { contadorId, bytes, chegouEm } = input;
  const id = input.arquivoId ?? randomUUID();
  const { blob, stored } = await stand(deps, input, id);
  const agora = deps.clock.now();
  await puttingInLine(deps.db.write, async (trx) => {
    await insertRecebido(trx, {
      ...stored,
      id,
      contadorId,
      blob,
      extensao: looksLikeZip(bytes) ? '.zip' : '.xml',
      chegouEm,
      agora,
      kid: '',
      origem: { origem: 'sistema', usuario_id: null, nome: NOME, reimportado_de: null, alcance: null },
    });
    await auditar(trx, {
      em: agora,
      acao: ACAO.arquivoRecuperado,
      contadorId,
      autor: input.autor,
      alvo: `arquivo/${id}`,
      detalhe: { armazenado: input.blob },
    });
  });
  return id;
}

/** Durable under a key of the upload: the very one, or where that names another upload a new one, beside the old. */
async function stand(
  { db, storage }: ReadmitirDeps,
  input: { blob: string; bytes: Buffer; contadorId: number; arquivoId: string | null },
  id: string,
): Promise<{ blob: string; stored: StoredBlob }> {
  const { bytes } = input;
  if (input.arquivoId === null) {
    const blob = blobDoEnvio(id, await findDono(db.read, input.contadorId));
    return { blob, stored: await storage.put(blob, Readable.from([bytes]), { maxBytes: IMPORT_MAX_BYTES }) };
  }
  const digest = (name: 'sha256' | 'md5') => createHash(name).update(bytes).digest('hex');
  const stored = { sizeBytes: bytes.length, sha256: digest('sha256'), md5: digest('md5') };
  return { blob: input.blob, stored };
}
