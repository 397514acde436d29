// How V8 is set for the service, and where what it has compiled is kept. In plain JavaScript, like the entry point.
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of Node: the one that npm installs with the project. */
export const MINIMUM_MAJOR = 24;
export const NODE_MAJOR = Number(process.versions.node.split('.')[0]);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * - Each thread collects its young garbage by itself: V8 would share that work out to threads of its own, which on cores that
 *   are all at work cost an import a tenth of its time.
 * - It keeps 8 MB of it (and as much to move it to), where V8 would keep twice that: a hundred megabytes of a thousand uploads
 *   at once.
 * - Old garbage is collected when there is as much of it as of what is alive: V8 would let it grow to three times that. With
 *   twice as much and 16 MB of young garbage an import takes a tenth less, and eight at once a hundred megabytes more.
 * - And it may be collected by who knows when (`src/platform/threads/collect-garbage.ts`).
 */
export const ENGINE = [
  '--no-parallel-scavenge',
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--expose-gc',
];

/**
 * How glibc's allocator treats the memory of many threads, before its first thread starts: it otherwise keeps much of what
 * the threads of an import have given back (a fifth of the service's memory at its peak). Whoever sets one of them is left
 * alone; elsewhere they mean nothing.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  // What comes in from a connection comes in pieces of 64 KB, the first one shorter by its headers: held between small ones,
  // hundreds of them would stay for good.
  MALLOC_MMAP_THRESHOLD_: '49152',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** What the service is started with here. An engine of another version may not know the settings, and would not start. */
export function engineSettings() {
  return process.platform === 'linux' && NODE_MAJOR === MINIMUM_MAJOR ? ENGINE : [];
}

/**
 * What has been compiled once is kept beside the packages, for the next start: a third less time, and less memory. Never
 * in the shared temporary folder, where others could put code for us to run. Where nothing may be written nothing is kept.
 */
export function keepCompiled() {
  const folder = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'malote');
  module.enableCompileCache(folder);
  // The threads that this one starts look here.
  process.env.NODE_COMPILE_CACHE = folder;
}
