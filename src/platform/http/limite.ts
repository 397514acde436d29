import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { limiteExcedido } from './errors.ts';

const WINDOW_SECONDS = 60;

/** Counts one request of a key and writes the `RateLimit` headers. @throws limite_excedido */
export type RateLimit = (input: { key: string; reply: FastifyReply }) => Promise<void>;

/**
 * Limits requests per key in windows of a minute, in the memory of this process.
 * @fonte draft-ietf-httpapi-ratelimit-headers-11 (trust A5)
 */
export function createRateLimit(options: { requestsPerMinute: number }): RateLimit {
  const quota = options.requestsPerMinute;
  if (quota === 0) return async () => {};
  const limiter = new RateLimiterMemory({ points: quota, duration: WINDOW_SECONDS });
  return async ({ key, reply }) => {
    const state = await consume(limiter, key);
    const secondsLeft = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
    reply.header('ratelimit-policy', `"token";q=${quota};w=${WINDOW_SECONDS}`);
    reply.header('ratelimit', `"token";r=${Math.max(0, state.remainingPoints)};t=${secondsLeft}`);
    if (state.consumedPoints > quota) throw limiteExcedido(secondsLeft);
  };
}

/** The limiter rejects with the same state that it resolves with. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (state) {
    if (state instanceof RateLimiterRes) return state;
    throw state;
  }
}
