/** What mass exports have left in the store of an installation. */
import { readConfig } from '../../src/config.ts';
import { openBlobStore } from '../../src/platform/storage/open.ts';

/** Keys of the export files that are kept, in order. */
export async function exportacoesGuardadas(
  dataFolder: string,
  env: Record<string, string> = {},
): Promise<string[]> {
  const storage = await openBlobStore(readConfig({ ...env, MALOTE_DATA: dataFolder }));
  try {
    const keys: string[] = [];
    for await (const key of storage.keys()) if (key.endsWith('-exportacao')) keys.push(key);
    return keys.sort();
  } finally {
    await storage.close();
  }
}
