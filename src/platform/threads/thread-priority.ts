import { getPriority, setPriority } from 'node:os';

/**
 * Makes the calling thread yield to those of ordinary priority. Where there are as many readers as cores, the thread that
 * serves HTTP would else wait its turn for tens of milliseconds. On Linux `setpriority` of 0 concerns the calling thread
 * alone; elsewhere it would slow the whole process, so nothing is done there.
 *
 * @param nice 1 (a little) to 19 (only when nobody else wants to run)
 */
export function yieldToOtherThreads(nice: number): void {
  if (process.platform !== 'linux') return;
  try {
    // A process that was started to yield more goes on so: root could take it back.
    if (getPriority(0) < nice) setPriority(0, nice);
  } catch {
    // A sandbox may forbid it; the thread works all the same.
  }
}
