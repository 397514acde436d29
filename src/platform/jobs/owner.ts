import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Who holds a lease. The parts let a newcomer tell a dead holder from a slow one without waiting for the lease to
 * lapse: the process run is made once per process start, the thread run once per worker thread.
 */
export interface Owner {
  /** Within one and the same of these, a pid means the same process (`machineHere`). */
  host: string;
  pid: number;
  processRun: string;
  threadRun: string;
}

const SEPARATOR = '|';

/** For the column of a job: `host|pid|process run|thread run`. */
export function formatOwner(owner: Owner): string {
  return [owner.host, owner.pid, owner.processRun, owner.threadRun].join(SEPARATOR);
}

/** Null for what is no owner in that form. */
export function parseOwner(text: string): Owner | null {
  const [host, pid, processRun, threadRun] = text.split(SEPARATOR);
  if (host === undefined || processRun === undefined || threadRun === undefined) return null;
  return { host, pid: Number(pid), processRun, threadRun };
}

/** This thread as an owner. */
export function ownerHere(runs: { processRun: string; threadRun: string }): Owner {
  return { host: machineHere(), pid: process.pid, ...runs };
}

/**
 * Name of the space in which pids are unique: host, start of its kernel, pid namespace. Two containers may be given
 * the same host name, and then the pid of one says nothing about the other; and a pid of before a restart of the
 * machine says nothing at all.
 */
export function machineHere(): string {
  const boot = orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8));
  const namespace = orNothing(() => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '');
  // The separator cannot stand in a legal host name; containers are sometimes given illegal ones.
  return [hostname().replaceAll(SEPARATOR, '-'), boot, namespace].filter((part) => part !== '').join('/');
}

/** Only Linux has these files; elsewhere the host name has to do. */
function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/**
 * What became of the holder of a lease, as seen from `self`:
 * `unknown` – another host, or a process that lives: only the lapse of the lease tells;
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
