import type { Readable } from 'node:stream';

export interface StoredBlob {
  sizeBytes: number;
  /** Hex. */
  sha256: string;
  /** Hex. */
  md5: string;
}

export interface PutLimits {
  /** Nobody else looks at what the source gives: its memory goes back as soon as it is written. */
  released?: boolean;
  /** More bytes than this end the transfer with `BlobTooLargeError`; nothing is kept. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface BlobStat {
  sizeBytes: number;
  /** Milliseconds since 1970 UTC, by the clock of the medium. */
  modifiedAt: number;
}

/** A blob that is being read. */
export interface BlobReading {
  sizeBytes: number;
  /** The content; fails, and never ends early, when it cannot be had whole. Whoever takes it reads or destroys it. */
  stream: Readable;
}

/** The source sent more than `maxBytes`. */
export class BlobTooLargeError extends Error {
  constructor() {
    super('blob is larger than its limit');
    this.name = 'BlobTooLargeError';
  }
}

/** The store answered, and says that it has no such blob. Carries the code of a missing file, whatever the medium. */
export class BlobNotFoundError extends Error {
  readonly code = 'ENOENT';
  constructor(key: string, options?: ErrorOptions) {
    super(`there is no blob ${key}`, options);
    this.name = 'BlobNotFoundError';
  }
}

/** The store cannot be reached, or refuses: it says nothing about the blob, and waiting may help. */
export class BlobStoreUnavailableError extends Error {
  readonly code = BLOBS_UNAVAILABLE;
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobStoreUnavailableError';
  }
}

export const BLOBS_UNAVAILABLE = 'BLOBS_UNAVAILABLE';

/** Made by us only; no separator, no dot, so that a key can never leave its folder. */
const KEY = /^[a-z0-9][a-z0-9-]{2,120}$/;

/** Whether a text can be the key of a blob: else it is some other file that lies there. */
export function isBlobKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * Where a blob lies below its root, the same on every medium, so that one can be copied to the other by any tool.
 * @throws when the key could leave its folder
 */
export function pathOfKey(key: string): string {
  if (!isBlobKey(key)) throw new Error(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
  return `${key.slice(0, 2)}/${key}`;
}

/**
 * Where uploaded files lie, byte for byte. Keys are made by us (`[a-z0-9-]+`), never taken from a user.
 * A blob is never changed: a second `put` of a key replaces it whole or not at all.
 */
export interface BlobStore {
  /** The first write that the medium could not make durable: a store that lost data once is not ready for more. */
  readonly syncFailure: Error | null;
  /**
   * Streams in constant memory, hashing on the way; resolves only when the bytes would survive a power loss.
   * @throws BlobTooLargeError, BlobStoreUnavailableError, what the source broke with, or what the disk fails with
   */
  put(key: string, source: Readable, limits: PutLimits): Promise<StoredBlob>;
  /** Whole content. @throws BlobNotFoundError, BlobStoreUnavailableError */
  get(key: string): Promise<Buffer>;
  /**
   * The content piece by piece, in bounded memory whatever its size and however slowly it is taken.
   * @throws BlobNotFoundError, BlobStoreUnavailableError, before the first byte
   */
  read(key: string): Promise<BlobReading>;
  /** Null when there is no such blob. @throws BlobStoreUnavailableError */
  stat(key: string): Promise<BlobStat | null>;
  /** Harmless when there is no such blob. */
  delete(key: string): Promise<void>;
  /** All keys, in no order that matters; bounded memory. */
  keys(): AsyncIterable<string>;
  /** Removes what transfers of dead processes left behind, nothing that may still be arriving. @returns how many */
  sweep(): Promise<number>;
  /** Lets go of connections. Later calls may fail. */
  close(): Promise<void>;
}

/** Whole content; null when there is no such blob. @throws BlobStoreUnavailableError */
export async function getOrNull(storage: Pick<BlobStore, 'get'>, key: string): Promise<Buffer | null> {
  try {
    return await storage.get(key);
  } catch (error) {
    if (error instanceof BlobNotFoundError) return null;
    throw error;
  }
}
