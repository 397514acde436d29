/**
 * After an install each source of the server loses its types once, into the folder where Node keeps what it has compiled
 * (`bin/engine.js`). Else the first server does so, in each of its threads: it starts half a second later and takes 40 MB more
 * at its peak, and one that is killed leaves all of it to the next. Never fails: what is missing is made when it is wanted.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { engineSettings, keepCompiled } from '../bin/engine.js';

/** Started anew with the settings of the server: what Node compiles under others it keeps in another folder. */
const MARK = '--como-o-servidor';
const SOURCE = join(dirname(import.meta.dirname), 'src');
/** It runs as soon as it is loaded, so it comes last. */
const PROGRAM = join(SOURCE, 'main.ts');
const HARMLESS = '--versao';

const isOfServer = (path: string) =>
  path.endsWith('.ts') && !/(\.test|-testing|-de-teste)\.ts$/.test(path) && path !== PROGRAM;

/** Piscina asks for what its threads run as for CommonJS, which Node keeps under another name. */
const isTask = (path: string) => /^export default /m.test(readFileSync(path, 'utf8'));
const require = createRequire(import.meta.url);

async function load(path: string): Promise<void> {
  try {
    await import(pathToFileURL(path).href);
    if (isTask(path)) require(path);
  } catch {
    // The server that needs it will say why.
  }
}

async function loadAll(): Promise<void> {
  keepCompiled();
  for (const entry of readdirSync(SOURCE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && isOfServer(path)) await load(path);
  }
  process.argv = [process.execPath, PROGRAM, HARMLESS];
  await load(PROGRAM);
  module.flushCompileCache();
}

if (process.argv.includes(MARK)) {
  await loadAll();
  // Nothing was begun; a module may hold something open.
  process.exit();
}
spawnSync(process.execPath, [...engineSettings(), import.meta.filename, MARK], { stdio: 'ignore' });
