/**
 * A queue on a database table, for several processes and many offices. A job is `pronto`, `em_execucao` under a lease
 * (`tomado_por`), `feito` or `falhou`. Every write about a job names its holder, so one who lost the lease without
 * noticing changes nothing. Who takes over from the dead stands in `takeover.ts`.
 *
 * **Turns.** Offices take turns, however many files one of them sends. Each job gets a turn (`vez`) when it comes in:
 * the one behind the last open job of its office, but not before the turn that is being served now. Jobs start in the
 * order of turns, so ten thousand files of one office stand at ten thousand turns, and the first file of another
 * comes with the next ones. One index holds that order: what starting a job costs does not grow with the queue. Only
 * light jobs pass a heavy one that waits for its room: a note must not wait for months of others. Nor does an office that has
 * nothing in work wait for what another has: of places and of room some is for whoever comes anew.
 *
 * **No clock decides who works.** A job is in line or it is put off (`adiado`) until `disponivel_em`. The due time
 * comes from a clock of some host, so one that lies farther ahead than anything is ever put off counts as due.
 */
import { type Generated, type Kysely, sql, type Transaction } from 'kysely';
import { runAsService } from '../db/tenant.ts';
import { formatOwner, type Owner } from './owner.ts';

interface JobTable {
  id: Generated<number>;
  tipo: string;
  arquivo_id: string;
  contador_id: number;
  estado: 'pronto' | 'em_execucao' | 'feito' | 'falhou';
  tentativas: Generated<number>;
  disponivel_em: number;
  tomado_por: string | null;
  erro: string | null;
  vez: Generated<number>;
  adiado: Generated<number>;
  peso: Generated<number>;
  batida: Generated<number>;
}
/** The part of the database that the queue knows: a `Kysely` or a transaction over more tables is one too. */
export type JobDb = Pick<Kysely<{ job: JobTable }>, 'selectFrom' | 'updateTable' | 'insertInto'>;

export const MAX_FAILURES = 3;
/** Wait before the second and the third try. */
export const BACKOFF_MS: readonly number[] = [2_000, 10_000];
/** Wait while the surroundings (a full disk, a locked database) are to blame; such tries are not counted. */
export const SURROUNDINGS_RETRY_MS = 10_000;
/** Nothing is ever put off for so long: a due time beyond it was written by a clock that was wrong. */
const FARTHEST_DUE_MS = 60_000;

/**
 * A job of up to so many bytes (`peso`) is light, as one document is. It takes no room, and passes heavy jobs that wait for
 * theirs. An index holds the light ones that wait (migration 0026).
 */
export const LIGHT_BYTES = 100_000;

export function isLight(peso: number): boolean {
  return peso <= LIGHT_BYTES;
}

/** What `erro` says of a job that was in work when its thread died: one of several, perhaps, and not the cause. */
export const THREAD_DIED = 'thread_encerrada';

/** Whether a thread died over this job: it is then tried with nothing beside it. */
export function isSuspect(erro: string | null): boolean {
  return erro === THREAD_DIED;
}

interface ClaimedJob {
  id: number;
  /** It has the room of those who come anew. */
  novo?: true;
  /** This one included; above `MAX_FAILURES` the job is to be given up unread. */
  tentativas: number;
}

/**
 * A transaction that puts jobs in line. It runs as the service, also for a request of one office: whose turn it is depends
 * on the jobs of all offices.
 * @param contadorId the office whose turn at the database it takes; absent: the service's own
 */
export function puttingInLine<T, R>(
  db: Kysely<T>,
  act: (trx: Transaction<T>) => Promise<R>,
  contadorId?: number,
): Promise<R> {
  return runAsService(() => db.transaction().execute(act), contadorId);
}

/** Puts a job in line, behind those of its office. Call it in the transaction that makes what the job is about (`puttingInLine`). */
export async function addJob(
  db: JobDb,
  input: { tipo: string; arquivoId: string; contadorId: number; pesoBytes: number; now: number },
): Promise<void> {
  await db
    .insertInto('job')
    .values({
      tipo: input.tipo,
      arquivo_id: input.arquivoId,
      contador_id: input.contadorId,
      estado: 'pronto',
      disponivel_em: input.now,
      peso: input.pesoBytes,
      vez: nextTurnOf(input.contadorId),
    })
    .execute();
}

/**
 * The turn of an office's next job. Three looks at the end of an index: the turn that is being served (the latest that
 * runs, else the first that waits), and the last of the office. Two uploads at once may get the same turn, which
 * costs the other offices one place.
 */
function nextTurnOf(contadorId: number) {
  // Literals, since a bound value would hide the partial indexes from SQLite.
  return sql<number>`(
    select case when agora.vez > depois.vez then agora.vez else depois.vez end
    from (select coalesce(
        (select max(vez) from job where estado = 'em_execucao'),
        (select min(vez) from job where estado = 'pronto' and adiado = 0), 0) as vez) as agora,
      (select coalesce(
        (select max(vez) from job where contador_id = ${contadorId} and estado in ('pronto', 'em_execucao')), -1) + 1 as vez) as depois)`;
}

