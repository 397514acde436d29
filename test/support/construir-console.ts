/** The console as it is served: built once, however many tests ask. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'console', 'dist', 'index.html');

/** Builds `console/dist` when it is missing or older than its sources. */
export function ensureConsole(): void {
  const built = statSync(PAGE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > newestSource()) return;
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'console.ts'), '--quieto'], {
    encoding: 'utf8',
  });
  if (status !== 0 || !existsSync(PAGE)) throw new Error(`the console could not be built: ${stderr}`);
}

function newestSource(): number {
  const folder = join(ROOT, 'console');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/](?:dist|\.malote-[^\\/]*)(?:[\\/]|$)/.test(entry.parentPath))
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
}
