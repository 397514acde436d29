/**
 * What happens to the jobs of those who died, hang, or lost their network. A holder shows that it lives by counting
 * `batida` up. Everybody else watches the counts of the running jobs with a clock of its own that only runs forward:
 * one that has stood still for `LEASE_MS` is free. So no two clocks are ever compared, and a host whose time jumps
 * or is hours off neither steals a job nor holds one for ever.
 *
 * Two reasons for a second try are kept apart. A *failure* (an exception, the death of the thread) speaks against
 * the job: after `MAX_FAILURES` it is given up. An *interruption* (the process was killed, the machine lost
 * power) says nothing about it, so the try is given back; only a job that was interrupted `MAX_INTERRUPTIONS` times
 * in a row without any progress is suspected of bringing the process down.
 */
import { sql } from 'kysely';
import { fateOf, formatOwner, type Owner } from './owner.ts';
import { backAfter, type JobDb, MAX_FAILURES, THREAD_DIED } from './queue.ts';

/** Long enough for a stalled disk; with one look more, a dead host's files are taken up within half a minute. */
export const LEASE_MS = 20_000;
/** Signs of life, and looks at those of others: four fit into a lease. */
export const HEARTBEAT_MS = 5_000;
/**
 * Giving up a good file is the worse failure. With a small number, sound files would be refused where the service is
 * restarted or killed often (a host that keeps running out of memory, a campaign of kills on a slow machine). A file that
 * itself brings the process down costs this many restarts, fewer and fewer of them in an hour, while the others go first.
 */
export const MAX_INTERRUPTIONS = 300;
/** From the fourth interruption in a row on, a job lets the others go first: this much for each, up to 20 s. */
const INTERRUPTED_WAIT_MS = 300;
const INTERRUPTED_FREELY = 3;
const INTERRUPTED_WAIT_MAX_MS = 20_000;

const INTERRUPTED = /^interrompida (\d+)$/;

interface HeldJob {
  id: number;
  tomado_por: string | null;
  tentativas: number;
  erro: string | null;
  batida: number;
}

/** Remembers since when the holder of each running job (or of other work that is kept so) has shown no sign of life. */
export class LeaseWatch<Id = number> {
  readonly #monotonic: () => number;
  #seen = new Map<Id, { holder: string | null; batida: number; sinceMs: number }>();

  /** @param monotonic milliseconds of a clock that never jumps; only tests replace it */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Looks at all running jobs. @returns the ids whose lease has lapsed */
  look(held: readonly { id: Id; tomado_por: string | null; batida: number }[]): Set<Id> {
    const nowMs = this.#monotonic();
    const seen = new Map<Id, { holder: string | null; batida: number; sinceMs: number }>();
    const lapsed = new Set<Id>();
    for (const { id, tomado_por: holder, batida } of held) {
      const before = this.#seen.get(id);
      const same = before !== undefined && before.holder === holder && before.batida === batida;
      const sinceMs = same ? before.sinceMs : nowMs;
      seen.set(id, { holder, batida, sinceMs });
      if (nowMs - sinceMs >= LEASE_MS) lapsed.add(id);
    }
    this.#seen = seen;
    return lapsed;
  }
}

/**
 * Shows that the holder lives. A job whose row a transaction of this moment writes is not waited for: its commit counts
 * `batida` up too, and over a slow network the others would lapse meanwhile.
 * @returns the ids that are still held; the others were lost
 */
export async function renewLeases(
  db: JobDb,
  input: { ids: readonly number[]; owner: Owner },
): Promise<number[]> {
  if (input.ids.length === 0) return [];
  const free = heldBy(db, input).forUpdate().skipLocked();
  const renewed = await db
    .updateTable('job')
    .set((eb) => ({ batida: eb('batida', '+', 1) }))
    .where('id', 'in', free)
    .returning('id')
    .execute();
  const rows = renewed.length === input.ids.length ? renewed : await heldBy(db, input).execute();
  return rows.map((row) => row.id);
}

function heldBy(db: JobDb, { ids, owner }: { ids: readonly number[]; owner: Owner }) {
  return db
    .selectFrom('job')
    .select('id')
    .where('id', 'in', ids)
    .where('estado', '=', 'em_execucao')
    .where('tomado_por', '=', formatOwner(owner));
}

/**
 * Frees the jobs of dead holders at once, and of silent ones when their lease has lapsed; index `job_em_execucao`,
 * as many rows as jobs are running. `mine` are jobs this thread is working on. @returns how many were freed
 */
export async function takeOverJobs(
  db: JobDb,
  input: {
    owner: Owner;
    now: number;
    watch: LeaseWatch;
    mine?: ReadonlySet<number>;
    isAlive?: (pid: number) => boolean;
  },
): Promise<number> {
  const held = await db
    .selectFrom('job')
    .select(['id', 'tomado_por', 'tentativas', 'erro', 'batida'])
    // A literal, since a bound value would hide the partial index from SQLite.
    .where('estado', '=', sql.lit('em_execucao'))
    .execute();
  const lapsed = input.watch.look(held);
  let freed = 0;
  for (const job of held) {
    if (input.mine?.has(job.id)) continue;
    const fate = fateOf(job.tomado_por, input.owner, input.isAlive);
    if (fate === 'unknown' && !lapsed.has(job.id)) continue;
    if (await free(db, { job, fate, now: input.now })) freed += 1;
  }
  return freed;
}

/** Whoever gave a sign of life or ended the lease since it was read keeps it. */
async function free(
  db: JobDb,
  { job, fate, now }: { job: HeldJob; fate: ReturnType<typeof fateOf>; now: number },
): Promise<boolean> {
  const change =
    fate === 'thread_died' ? { ...backAfter(0, now), erro: THREAD_DIED } : afterInterruption(job, now);
  const rows = await db
    .updateTable('job')
    .set({ ...change, tomado_por: null })
    .where('id', '=', job.id)
    .where('estado', '=', 'em_execucao')
    .where('tomado_por', '=', job.tomado_por ?? '')
    .where('batida', '=', job.batida)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** An interrupted try is given back, unless it happens again and again. */
function afterInterruption(job: HeldJob, now: number) {
  const times = Number(INTERRUPTED.exec(job.erro ?? '')?.[1] ?? 0) + 1;
  const suspect = times >= MAX_INTERRUPTIONS;
  const wait = Math.max(0, times - INTERRUPTED_FREELY) * INTERRUPTED_WAIT_MS;
  return {
    ...backAfter(Math.min(wait, INTERRUPTED_WAIT_MAX_MS), now),
    tentativas: suspect ? MAX_FAILURES : Math.max(0, job.tentativas - 1),
    erro: `interrompida ${times}`,
  };
}
