import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import { failpoint } from '../failpoint.ts';
import { syncFolder } from '../sync-folder.ts';
import {
  BlobNotFoundError,
  type BlobReading,
  type BlobStat,
  type BlobStore,
  isBlobKey,
  type PutLimits,
  pathOfKey,
  type StoredBlob,
} from './blob-store.ts';
import { createFile, type FileSink, receiveFile, stayYoung } from './receive-file.ts';

/** The calls that decide about durability, as a seam: tests make them fail the way a full or dying disk does. */
export interface DiskIo {
  /** Creates a file that must not exist yet. */
  create(path: string): Promise<FileSink>;
  /** Moves within one file system, replacing what stands there. */
  rename(from: string, to: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

/** Name of the blob folder below the data folder. */
export const BLOBS_FOLDER = 'arquivos';

/** A transfer that goes on is never older than a minute (`stayYoung`): what is, belongs to a process that died. */
const LEFTOVER_AGE_MS = 10 * 60_000;
const PRIVATE_FOLDER = 0o700;
/** A blob is streamed in pieces of this size. */
const READ_BYTES = 256 * 1024;

export const nodeIo: DiskIo = {
  create: createFile,
  rename,
  syncFolder,
};

/**
 * Opens the blob store of a folder: `<root>/<first two characters>/<key>`, with `<root>/tmp` for what is still
 * arriving. Makes the folders and removes what dead processes left behind.
 */
export async function openDiskBlobStore(
  root: string,
  options: { clock?: Clock; io?: DiskIo } = {},
): Promise<DiskBlobStore> {
  const store = new DiskBlobStore(root, { io: options.io ?? nodeIo, clock: options.clock ?? systemClock });
  await store.prepare();
  return store;
}

/**
 * Blobs as files. A blob appears under its key only after its bytes are on the medium, and `put` resolves only
 * after its name is too: write, fdatasync, rename, fsync of the folder. A failed fsync is never repeated, since
 * the kernel may have dropped the pages and would report success the second time; the blob is given up instead.
 */
class DiskBlobStore implements BlobStore {
  readonly #root: string;
  readonly #tmp: string;
  readonly #io: DiskIo;
  readonly #clock: Clock;
  /** Shard folders whose own name is known to be durable. */
  readonly #shards = new Set<string>();
  #syncFailure: Error | null = null;

  constructor(root: string, { io, clock }: { io: DiskIo; clock: Clock }) {
    this.#root = root;
    this.#tmp = join(root, 'tmp');
    this.#io = io;
    this.#clock = clock;
  }

  /** The first fsync that failed, for the readiness check: a disk that lost data once is not to be trusted. */
  get syncFailure(): Error | null {
    return this.#syncFailure;
  }

  async prepare(): Promise<void> {
    await mkdir(this.#tmp, { recursive: true, mode: PRIVATE_FOLDER });
    await this.#makeUsualShards();
    await this.sweep();
  }

  sweep(): Promise<number> {
    return removeLeftovers(this.#tmp, this.#clock.now());
  }

  async close(): Promise<void> {}

  async put(key: string, source: Readable, limits: PutLimits): Promise<StoredBlob> {
    const path = this.#pathOf(key);
    const temporary = join(this.#tmp, `${key}.${randomUUID()}`);
    using _young = stayYoung(temporary, this.#clock);
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
    try {
      return await readFile(this.#pathOf(key));
    } catch (error) {
      throw isMissing(error) ? new BlobNotFoundError(key, { cause: error }) : error;
    }
  }

  async read(key: string): Promise<BlobReading> {
    try {
      const file = await open(this.#pathOf(key), 'r');
      const { size } = await file.stat();
      return { sizeBytes: size, stream: file.createReadStream({ highWaterMark: READ_BYTES }) };
    } catch (error) {
      throw isMissing(error) ? new BlobNotFoundError(key, { cause: error }) : error;
    }
  }

  async stat(key: string): Promise<BlobStat | null> {
    try {
      const { size, mtimeMs } = await stat(this.#pathOf(key));
      return { sizeBytes: size, modifiedAt: mtimeMs };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async *keys(): AsyncIterable<string> {
    for (const shard of await readdir(this.#root, { withFileTypes: true })) {
      if (!shard.isDirectory() || shard.name.length !== 2) continue;
      // A shard grows with the uploads: its names are read a few at a time.
      for await (const { name } of await opendir(join(this.#root, shard.name))) {
        if (isBlobKey(name)) yield name;
      }
    }
  }

  /** Writes the source to a file of its own, hashing on the way; the file is durable at the end, its name is not. */
  async #receive(path: string, source: Readable, limits: PutLimits): Promise<StoredBlob> {
    limits.signal?.throwIfAborted();
    // It may break before anybody reads from it; whoever then reads is told.
    source.on('error', () => {});
    const file = await this.#io.create(path);
    const atEnd = async () => {
      failpoint('blob_escrito');
      await this.#sync(() => file.sync());
      failpoint('blob_sincronizado');
    };
    return receiveFile(file, source, { ...limits, atEnd });
  }

  async #publish(temporary: string, path: string): Promise<void> {
    const folder = join(path, '..');
    await this.#makeShard(folder);
    await this.#io.rename(temporary, path);
    failpoint('blob_renomeado');
    try {
      await this.#sync(() => this.#io.syncFolder(folder));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Those of keys that begin with a UUID, as uploads have: none waits for the name of its own to be durable. */
  async #makeUsualShards(): Promise<void> {
    const present = new Set(await readdir(this.#root));
    for (let at = 0; at < 256; at++) {
      const name = at.toString(16).padStart(2, '0');
      const folder = join(this.#root, name);
      if (!present.has(name)) await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
      this.#shards.add(folder);
    }
    await this.#sync(() => this.#io.syncFolder(this.#root));
  }

  /** The root is synced the first time this process uses a shard of another name, whoever made the folder. */
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
    return join(this.#root, pathOfKey(key));
  }
}

/** Removes files of a folder for transfers that are older than any transfer can be. @returns how many */
export async function removeLeftovers(folder: string, now: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found || now - found.mtimeMs <= LEFTOVER_AGE_MS) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
