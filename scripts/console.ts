/**
 * Builds the browser application of `console/` into `console/dist` (`npm run console`, and `npm ci` by `prepare`), each
 * asset with its `.br` and `.gz` twin. The new build takes the old one's place only when it is complete, so a
 * server that runs meanwhile, or a second build at the same time, never meets half of one.
 *
 * `--opcional`: a failure, or missing tools (`npm ci --omit=dev`), is only told. `--quieto`: no list of files.
 */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const CONSOLE = join(dirname(import.meta.dirname), 'console');
const DESTINO = join(CONSOLE, 'dist');
/** Text only: fonts and images are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|svg|json)$/;
/** Below this a twin saves no packet. */
const COMPRESS_FROM_BYTES = 512;

async function build(): Promise<void> {
  const vite = await import('vite');
  const folder = mkdtempSync(join(CONSOLE, '.malote-dist-'));
  try {
    await vite.build({
      root: CONSOLE,
      configFile: join(CONSOLE, 'vite.config.ts'),
      logLevel: process.argv.includes('--quieto') ? 'error' : 'info',
      build: { outDir: folder, emptyOutDir: true },
    });
    compress(join(folder, 'assets'));
    // A temporary folder is for its maker only; the server often runs as somebody else.
    chmodSync(folder, 0o755);
    replace(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (!COMPRESSIBLE.test(name) || bytes.length < COMPRESS_FROM_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  }
}

/** Another build may have moved its own into place meanwhile; the later one wins. */
function replace(folder: string): void {
  const old = `${folder}-antigo`;
  try {
    renameSync(DESTINO, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(folder, DESTINO);
  rmSync(old, { recursive: true, force: true });
}

try {
  await build();
} catch (error) {
  if (!process.argv.includes('--opcional')) throw error;
  const { code } = error as NodeJS.ErrnoException;
  console.log(
    code === 'ERR_MODULE_NOT_FOUND'
      ? 'console/dist não foi gerada: o Vite não está instalado (só é preciso para construir o console).'
      : `console/dist não foi gerada; a API funciona sem ela. ${String(error)}`,
  );
}
