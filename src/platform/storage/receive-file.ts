import { createHash } from 'node:crypto';
import { open, utimes } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { releaseBytes } from '../bytes/release-bytes.ts';
import type { Clock } from '../clock.ts';
import { BlobTooLargeError, type PutLimits, type StoredBlob } from './blob-store.ts';

export interface FileSink {
  /** Writes all of it. */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes the content durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const PRIVATE_FILE = 0o600;
const TOUCH_MS = 60_000;

/** Creates a file that must not exist yet, for nobody else on this machine. */
export async function createFile(path: string): Promise<FileSink> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  return {
    async write(chunk) {
      let written = 0;
      while (written < chunk.length) {
        written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
      }
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

/**
 * Until disposed of, keeps a file from looking like one that a dead process left behind: large ones come slowly, or
 * are sent on for longer than they took to come.
 */
export function stayYoung(path: string, clock: Clock): Disposable {
  const touch = () => {
    const now = clock.now() / 1000;
    // It may not be there yet, or not any more.
    utimes(path, now, now).catch(() => {});
  };
  const timer = setInterval(touch, TOUCH_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Writes a source to an open file, hashing on the way, up to its limit; closes the file.
 * @param options.onChunk sees every chunk before it is written, and keeps none
 * @param options.atEnd runs when all is written and the file is still open
 * @throws BlobTooLargeError, or what the source or the file broke with; the file is the caller's to remove
 */
export async function receiveFile(
  file: FileSink,
  source: Readable,
  options: PutLimits & { onChunk?: (chunk: Buffer) => void; atEnd?: () => Promise<void> },
): Promise<StoredBlob> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let sizeBytes = 0;
  try {
    options.signal?.throwIfAborted();
    if (options.signal) addAbortSignal(options.signal, source);
    // The source is not destroyed at the limit: whoever owns the connection still has to answer on it.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > options.maxBytes) throw new BlobTooLargeError();
      sha256.update(chunk);
      md5.update(chunk);
      options.onChunk?.(chunk);
      await file.write(chunk);
      if (options.released) releaseBytes(chunk);
    }
    await options.atEnd?.();
  } finally {
    await file.close();
  }
  return { sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') };
}
