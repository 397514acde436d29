import { createHash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/**
 * Removes an upload of these very bytes that was read and held no document, so that trying a connection leaves nothing:
 * rows first, and then the bytes, which belong to nobody any more.
 * @returns false when it is another file, another office's, or is still being read
 */
export async function forgetEnvio(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  input: { contadorId: number; id: string; conteudo: string },
): Promise<boolean> {
  const sha256 = createHash('sha256').update(input.conteudo).digest('hex');
  const removed = await db.write
    .transaction()
    .execute((trx) => queries.deleteEnvio(trx, { contadorId: input.contadorId, id: input.id, sha256 }));
  if (!removed) return false;
  if (removed.blob !== null) await storage.delete(removed.blob);
  return true;
}
