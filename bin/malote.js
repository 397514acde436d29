#!/usr/bin/env node
// Entry point in plain JavaScript, so that it also runs on an old Node: it finds a Node 24 (the one that npm
// installed with the project, else the host's own) and hands over to the TypeScript program.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MINIMUM_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Path of the Node binary that npm's platform package brought, or null where none fits this host. */
function bundledNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

/**
 * What has been compiled once is kept beside the packages, for the next start: a third less time, and less memory. Never
 * in the shared temporary folder, where others could put code for us to run. Where nothing may be written nothing is kept.
 */
function keepCompiled() {
  const folder = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'malote');
  module.enableCompileCache(folder);
  // The threads that this one starts look here.
  process.env.NODE_COMPILE_CACHE = folder;
}

/**
 * How glibc's allocator treats the memory of many threads, before its first thread starts: it otherwise keeps much of what
 * the threads of an import have given back (a fifth of the service's memory at its peak). Whoever sets one of them is left
 * alone; elsewhere they mean nothing.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  // What comes in from a connection comes in pieces of 64 KB, the first one shorter by its headers: held between small ones,
  // hundreds of them would stay for good.
  MALLOC_MMAP_THRESHOLD_: '49152',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Each thread collects its young garbage by itself: V8 would share that work out to threads of its own, which on cores that
 * are all at work cost an import a tenth of its time. And the thread that serves HTTP keeps as little of it as the others
 * (half of THREAD_JOVEM_MB, which this setting would otherwise overrule): a thousand uploads at once would else take 100 MB
 * more. Old garbage is collected when there is as much of it as of what is alive: V8 would let it grow to three times that,
 * 50 MB for the same uploads. Collected at a third already, it costs the first reading of pages a third of its speed. While
 * one file is imported by itself there may be twice as much (`old-garbage.ts`).
 * The slow compiler is for what runs ten times as often as V8 thinks: loops come there at once, while the thousands of
 * functions that its fast compiler has done well enough would each cost the first minutes of a process. In the rehearsal after
 * the start it comes sooner (`slow-compiler.ts`): else what runs once a document comes in the fourth and fifth import of 5,000,
 * a tenth of its time. Not during real work: who reads pages would wait for what these need.
 */
const ENGINE = [
  '--no-parallel-scavenge',
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--invocation-count-for-turbofan=30000',
];

/** The service goes on in this very process, begun anew with settings that are read only once. */
function withProcessSettings() {
  const wanted = process.platform === 'linux' && process.argv[2] === 'servir';
  if (!wanted || Object.keys(ALLOCATOR).some((name) => name in process.env)) return;
  // An engine of another version may not know its settings, and would not start.
  const engine = major === MINIMUM_MAJOR ? ENGINE : [];
  const args = [process.execPath, ...engine, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, ...ALLOCATOR });
}

const major = Number(process.versions.node.split('.')[0]);
if (major < MINIMUM_MAJOR) {
  const node = process.env.MALOTE_NODE_REEXEC ? null : bundledNode();
  if (!node) {
    console.error(
      `O Malote precisa do Node ${MINIMUM_MAJOR} ou mais novo; este é o ${process.versions.node}. ` +
        'Rode "npm ci" para instalar o Node que acompanha o projeto, ou atualize o Node deste computador.',
    );
    process.exit(1);
  }
  const child = spawn(node, [...ENGINE, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...ALLOCATOR, ...process.env, MALOTE_NODE_REEXEC: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
} else {
  withProcessSettings();
  keepCompiled();
  // A published package is compiled into dist/, because Node does not strip types below node_modules.
  const source = join(root, 'src', 'main.ts');
  await import(pathToFileURL(existsSync(source) ? source : join(root, 'dist', 'main.js')).href);
}
