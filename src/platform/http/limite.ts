import type { FastifyReply } from 'fastify';
import { limiteExcedido } from './errors.ts';
import { type Contagem, Janelas } from './janelas.ts';

const WINDOW_SECONDS = 60;
/**
 * Up to this part of the quota a process counts by itself and tells the others twice a second; above it, it asks with
 * each request: so the quota is one for all processes, and those who stay far below it cost nothing.
 */
const ALONE_PART = 1 / 4;

/** What is left to a key; as headers, and seconds to wait once nothing is left. */
export interface Saldo {
  policy: string;
  left: string;
  waitSeconds: number | null;
}

/** Counts one request of a key. Null where there is no limit; at once where nobody has to be asked. */
export type Contador = (key: string) => Saldo | null | Promise<Saldo | null>;

/** Counts one request of a key and writes the `RateLimit` headers. @throws limite_excedido */
export type RateLimit = (input: { key: string; reply: FastifyReply }) => Promise<void>;

/**
 * Counts requests per key in windows of a minute.
 * @param options.janelas where several processes count together; absent: in the memory of this one
 * @fonte draft-ietf-httpapi-ratelimit-headers-11 (trust A5)
 */
export function createContador(options: { requestsPerMinute: number; janelas?: Janelas }): Contador {
  const quota = options.requestsPerMinute;
  if (quota === 0) return () => null;
  const janelas = options.janelas ?? new Janelas(null);
  const policy = `"token";q=${quota};w=${WINDOW_SECONDS}`;
  const saldoOf = ({ quantos, restamMs }: Contagem): Saldo => {
    const secondsLeft = Math.max(1, Math.ceil(restamMs / 1_000));
    const left = `"token";r=${Math.max(0, quota - quantos)};t=${secondsLeft}`;
    return { policy, left, waitSeconds: quantos > quota ? secondsLeft : null };
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

/** Limits requests per key, as `createContador` counts them. */
export function createRateLimit(options: { requestsPerMinute: number; janelas?: Janelas }): RateLimit {
  return rateLimitOf(createContador(options));
}

/** Writes the limit's headers into each answer. @throws limite_excedido, by what it returns */
export function rateLimitOf(contar: Contador): RateLimit {
  return async ({ key, reply }) => {
    const saldo = await contar(key);
    if (!saldo) return;
    reply.header('ratelimit-policy', saldo.policy);
    reply.header('ratelimit', saldo.left);
    if (saldo.waitSeconds !== null) throw limiteExcedido(saldo.waitSeconds);
  };
}
