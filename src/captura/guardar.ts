/** What was fetched becomes an upload like any other: durable bytes, then row and job in one transaction with the cursor. */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Trx } from '../banco/tabelas.ts';
import type { Servico } from '../banco/tabelas-captura.ts';
import type { Deps } from '../deps.ts';
import { blobDoEnvio } from '../importacao/blob-do-envio.ts';
import { IMPORT_MAX_BYTES } from '../importacao/limites.ts';
import { findDono } from '../importacao/queries.ts';
import { insertRecebido } from '../importacao/recebido.ts';
import type { StoredBlob } from '../platform/storage/blob-store.ts';

/** Where a service's documents come from, as the file says it. */
const FONTE = { nfe: 'sefaz', cte: 'sefaz', nfse: 'adn', nfce: 'sae' } as const satisfies Record<
  Servico,
  string
>;

/** Bytes that are durable and belong to nobody yet. */
export interface Guardada extends StoredBlob {
  id: string;
  contadorId: number;
  blob: string;
  extensao: string;
}

/** Stores an answer once for each office that gets it. */
export async function keepBytes(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  { contadorIds, bytes }: { contadorIds: readonly number[]; bytes: Buffer },
): Promise<Guardada[]> {
  const kept: Guardada[] = [];
  for (const contadorId of contadorIds) {
    const id = randomUUID();
    const blob = blobDoEnvio(id, await findDono(db.read, contadorId));
    const stored = await storage.put(blob, Readable.from([bytes]), { maxBytes: IMPORT_MAX_BYTES });
    kept.push({ ...stored, id, contadorId, blob, extensao: bytes[0] === 0x7b ? '.json' : '.xml' });
  }
  return kept;
}

/** Makes them uploads. Call it in a transaction that may put jobs in line (`puttingInLine`). */
export async function insertGuardadas(
  trx: Trx,
  guardadas: readonly Guardada[],
  { servico, nome, agora }: { servico: Servico; nome: string; agora: number },
): Promise<void> {
  const origem = {
    origem: 'sistema',
    usuario_id: null,
    nome,
    reimportado_de: null,
    alcance: null,
    fonte: FONTE[servico],
  } as const;
  for (const guardada of guardadas)
    await insertRecebido(trx, { ...guardada, chegouEm: agora, agora, kid: '', origem });
}

/** For bytes whose transaction did not happen. */
export async function forgetBytes(
  { storage }: Pick<Deps, 'storage'>,
  guardadas: readonly Guardada[],
): Promise<void> {
  for (const { blob } of guardadas) await storage.delete(blob);
}
