/**
 * Compiles src/ into dist/ for the published package: Node strips no types below node_modules, and `malote/cliente`
 * is imported from there. In the project itself nothing needs it, so with `--opcional` (`npm ci` runs it that way)
 * a failure is only told, and without the compiler (`npm ci --omit=dev`) the installation goes on.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

function findCompiler(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    return null;
  }
}

/**
 * The compiler rewrites the names in imports, not those of threads: `new URL('./thread.ts', import.meta.url)` would
 * look for a file that dist/ does not have.
 */
function renameThreads(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const renamed = text.replace(/(new URL\(\s*'\.{1,2}\/[^']+)\.ts'(?=,\s*import\.meta\.url)/g, "$1.js'");
    if (renamed !== text) writeFileSync(path, renamed);
  }
}

const compiler = findCompiler();
if (compiler === null) {
  console.log('dist/ não foi gerada: o TypeScript não está instalado (só é preciso para publicar o pacote).');
} else {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const { status, error } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error) throw error;
  renameThreads(join(root, 'dist'));
  const optional = process.argv.includes('--opcional');
  if (status !== 0 && optional) console.log('dist/ não foi gerada por completo; o projeto funciona sem ela.');
  process.exitCode = optional ? 0 : (status ?? 1);
}
