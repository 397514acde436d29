import { readFileSync } from 'node:fs';

/** So long is looked at, and more than this share of it makes the main thread busy. */
const WATCH_MS = 20;
const BUSY_SHARE = 0.5;
/** What lies longer back says nothing of now: nobody asked meanwhile. */
const WATCH_MS_MAX = 250;

/**
 * For other threads: whether the thread that answers requests has hardly a pause. What can wait is broken off then: where
 * there are fewer cores than threads it costs readers of pages tens of milliseconds, whatever its priority.
 * @param needed what the main thread has needed so far, milliseconds; null where the system does not tell
 * @returns to be asked again and again. It tells of the time since it was last asked, of 20 ms at least. Not busy when that
 * is long ago, and never where the system does not tell
 */
export function watchMainThread(needed = neededByMainThread, now = () => performance.now()): () => boolean {
  let since = now();
  let before = needed();
  let busy = false;
  return () => {
    const passed = now() - since;
    if (passed < WATCH_MS) return busy;
    const [earlier, used] = [before, needed()];
    const tells = earlier !== null && used !== null && passed <= WATCH_MS_MAX;
    busy = tells && used - earlier > passed * BUSY_SHARE;
    since += passed;
    before = used;
    return busy;
  };
}

/** Linux, whose first thread has the number of the process: nanoseconds on a processor come first. */
function neededByMainThread(): number | null {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}
