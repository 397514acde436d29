/**
 * Bounds what one caller may do at a time, so that others are served as well. By default nobody is refused: a number of
 * requests of each caller is in work, and more wait in turn. Where an operator sets a limit (`MALOTE_LIMITE_MINUTO`), a
 * request over it waits before it is refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { limiteExcedido } from './errors.ts';
import { type Contagem, Janelas } from './janelas.ts';
import { AnswerPlaces } from './places.ts';

/** Requests of one caller, each from the moment when the caller is known until the answer is through. */
const IN_WORK = 64;
/** Longer than this no request waits for those before it. */
const TURN_WAIT_MS = 30_000;
/** Nor does it wait longer than this for a limit. A caller that sends one request at a time is then rarely refused. */
const LIMIT_WAIT_MS = 5_000;
const WINDOW_SECONDS = 60;
/**
 * Up to this part of the quota a process counts by itself and tells the others twice a second. Above it, it asks with each
 * request, so that the quota is one for all processes. Callers that stay far below it cost nothing.
 */
const ALONE_PART = 1 / 4;

/** What is left to a key; as headers, and for how long nothing is left. */
export interface Saldo {
  policy: string;
  left: string;
  waitMs: number | null;
}

/** Counts one request of a key. Null where there is no limit; at once where nobody has to be asked. */
export type Counter = (key: string) => Saldo | null | Promise<Saldo | null>;

/**
 * Lets one request in: writes the `RateLimit` headers, and waits for its turn.
 * @param input.who whose it is
 * @param input.area limits of areas are counted apart: a long upload must not cost anybody his reading
 * @throws limite_excedido, NoPlace
 */
export type Admit = (input: { who: string; area: string; reply: FastifyReply }) => Promise<void>;

/** The requests in work of all callers; one for the process. */
export function requestsInWork(options: { each?: number; waitMs?: number } = {}): AnswerPlaces {
  const { each = IN_WORK, waitMs = TURN_WAIT_MS } = options;
  return new AnswerPlaces({ capacity: Number.POSITIVE_INFINITY, each, waitMs });
}

/**
 * Counts requests per key in windows of a minute.
 * @param options.janelas where several processes count together; absent: in the memory of this one
 * @fonte draft-ietf-httpapi-ratelimit-headers-11
 */
export function createCounter(options: { requestsPerMinute: number; janelas?: Janelas }): Counter {
  const quota = options.requestsPerMinute;
  if (quota === 0) return () => null;
  const janelas = options.janelas ?? new Janelas(null);
  const policy = `"token";q=${quota};w=${WINDOW_SECONDS}`;
  const saldoOf = ({ quantos, restamMs }: Contagem): Saldo => {
    const secondsLeft = Math.max(1, Math.ceil(restamMs / 1_000));
    const left = `"token";r=${Math.max(0, quota - quantos)};t=${secondsLeft}`;
    return { policy, left, waitMs: quantos > quota ? restamMs : null };
  };
  return (key) => {
    const chave = `pedido/${key}`;
    const state = janelas.add(chave);
    if (!janelas.shared || state.quantos <= quota * ALONE_PART) return saldoOf(state);
    return janelas
      .tell()
      .catch(() => {})
      .then(() => janelas.read([chave], Number.POSITIVE_INFINITY))
      .then(([told]) => saldoOf(told ?? state));
  };
}

/** Joins both: the limit, where there is one, and the turns. */
export function admitter(parts: { contar: Counter; inWork: AnswerPlaces; limitWaitMs?: number }): Admit {
  const { contar, inWork, limitWaitMs = LIMIT_WAIT_MS } = parts;
  return async ({ who, area, reply }) => {
    const saldo = await countWaiting(contar, { key: keyOf(area, who), limitWaitMs });
    if (saldo) {
      reply.header('ratelimit-policy', saldo.policy);
      reply.header('ratelimit', saldo.left);
      if (saldo.waitMs !== null) throw limiteExcedido(Math.ceil(saldo.waitMs / 1_000));
    }
    await inWork.enter(reply.raw, who);
  };
}

/** What requests of a caller in an area are counted under. */
export function keyOf(area: string, who: string): string {
  return `${area}/${who}`;
}

async function countWaiting(
  contar: Counter,
  { key, limitWaitMs }: { key: string; limitWaitMs: number },
): Promise<Saldo | null> {
  const saldo = await contar(key);
  if (!saldo || saldo.waitMs === null) return saldo;
  await sleep(Math.min(saldo.waitMs, limitWaitMs));
  if (saldo.waitMs <= limitWaitMs) return contar(key);
  return { ...saldo, waitMs: saldo.waitMs - limitWaitMs };
}
