import { open } from 'node:fs/promises';

/** The names in a folder outlive a power loss. Windows cannot open a folder; there they are as durable as they get. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
