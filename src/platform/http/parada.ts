import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Takes no more connections, and lets those that are there end by themselves: each is told to with its next answer
 * (`closeWhileStopping` of `server.ts`). Closing an idle one at once would lose the request that a proxy is just
 * sending on it. Resolves when none is left or time is up.
 */
export async function letConnectionsEnd(app: FastifyInstance, withinMs: number): Promise<void> {
  if (!app.server.listening) return;
  const ended = once(app.server, 'close');
  // The one of HTTP servers closes idle connections as well.
  NetServer.prototype.close.call(app.server);
  const timer = new AbortController();
  await Promise.race([ended, sleep(withinMs, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
