import { hostname } from 'node:os';

/**
 * Who holds a lease. The parts let a newcomer tell a dead holder from a slow one without waiting for the lease to
 * lapse: the process run is made once per process start, the thread run once per worker thread.
 */
export interface Owner {
  host: string;
  pid: number;
  processRun: string;
  threadRun: string;
}

const SEPARATOR = '|';

export function formatOwner(owner: Owner): string {
  return [owner.host, owner.pid, owner.processRun, owner.threadRun].join(SEPARATOR);
}

export function parseOwner(text: string): Owner | null {
  const [host, pid, processRun, threadRun] = text.split(SEPARATOR);
  if (host === undefined || processRun === undefined || threadRun === undefined) return null;
  return { host, pid: Number(pid), processRun, threadRun };
}

/** This thread as an owner. */
export function ownerHere(runs: { processRun: string; threadRun: string }): Owner {
  // The separator cannot stand in a legal host name; containers are sometimes given illegal ones.
  return { host: hostname().replaceAll(SEPARATOR, '-'), pid: process.pid, ...runs };
}

/**
 * What became of the holder of a lease, as seen from `self`:
 * `unknown` – another host, or a process that lives: only the lease's end tells;
 * `process_died` – its process is gone (or its pid is ours now): the work was interrupted from outside;
 * `thread_died` – a thread of this very process ended while it held the job: the job itself is the suspect.
 */
export function fateOf(
  holder: string | null,
  self: Owner,
  isAlive: (pid: number) => boolean = processIsAlive,
): 'unknown' | 'process_died' | 'thread_died' {
  const owner = holder === null ? null : parseOwner(holder);
  if (owner === null || owner.host !== self.host) return 'unknown';
  if (owner.processRun === self.processRun)
    return owner.threadRun === self.threadRun ? 'unknown' : 'thread_died';
  if (owner.pid === self.pid || !isAlive(owner.pid)) return 'process_died';
  return 'unknown';
}

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
