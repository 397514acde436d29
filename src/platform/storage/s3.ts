import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArquivosEmS3 } from '../../config.ts';
import { type Clock, systemClock } from '../clock.ts';
import {
  BlobNotFoundError,
  type BlobReading,
  type BlobStat,
  type BlobStore,
  BlobStoreUnavailableError,
  isBlobKey,
  type PutLimits,
  pathOfKey,
  type StoredBlob,
} from './blob-store.ts';
import { removeLeftovers } from './disk.ts';
import { createFile, receiveFile, stayYoung } from './receive-file.ts';
import { type S3Client, S3Refusal } from './s3-client.ts';
import { PartHasher, type SpooledPart } from './s3-parts.ts';

/** A multipart upload that nobody has finished by then belongs to a process that died. */
const UNFINISHED_AGE_MS = 60 * 60_000;
/** Parts of one blob that are on their way at once. */
const PARTS_AT_ONCE = 2;
const PRIVATE_FOLDER = 0o700;
/** A blob is streamed in pieces of this size; one is held at a time. */
const READ_BYTES = 4 * 1024 * 1024;

interface S3StoreOptions {
  settings: ArquivosEmS3;
  /** Where bodies are written while they arrive: a slow sender must cost neither memory nor a connection to the bucket. */
  spoolFolder: string;
  client: S3Client;
  clock?: Clock;
}

/** Makes the folder for arriving bodies and removes what dead processes left there. Speaks to nobody. */
export async function openS3BlobStore(options: S3StoreOptions): Promise<S3BlobStore> {
  await mkdir(options.spoolFolder, { recursive: true, mode: PRIVATE_FOLDER });
  const store = new S3BlobStore(options);
  await removeLeftovers(options.spoolFolder, (options.clock ?? systemClock).now());
  return store;
}

/**
 * Blobs as objects `<prefix>/<first two characters>/<key>`. A body is first written to a local file, which gives its
 * length and digests before the first byte goes out, lets every request be repeated, and keeps memory constant
 * however many senders there are. The bucket is asked to check each part against its MD5 and its answer is
 * compared with ours. Uniqueness never rests on a condition in a header: keys are unique, and an object that stands
 * already is replaced whole.
 */
class S3BlobStore implements BlobStore {
  /** The medium is not this machine's: what it acknowledged, it keeps. */
  readonly syncFailure = null;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #spool: string;
  readonly #clock: Clock;

  constructor({ settings, client, spoolFolder, clock = systemClock }: S3StoreOptions) {
    this.#client = client;
    this.#prefix = settings.prefix === '' ? '' : `${settings.prefix}/`;
    this.#spool = spoolFolder;
    this.#clock = clock;
  }

