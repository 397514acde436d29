/** Where installed packages of schemas lie; apart, so that asking for it loads no schema machinery. */
import { statSync } from 'node:fs';
import { join } from 'node:path';

export function schemasFolder(dataFolder: string): string {
  return join(dataFolder, 'esquemas');
}

/** When a package was last installed, by whichever process, ms; 0 for never. */
export function esquemasMudaramEm(dataFolder: string): number {
  return statSync(schemasFolder(dataFolder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