/** Whether anything is due; a look at the ends of two partial indexes. */
export async function hasDueJob(db: JobDb, input: { tipo: string; now: number }): Promise<boolean> {
  const inLine = await db
    .selectFrom('job')
    .select('id')
    .where('estado', '=', sql.lit('pronto'))
    .where('adiado', '=', sql.lit(0))
    .where('tipo', '=', input.tipo)
    .limit(1)
    .executeTakeFirst();
  if (inLine !== undefined) return true;
  const putOff = await db
    .selectFrom('job')
    .select('id')
    .where('estado', '=', sql.lit('pronto'))
    .where('adiado', '=', sql.lit(1))
    .where((eb) =>
      eb.or([eb('disponivel_em', '<=', input.now), eb('disponivel_em', '>', farthest(input.now))]),
    )
    .where('tipo', '=', input.tipo)
    .limit(1)
    .executeTakeFirst();
  return putOff !== undefined;
}

function farthest(now: number): number {
  return now + FARTHEST_DUE_MS;
}

export interface ClaimInput {
  tipo: string;
  owner: Owner;
  now: number;
  /** At most so many jobs. */
  limit: number;
  /** And so many bytes of `peso`; a job that is heavier by itself is taken only when no other heavy one is in work. */
  roomBytes: number;
  /** The heaviest that the holder has in work, those with the room of who comes anew not counted. */
  inWork: 'nothing' | 'light' | 'heavy';
  /** What is shared among offices; absent: nothing is. */
  shares?: Shares;
  /** Jobs that this holder still has in work: should it have lost one, it must not hold it twice. */
  mine?: ReadonlySet<number>;
}

/** What the holder has in work, by office. */
interface Shares {
  /** Jobs of an office. */
  jobsOf(contadorId: number): number;
  /** Whether any of them is heavy. */
  hasHeavy(contadorId: number): boolean;
  /** Room for heavy jobs of offices that have none in work, besides `roomBytes`. */
  newRoomBytes: number;
}

/** Looked at behind the jobs that are wanted: those of an office that has enough in work are passed over. */
const PASSED_OVER = 32;

/**
 * Takes the jobs whose turn it is. Call inside a write transaction: on SQLite it holds the only lock, on PostgreSQL
 * rows that another claims at this moment are passed over.
 */
export async function claimJobs(db: JobDb, input: ClaimInput): Promise<ClaimedJob[]> {
  await bringBackInLine(db, input.now);
  const admission = new Admission(input);
  const limit = input.limit + (input.shares ? PASSED_OVER : 0);
  const inLine = await candidates(db, { ...input, limit }).execute();
  const lightPass = admission.take(inLine);
  if (lightPass && admission.left > 0) {
    const mine = new Set([...(input.mine ?? []), ...admission.ids]);
    const light = await candidates(db, { ...input, limit: admission.left, mine })
      .where('peso', '<=', sql.lit(LIGHT_BYTES))
      .execute();
    admission.take(light);
  }
  const { ids, novos } = admission;
  if (ids.length === 0) return [];
  const claimed = await db
    .updateTable('job')
    .set((eb) => ({
      estado: 'em_execucao' as const,
      tomado_por: formatOwner(input.owner),
      tentativas: eb('tentativas', '+', 1),
      batida: eb('batida', '+', 1),
    }))
    .where('id', 'in', ids)
    .returning(['id', 'tentativas'])
    .execute();
  return claimed.map((job) => (novos.has(job.id) ? { ...job, novo: true } : job));
}

type Candidate = { id: number; peso: number; erro: string | null; contador_id: number };

/** The first ones of the line. */
function candidates(db: JobDb, { tipo, limit, mine = new Set() }: ClaimInput) {
  return (
    db
      .selectFrom('job')
      .select(['id', 'peso', 'erro', 'contador_id'])
      .where('estado', '=', sql.lit('pronto'))
      .where('adiado', '=', sql.lit(0))
      .where('tipo', '=', tipo)
      .$if(mine.size > 0, (others) => others.where('id', 'not in', [...mine]))
      .orderBy('vez')
      .orderBy('id')
      .limit(limit)
      // Two workers that claim at once take different ones.
      .forUpdate()
      .skipLocked()
  );
}

/**
 * Which of the first ones start: up to the room, since a heavy job waits for its place and is not overtaken for ever by
 * others that take its room. A suspect waits until nothing runs and is then the only one, so that the next death speaks
 * against it alone.
 */
class Admission {
  readonly ids: number[] = [];
  /** Those of `ids` that have the room of who comes anew. */
  readonly novos = new Set<number>();
  readonly #input: ClaimInput;
  readonly #taken = new Map<number, number>();
  readonly #heavyTaken = new Set<number>();
  #room: number;
  #newRoom: number;
  #heavyInWork: boolean;
  /** A heavy one waits for room: those behind it do not take it. */
  #blocked = false;

