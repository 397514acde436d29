import type { Deps } from '../deps.ts';
import { AVISAR_ANTES_MS, EXPIRAR_DEPOIS_DE_SEGUNDOS } from './limites.ts';
import { markArriving } from './queries.ts';
import type { EnvioAdmitido } from './upload/upload-address.ts';

/** Requests to the upload address that are under way in this process, by file. */
const arriving = new Map<string, number>();

/**
 * Notes that a body may be arriving for a file, from its headers until the returned function is called. A ticket is
 * not `Expirado` while that lasts, since it may still become `Em Processamento`.
 */
export function announceArrival(id: string): () => void {
  arriving.set(id, (arriving.get(id) ?? 0) + 1);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    const left = (arriving.get(id) ?? 1) - 1;
    if (left === 0) arriving.delete(id);
    else arriving.set(id, left);
  };
}

export function isArriving(id: string): boolean {
  return arriving.has(id);
}

/**
 * The same for the other processes: a body that is still arriving when its address is about to lapse is noted in
 * the row. Few are so slow, so few uploads cost that write. @returns ends the watch
 */
export async function announceToOthers(
  deps: Pick<Deps, 'db' | 'log'>,
  { arquivo, agoraMs }: Pick<EnvioAdmitido, 'arquivo' | 'agoraMs'>,
): Promise<() => void> {
  const note = () =>
    markArriving(deps.db.write, { id: arquivo.id, ate: arquivo.expira_em + EXPIRAR_DEPOIS_DE_SEGUNDOS });
  const leftMs = arquivo.expira_em * 1000 - agoraMs - AVISAR_ANTES_MS;
  if (leftMs <= 0) {
    await note();
    return () => {};
  }
  const timer = setTimeout(() => {
    note().catch((err: unknown) => deps.log.warn({ err, arquivo: arquivo.id }, 'a slow upload is not noted'));
  }, leftMs).unref();
  return () => clearTimeout(timer);
}
