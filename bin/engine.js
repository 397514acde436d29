// How V8 is set for the service, and where what it has compiled is kept. In plain JavaScript, like the entry point.
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

/** Of Node: the one that npm installs with the project. */
export const MINIMUM_MAJOR = 24;
export const NODE_MAJOR = Number(process.versions.node.split('.')[0]);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const YOUNG_SPACE = '--max-semi-space-size';

/**
 * Each thread collects its young garbage by itself: V8 would share that work out to threads of its own, which on cores that
 * are all at work cost an import a tenth of its time. And the thread that serves HTTP keeps 8 MB of it (and as much to move it
 * to): a thousand uploads at once would else take 100 MB more. Old garbage is collected when there is as much of it as of what
 * is alive: V8 would let it grow to three times that, 50 MB for the same uploads. Collected at a third already, it costs the
 * first reading of pages a third of its speed. While one file is imported by itself there may be twice as much
 * (`old-garbage.ts`).
 * The slow compiler is for what runs ten times as often as V8 thinks: loops come there at once, while the thousands of
 * functions that its fast compiler has done well enough would each cost the first minutes of a process.
 */
export const ENGINE = [
  '--no-parallel-scavenge',
  `${YOUNG_SPACE}=8`,
  '--heap-growing-percent=100',
  '--invocation-count-for-turbofan=30000',
];

/** What the service is started with here. An engine of another version may not know the settings, and would not start. */
export function engineSettings() {
  return process.platform === 'linux' && NODE_MAJOR === MINIMUM_MAJOR ? ENGINE : [];
}

/**
 * The other threads say themselves how much young garbage they keep, which the setting would overrule: the heap of this one is
 * made, so it has done its work. Before anything is loaded, since V8 takes compiled code only under the settings it was kept under.
 */
export function leaveYoungSpaceToThreads() {
  if (process.execArgv.some((arg) => arg.startsWith(`${YOUNG_SPACE}=`)))
    v8.setFlagsFromString(`${YOUNG_SPACE}=0`);
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
