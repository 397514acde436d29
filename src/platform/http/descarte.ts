/** What is left of a refused body. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { releaseBytes } from '../bytes/release-bytes.ts';

/** Up to here it is read and thrown away; then the connection is cut. */
const DESCARTE_MAX_BYTES = 32_000_000;
const DESCARTE_PRAZO_MS = 30_000;

/**
 * The answer to a request whose body is refused. Many clients write their whole body before they read, and closing
 * a connection with unread bytes drops the answer on its way. So the answer (`body`, whose length the caller has
 * announced) goes out at once, whole, and is only *ended* when the rest of the request is in, or when that is too
 * long or too slow to be waited for.
 */
export function answerThenDiscard(body: Buffer, raw: IncomingMessage): Readable {
  const rest = discardRest(raw);
  return Readable.from(
    (async function* () {
      yield body;
      if ((await rest) === 'endless') raw.destroy();
    })(),
  );
}

/** Resolves at the end of what is thrown away, or when it is no longer waited for. */
function discardRest(raw: IncomingMessage): Promise<'ended' | 'endless'> {
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
      releaseBytes(chunk);
      if (bytes > DESCARTE_MAX_BYTES) resolve('endless');
    });
    raw.resume();
  });
}
