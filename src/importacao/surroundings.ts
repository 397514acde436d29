/** Disk errors that say nothing about the file being imported. */
const DISK_CODES: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
]);
const DATABASE_MESSAGES =
  /database is locked|disk is full|disk I\/O error|unable to open|readonly database|database thread has ended/;

/** Whether an error comes from a full or failing disk or a locked database: waiting helps, the file is not to blame. */
export function isSurroundings(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && DISK_CODES.has(code)) return true;
  return DATABASE_MESSAGES.test(error.message);
}
