/** What is left of a refused body. */
import type { IncomingMessage } from 'node:http';

/** Up to here it is read and thrown away; then the connection is cut. */
const DESCARTE_MAX_BYTES = 32_000_000;
const DESCARTE_PRAZO_MS = 30_000;

/**
 * Reads the rest of a refused body and throws it away, so that a client that writes everything before it reads
 * still gets its answer. Resolves at its end, or when it is too long or too slow to be waited for.
 */
export function discardRest(raw: IncomingMessage): Promise<'ended' | 'endless'> {
  if (raw.readableEnded || raw.destroyed) return Promise.resolve('ended');
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => resolve('endless'), DESCARTE_PRAZO_MS).unref();
    const ended = () => {
      clearTimeout(timer);
      resolve('ended');
    };
    raw.once('end', ended);
    raw.once('close', ended);
    raw.once('error', ended);
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DESCARTE_MAX_BYTES) resolve('endless');
    });
    raw.resume();
  });
}
