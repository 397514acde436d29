import { isDatabaseFull, isDatabasePassing } from './db/faults.ts';
import { BLOBS_UNAVAILABLE } from './storage/blob-store.ts';

/** What around the service failed, for whoever tells it to people. */
export type FaltaDoEntorno = 'disco_cheio' | 'banco_cheio' | 'armazenamento' | 'banco';

/** @returns null for an error that is the service's own */
export function faltaDoEntorno(error: unknown): FaltaDoEntorno | null {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === BLOBS_UNAVAILABLE) return 'armazenamento';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'disco_cheio';
  if (isDatabaseFull(error)) return 'banco_cheio';
  return isDatabasePassing(error) ? 'banco' : null;
}
