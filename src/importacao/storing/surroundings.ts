import { isDatabasePassing } from '../../platform/db/faults.ts';
import { BLOBS_UNAVAILABLE } from '../../platform/storage/blob-store.ts';

/**
 * Errors of disk or bucket that say nothing about the file being imported. More than the API answers with "come again"
 * (`platform/http/error-handler.ts`): a file that is given up is `Com Erro` for good, so it waits for a broken disk too.
 */
const DISK_CODES: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  BLOBS_UNAVAILABLE,
]);

/** Whether a full or failing disk, or a database that is away or busy, is to blame: waiting helps, the file is fine. */
export function isSurroundings(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && DISK_CODES.has(code)) || isDatabasePassing(error);
}
