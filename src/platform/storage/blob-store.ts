import type { Readable } from 'node:stream';

export interface StoredBlob {
  sizeBytes: number;
  /** Hex. */
  sha256: string;
  /** Hex. */
  md5: string;
}

export interface PutLimits {
  /** More bytes than this end the transfer with `BlobTooLargeError`; nothing is kept. */
  maxBytes: number;
  signal?: AbortSignal;
}

/** The source sent more than `maxBytes`. */
export class BlobTooLargeError extends Error {
  constructor() {
    super('blob is larger than its limit');
    this.name = 'BlobTooLargeError';
  }
}

/**
 * Where uploaded files lie, byte for byte. Keys are made by us (`[a-z0-9/-]+`), never taken from a user.
 * A blob is never changed: a second `put` of a key replaces it whole or not at all.
 */
export interface BlobStore {
  /** The first write that the medium could not make durable: a store that lost data once is not ready for more. */
  readonly syncFailure: Error | null;
  /** Streams in constant memory, hashing on the way; resolves only when the bytes would survive a power loss. */
  put(key: string, source: Readable, limits: PutLimits): Promise<StoredBlob>;
  /** Whole content. @throws when the key is unknown */
  get(key: string): Promise<Buffer>;
  delete(key: string): Promise<void>;
  /** All keys, for `malote verificar`. */
  keys(): AsyncIterable<string>;
}