  async put(key: string, source: Readable, limits: PutLimits): Promise<StoredBlob> {
    const object = this.#objectOf(key);
    const path = join(this.#spool, `${key}.${randomUUID()}`);
    using _young = stayYoung(path, this.#clock);
    try {
      limits.signal?.throwIfAborted();
      source.on('error', () => {});
      const hasher = new PartHasher();
      const file = await createFile(path);
      const onChunk = (chunk: Buffer) => hasher.add(chunk);
      const stored = await receiveFile(file, source, { ...limits, onChunk });
      limits.signal?.throwIfAborted();
      await this.#send(object, { path, stored, parts: hasher.parts(), signal: limits.signal });
      return stored;
    } finally {
      await rm(path, { force: true });
    }
  }

  async get(key: string): Promise<Buffer> {
    const bytes = await this.#client.getObject(this.#objectOf(key)).catch(known);
    if (bytes === null) throw new BlobNotFoundError(key);
    return bytes;
  }

  /**
   * In ranges, each a request of its own that can be repeated: a slow taker holds no connection to the bucket, and a
   * line that breaks in the middle is not the taker's matter.
   */
  async read(key: string): Promise<BlobReading> {
    const object = this.#objectOf(key);
    const found = await this.#client.headObject(object).catch(known);
    if (found === null) throw new BlobNotFoundError(key);
    const { sizeBytes, etag } = found;
    const client = this.#client;
    async function* pieces() {
      for (let start = 0; start < sizeBytes; start += READ_BYTES) {
        const end = Math.min(start + READ_BYTES, sizeBytes) - 1;
        const bytes = await client.getObject(object, { start, end, etag }).catch(known);
        if (bytes === null) throw new BlobNotFoundError(key);
        yield bytes;
      }
    }
    return { sizeBytes, stream: Readable.from(pieces(), { objectMode: false }) };
  }

  async stat(key: string): Promise<BlobStat | null> {
    const found = await this.#client.headObject(this.#objectOf(key)).catch(known);
    return found && { sizeBytes: found.sizeBytes, modifiedAt: found.modifiedAt };
  }

  async delete(key: string): Promise<void> {
    await this.#client.deleteObject(this.#objectOf(key)).catch(known);
  }

  async *keys(): AsyncIterable<string> {
    for (let token: string | undefined; ; ) {
      const page = await this.#client.listObjects({ prefix: this.#prefix, token }).catch(known);
      for (const object of page.keys) {
        const key = object.slice(object.lastIndexOf('/') + 1);
        if (isBlobKey(key) && this.#objectOf(key) === object) yield key;
      }
      if (page.next === null) return;
      token = page.next;
    }
  }

  async sweep(): Promise<number> {
    const now = this.#clock.now();
    let removed = await removeLeftovers(this.#spool, now);
    for (const { key, uploadId, startedAt } of await this.#client.listUploads(this.#prefix).catch(known)) {
      if (now - startedAt < UNFINISHED_AGE_MS) continue;
      await this.#client.abortUpload({ key, uploadId }).catch(known);
      removed += 1;
    }
    return removed;
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  async #send(key: string, file: Spooled): Promise<void> {
    if (file.parts.length > 1) return this.#sendParts(key, file);
    const { sizeBytes, md5 } = file.stored;
    const body = { open: () => createReadStream(file.path), sizeBytes, md5 };
    await this.#client.putObject({ key, body, signal: file.signal }).catch(known);
  }

  /** Nothing of it is seen before the last step; when a part cannot be sent, those that are there are given back. */
  async #sendParts(key: string, { path, parts, stored, signal }: Spooled): Promise<void> {
    const upload = { key, uploadId: await this.#client.beginUpload(key).catch(known) };
    const etags: string[] = [];
    const waiting = [...parts.entries()];
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [at, { start, sizeBytes, md5 }] = next;
        const open = () => createReadStream(path, { start, end: start + sizeBytes - 1 });
        const body = { open, sizeBytes, md5 };
        etags[at] = await this.#client.putPart({ ...upload, number: at + 1, body, signal });
      }
    };
    try {
      const ends = Array.from({ length: PARTS_AT_ONCE }, () =>
        worker().catch((error: unknown) => {
          waiting.length = 0;
          throw error;
        }),
      );
      for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason;
      const { sizeBytes } = stored;
      await this.#client.finishUpload({ ...upload, etags, md5s: parts.map(({ md5 }) => md5), sizeBytes });
    } catch (error) {
      // When even this fails, `sweep` or a rule of the bucket removes it later.
      await this.#client.abortUpload(upload).catch(() => {});
      return known(error);
    }
  }

  #objectOf(key: string): string {
    return this.#prefix + pathOfKey(key);
  }
}

/** A blob that has arrived and lies in the local file. */
interface Spooled {
  path: string;
  stored: StoredBlob;
  parts: readonly SpooledPart[];
  signal: AbortSignal | undefined;
}

/** Whatever the bucket refuses or the line breaks with is a matter of surroundings, and never speaks against a file. */
function known(error: unknown): never {
  if (error instanceof S3Refusal) {
    throw new BlobStoreUnavailableError(`the bucket: ${error.message}`, { cause: error });
  }
  throw error;
}
