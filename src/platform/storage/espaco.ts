import { statfs } from 'node:fs/promises';

/** Room on the disk of a folder, bytes. `free` is what this process may still write. */
export async function diskSpace(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
