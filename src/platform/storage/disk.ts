import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import { type BlobStore, BlobTooLargeError, type PutLimits, type StoredBlob } from './blob-store.ts';

/** The calls that decide about durability, as a seam: tests make them fail the way a full or dying disk does. */
export interface DiskIo {
  /** Creates a file that must not exist yet. */
  create(path: string): Promise<FileSink>;
  /** Moves within one file system, replacing what stands there. */
  rename(from: string, to: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface FileSink {
  /** Writes all of it. */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes the content durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Name of the blob folder below the data folder. */
export const BLOBS_FOLDER = 'arquivos';

/** Made by us only; no separator, no dot, so that a key can never leave its folder. */
const KEY = /^[a-z0-9][a-z0-9-]{2,120}$/;
/** A transfer ends after two minutes at most, so what is older than this belongs to a process that died. */
const LEFTOVER_AGE_MS = 10 * 60_000;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export const nodeIo: DiskIo = {
  async create(path) {
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
  },
  rename,
  async syncFolder(path) {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

/**
 * Opens the blob store of a folder: `<root>/<first two characters>/<key>`, with `<root>/tmp` for what is still
 * arriving. Makes the folders and removes what dead processes left behind.
 */
export async function openDiskBlobStore(
  root: string,
  options: { clock?: Clock; io?: DiskIo } = {},
): Promise<DiskBlobStore> {
  const store = new DiskBlobStore(root, options.io ?? nodeIo);
  await store.prepare((options.clock ?? systemClock).now());
  return store;
}

/**
 * Blobs as files. A blob appears under its key only after its bytes are on the medium, and `put` resolves only
 * after its name is too: write, fdatasync, rename, fsync of the folder. A failed fsync is never repeated, since
 * the kernel may have dropped the pages and would report success the second time; the blob is given up instead.
 */
export class DiskBlobStore implements BlobStore {
  readonly #root: string;
  readonly #tmp: string;
  readonly #io: DiskIo;
  /** Shard folders whose own name is known to be durable. */
  readonly #shards = new Set<string>();
  #syncFailure: Error | null = null;

  constructor(root: string, io: DiskIo) {
    this.#root = root;
    this.#tmp = join(root, 'tmp');
    this.#io = io;
  }

  /** The first fsync that failed, for the readiness check: a disk that lost data once is not to be trusted. */
  get syncFailure(): Error | null {
    return this.#syncFailure;
  }

  async prepare(now: number): Promise<void> {
    await mkdir(this.#tmp, { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of await readdir(this.#tmp)) {
      const path = join(this.#tmp, name);
      const found = await stat(path).catch(() => null);
      if (found && now - found.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
    }
  }

  async put(key: string, source: Readable, limits: PutLimits): Promise<StoredBlob> {
    const path = this.#pathOf(key);
    const temporary = join(this.#tmp, `${key}.${randomUUID()}`);
    try {
      const stored = await this.#receive(temporary, source, limits);
      await this.#publish(temporary, path);
      return stored;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<Buffer> {
    return readFile(this.#pathOf(key));
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async *keys(): AsyncIterable<string> {
    for (const shard of await readdir(this.#root, { withFileTypes: true })) {
      if (!shard.isDirectory() || shard.name.length !== 2) continue;
      for (const name of await readdir(join(this.#root, shard.name))) if (KEY.test(name)) yield name;
    }
  }

  /** Writes the source to a file of its own, hashing on the way; the file is durable at the end, its name is not. */
  async #receive(path: string, source: Readable, limits: PutLimits): Promise<StoredBlob> {
    limits.signal?.throwIfAborted();
    // It may break before anybody reads from it; whoever then reads is told.
    source.on('error', () => {});
    if (limits.signal) addAbortSignal(limits.signal, source);
    const sha256 = createHash('sha256');
    const md5 = createHash('md5');
    let sizeBytes = 0;
    const file = await this.#io.create(path);
    try {
      // The source is not destroyed at the limit: whoever owns the connection still has to answer on it.
      for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length;
        if (sizeBytes > limits.maxBytes) throw new BlobTooLargeError();
        sha256.update(chunk);
        md5.update(chunk);
        await file.write(chunk);
      }
      await this.#sync(() => file.sync());
    } finally {
      await file.close();
    }
    return { sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') };
  }

  async #publish(temporary: string, path: string): Promise<void> {
    const folder = join(path, '..');
    await this.#makeShard(folder);
    await this.#io.rename(temporary, path);
    try {
      await this.#sync(() => this.#io.syncFolder(folder));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** The root is synced the first time this process uses a shard, whoever made the folder. */
  async #makeShard(folder: string): Promise<void> {
    if (this.#shards.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    await this.#sync(() => this.#io.syncFolder(this.#root));
    this.#shards.add(folder);
  }

  async #sync(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#syncFailure ??= error as Error;
      throw error;
    }
  }

  #pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
    return join(this.#root, key.slice(0, 2), key);
  }
}
