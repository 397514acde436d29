/**
 * A queue on a database table. A job is `pronto` (due at `disponivel_em`), `em_execucao` under a lease
 * (`tomado_por`, `tomado_ate`), `feito` or `falhou`. Whoever holds a lease renews it; every write about a job names
 * its holder, so one who lost the lease without noticing changes nothing.
 *
 * Two reasons for a second try are kept apart. A *failure* (an exception, the death of the thread) speaks against
 * the job: after `MAX_FAILURES` it is given up. An *interruption* (the process was killed, the machine lost
 * power) says nothing about it, so the try is given back; only a job that was interrupted `MAX_INTERRUPTIONS` times
 * in a row without any progress is suspected of bringing the process down.
 */
import { type Generated, type Kysely, sql } from 'kysely';
import { fateOf, formatOwner, type Owner } from './owner.ts';

interface JobTable {
  id: Generated<number>;
  tipo: string;
  estado: 'pronto' | 'em_execucao' | 'feito' | 'falhou';
  tentativas: number;
  disponivel_em: number;
  tomado_por: string | null;
  tomado_ate: number | null;
  erro: string | null;
}
/** The part of the database that the queue knows: a `Kysely` or a transaction over more tables is one too. */
export type JobDb = Pick<Kysely<{ job: JobTable }>, 'selectFrom' | 'updateTable'>;

/** Long enough for a stalled disk, short enough that a dead host's files are taken up within half a minute. */
export const LEASE_MS = 30_000;
/** Three renewals fit into a lease. */
export const HEARTBEAT_MS = 10_000;
export const MAX_FAILURES = 3;
/**
 * Giving up a good file is the worse failure: whoever restarts or kills the service often (a host that keeps running
 * out of memory, a campaign of kills) would find sound files refused. A file that itself brings the process down
 * costs this many restarts, during which the others go first.
 */
export const MAX_INTERRUPTIONS = 100;
/** From the fourth interruption in a row on, a job lets the others go first: this much for each, at most ten times. */
const INTERRUPTED_WAIT_MS = 300;
const INTERRUPTED_FREELY = 3;
const INTERRUPTED_WAITS = 10;
/** Wait before the second and the third try. */
export const BACKOFF_MS: readonly number[] = [2_000, 10_000];
/** Wait while the surroundings (a full disk, a locked database) are to blame; such tries are not counted. */
export const SURROUNDINGS_RETRY_MS = 10_000;

const INTERRUPTED = /^interrompida (\d+)$/;

export interface ClaimedJob {
  id: number;
  /** This one included; above `MAX_FAILURES` the job is to be given up unread. */
  tentativas: number;
}

