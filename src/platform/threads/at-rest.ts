import { setTimeout as sleep } from 'node:timers/promises';

/** So long is looked at, and so much of a core may the process need meanwhile. */
const WATCH_MS = 250;
const AT_REST_SHARE = 0.3;

/**
 * Whether the process has hardly anything to do; it is told a quarter of a second later. What can wait begins then, since
 * it would hold up who reads pages.
 * @param wait ends early when nobody wants to know any more
 */
export async function isAtRest(wait: (ms: number) => Promise<unknown> = sleep): Promise<boolean> {
  const before = process.cpuUsage();
  await wait(WATCH_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 <= WATCH_MS * AT_REST_SHARE;
}
