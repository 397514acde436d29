import type { FastifyReply } from 'fastify';
import { limiteExcedido } from './errors.ts';
import { Janelas } from './janelas.ts';

const WINDOW_SECONDS = 60;
/**
 * Up to this part of the quota a process counts by itself and tells the others twice a second; above it, it asks with
 * each request: so the quota is one for all processes, and those who stay far below it cost nothing.
 */
const ALONE_PART = 1 / 4;

/** Counts one request of a key and writes the `RateLimit` headers. @throws limite_excedido */
export type RateLimit = (input: { key: string; reply: FastifyReply }) => Promise<void>;

/**
 * Limits requests per key in windows of a minute.
 * @param options.janelas where several processes count together; absent: in the memory of this one
 * @fonte draft-ietf-httpapi-ratelimit-headers-11 (trust A5)
 */
export function createRateLimit(options: { requestsPerMinute: number; janelas?: Janelas }): RateLimit {
  const quota = options.requestsPerMinute;
  if (quota === 0) return async () => {};
  const janelas = options.janelas ?? new Janelas(null);
  return async ({ key, reply }) => {
    const chave = `pedido/${key}`;
    let state = janelas.add(chave);
    if (state.quantos > quota * ALONE_PART) {
      await janelas.tell().catch(() => {});
      state = (await janelas.read([chave], Number.POSITIVE_INFINITY))[0] ?? state;
    }
    const secondsLeft = Math.max(1, Math.ceil(state.restamMs / 1_000));
    reply.header('ratelimit-policy', `"token";q=${quota};w=${WINDOW_SECONDS}`);
    reply.header('ratelimit', `"token";r=${Math.max(0, quota - state.quantos)};t=${secondsLeft}`);
    if (state.quantos > quota) throw limiteExcedido(secondsLeft);
  };
}