/** Whether anything is due; index `job_disponivel`, one row. */
export async function hasDueJob(db: JobDb, input: { tipo: string; now: number }): Promise<boolean> {
  const row = await db
    .selectFrom('job')
    .select('id')
    .where('estado', '=', sql.lit('pronto'))
    .where('disponivel_em', '<=', input.now)
    .where('tipo', '=', input.tipo)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes due jobs, oldest first; index `job_disponivel`. Call inside a transaction that begins immediate. */
export async function claimJobs(
  db: JobDb,
  input: { tipo: string; owner: Owner; now: number; limit: number },
): Promise<ClaimedJob[]> {
  return db
    .updateTable('job')
    .set((eb) => ({
      estado: 'em_execucao' as const,
      tomado_por: formatOwner(input.owner),
      tomado_ate: input.now + LEASE_MS,
      tentativas: eb('tentativas', '+', 1),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('job')
        .select('id')
        // A literal, since a bound value would hide the partial index from SQLite.
        .where('estado', '=', sql.lit('pronto'))
        .where('disponivel_em', '<=', input.now)
        .where('tipo', '=', input.tipo)
        .orderBy('disponivel_em')
        .orderBy('id')
        .limit(input.limit)
        // Two workers that claim at once take different ones.
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'tentativas'])
    .execute();
}

/** Prolongs leases. @returns the ids that are still held; the others were lost */
export async function renewLeases(
  db: JobDb,
  input: { ids: readonly number[]; owner: Owner; now: number },
): Promise<number[]> {
  if (input.ids.length === 0) return [];
  const rows = await db
    .updateTable('job')
    .set({ tomado_ate: input.now + LEASE_MS })
    .where('id', 'in', input.ids)
    .where('estado', '=', 'em_execucao')
    .where('tomado_por', '=', formatOwner(input.owner))
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Ends a job well. Call inside the transaction of its last result. @returns false when the lease was lost */
export async function finishJob(db: JobDb, input: { id: number; owner: Owner }): Promise<boolean> {
  return endLease(db, input, { estado: 'feito', erro: null });
}

/** Gives a job up. @returns false when the lease was lost */
export async function abandonJob(
  db: JobDb,
  input: { id: number; owner: Owner; erro: string },
): Promise<boolean> {
  return endLease(db, input, { estado: 'falhou', erro: input.erro });
}

/** Puts a job back after a failure; it is due again after a wait that grows with the tries. */
export async function retryJob(
  db: JobDb,
  input: { id: number; owner: Owner; now: number; tentativas: number; erro: string },
): Promise<boolean> {
  const waitMs = BACKOFF_MS[input.tentativas - 1] ?? BACKOFF_MS.at(-1) ?? 0;
  return endLease(db, input, { estado: 'pronto', disponivel_em: input.now + waitMs, erro: input.erro });
}

/** Puts a job back without counting the try: the process is stopping, or its surroundings fail. */
export async function returnJob(
  db: JobDb,
  input: { id: number; owner: Owner; dueAt: number; tentativas: number },
): Promise<boolean> {
  return endLease(db, input, {
    estado: 'pronto',
    disponivel_em: input.dueAt,
    tentativas: Math.max(0, input.tentativas - 1),
  });
}

async function endLease(
  db: JobDb,
  input: { id: number; owner: Owner },
  change: Partial<{
    estado: JobTable['estado'];
    disponivel_em: number;
    tentativas: number;
    erro: string | null;
  }>,
): Promise<boolean> {
  const rows = await db
    .updateTable('job')
    .set({ ...change, tomado_por: null, tomado_ate: null })
    .where('id', '=', input.id)
    .where('estado', '=', 'em_execucao')
    .where('tomado_por', '=', formatOwner(input.owner))
    .returning('id')
    .execute();
  return rows.length === 1;
}

/**
 * Frees the jobs of dead holders at once, and of silent ones when their lease has lapsed; index `job_tomado`, as
 * many rows as jobs are running. `mine` are jobs this thread is working on. @returns how many were freed
 */
export async function takeOverJobs(
  db: JobDb,
  input: { owner: Owner; now: number; mine?: ReadonlySet<number>; isAlive?: (pid: number) => boolean },
): Promise<number> {
  const held = await db
    .selectFrom('job')
    .select(['id', 'tomado_por', 'tomado_ate', 'tentativas', 'erro'])
    .where('estado', '=', sql.lit('em_execucao'))
    .execute();
  let freed = 0;
  for (const job of held) {
    if (input.mine?.has(job.id)) continue;
    const fate = fateOf(job.tomado_por, input.owner, input.isAlive);
    const lapsed = (job.tomado_ate ?? 0) < input.now;
    if (fate === 'unknown' && !lapsed) continue;
    const rows = await db
      .updateTable('job')
      .set({
        estado: 'pronto',
        tomado_por: null,
        tomado_ate: null,
        ...(fate === 'thread_died'
          ? { erro: 'thread_encerrada', disponivel_em: input.now }
          : afterInterruption(job, input.now)),
      })
      .where('id', '=', job.id)
      .where('estado', '=', 'em_execucao')
      // Whoever renewed or ended the lease since it was read keeps it.
      .where('tomado_por', '=', job.tomado_por ?? '')
      .where('tomado_ate', '=', job.tomado_ate ?? 0)
      .returning('id')
      .execute();
    freed += rows.length;
  }
  return freed;
}

/** An interrupted try is given back, unless it happens again and again. */
function afterInterruption(
  job: { tentativas: number; erro: string | null },
  now: number,
): { tentativas: number; erro: string; disponivel_em: number } {
  const times = Number(INTERRUPTED.exec(job.erro ?? '')?.[1] ?? 0) + 1;
  const suspect = times >= MAX_INTERRUPTIONS;
  const waits = Math.min(Math.max(0, times - INTERRUPTED_FREELY), INTERRUPTED_WAITS);
  return {
    disponivel_em: now + waits * INTERRUPTED_WAIT_MS,
    tentativas: suspect ? MAX_FAILURES : Math.max(0, job.tentativas - 1),
    erro: `interrompida ${times}`,
  };
}