  constructor(input: ClaimInput) {
    this.#input = input;
    this.#room = input.roomBytes;
    this.#newRoom = input.shares?.newRoomBytes ?? 0;
    this.#heavyInWork = input.inWork === 'heavy';
  }

  /** Jobs that may still be taken. */
  get left(): number {
    return this.#input.limit - this.ids.length;
  }

  /** @returns one waits for room, so that light ones behind it may go on */
  take(inLine: readonly Candidate[]): boolean {
    for (const job of inLine) {
      if (this.left <= 0) break;
      if (isSuspect(job.erro)) {
        if (this.#blocked) continue;
        if (this.#input.inWork === 'nothing' && this.ids.length === 0) this.#start(job);
        return false;
      }
      if (!this.#hasPlace(job)) continue;
      if (isLight(job.peso)) this.#start(job);
      else this.#takeHeavy(job);
    }
    return this.#blocked;
  }

  /** An office that has jobs in work gets another place only where as many stay free for others as it then has. */
  #hasPlace({ contador_id }: Candidate): boolean {
    const { shares } = this.#input;
    if (!shares) return true;
    const own = shares.jobsOf(contador_id) + (this.#taken.get(contador_id) ?? 0);
    return own === 0 || this.left - 1 >= own + 1;
  }

  #takeHeavy(job: Candidate): void {
    if (!this.#blocked && (this.#room >= job.peso || !this.#heavyInWork)) {
      this.#room -= job.peso;
      this.#heavyInWork = true;
    } else if (this.#newRoom >= job.peso && this.#isNew(job)) {
      this.#newRoom -= job.peso;
      this.novos.add(job.id);
    } else {
      this.#blocked = true;
      return;
    }
    this.#heavyTaken.add(job.contador_id);
    this.#start(job);
  }

  #isNew({ contador_id }: Candidate): boolean {
    return !this.#heavyTaken.has(contador_id) && this.#input.shares?.hasHeavy(contador_id) === false;
  }

  #start({ id, contador_id }: Candidate): void {
    this.ids.push(id);
    this.#taken.set(contador_id, (this.#taken.get(contador_id) ?? 0) + 1);
  }
}

/** Puts jobs that are due back into the line, at the turn that they had. */
async function bringBackInLine(db: JobDb, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ adiado: 0 })
    .where('estado', '=', sql.lit('pronto'))
    .where('adiado', '=', sql.lit(1))
    .where((eb) => eb.or([eb('disponivel_em', '<=', now), eb('disponivel_em', '>', farthest(now))]))
    .execute();
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
  return endLease(db, input, { ...backAfter(waitMs, input.now), erro: input.erro });
}

/** Puts a job back without counting the try: the process is stopping, or its surroundings fail. */
export async function returnJob(
  db: JobDb,
  input: { id: number; owner: Owner; now: number; waitMs: number; tentativas: number },
): Promise<boolean> {
  const tentativas = Math.max(0, input.tentativas - 1);
  return endLease(db, input, { ...backAfter(input.waitMs, input.now), tentativas });
}

/** The state of a job that is put back, at once or after a wait; it keeps its turn. */
export function backAfter(waitMs: number, now: number) {
  return { estado: 'pronto' as const, disponivel_em: now + waitMs, adiado: waitMs > 0 ? 1 : 0 };
}

async function endLease(
  db: JobDb,
  input: { id: number; owner: Owner },
  change: Partial<{
    estado: JobTable['estado'];
    disponivel_em: number;
    adiado: number;
    tentativas: number;
    erro: string | null;
  }>,
): Promise<boolean> {
  const rows = await db
    .updateTable('job')
    .set({ ...change, tomado_por: null })
    .where('id', '=', input.id)
    .where('estado', '=', 'em_execucao')
    .where('tomado_por', '=', formatOwner(input.owner))
    .returning('id')
    .execute();
  return rows.length === 1;
}

/**
 * How many jobs wait or run, counted up to `upTo`, of all offices or of one; as many index entries as it returns.
 */
export async function countOpenJobs(
  db: JobDb,
  input: { upTo: number; contadorId?: number },
): Promise<number> {
  const { contadorId } = input;
  const row = await db
    .selectFrom((eb) => {
      const open = eb
        .selectFrom('job')
        .select('vez')
        .where('estado', 'in', sql<JobTable['estado']>`('pronto', 'em_execucao')`)
        .limit(input.upTo);
      return (contadorId === undefined ? open : open.where('contador_id', '=', contadorId)).as('abertos');
    })
    .select((eb) => eb.fn.countAll<number>().as('quantos'))
    .executeTakeFirst();
  return Number(row?.quantos ?? 0);
}

/** When the job whose turn is next was put in line (ms UTC); null when none waits. One look at an index. */
export async function oldestWaiting(db: JobDb): Promise<number | null> {
  const row = await db
    .selectFrom('job')
    .select('disponivel_em')
    .where('estado', '=', sql.lit('pronto'))
    .where('adiado', '=', sql.lit(0))
    .orderBy('vez')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : Number(row.disponivel_em);
}
