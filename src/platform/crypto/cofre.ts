import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KID_BYTES, type MasterKey, MasterKeys, type VaultSettings } from './chaves-mestras.ts';

/** NIST SP 800-38D: 96-bit random IV. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_KEY_BYTES = 32;
/** First byte of everything sealed. The first form does not name its key: it is tried with every one. */
const FORM_WITHOUT_KID = 1;
const FORM_WITH_KID = 2;

export type { VaultSettings } from './chaves-mestras.ts';

/** Sealed bytes that do not open: altered, moved to another place, or their key is gone. */
export class UnsealError extends Error {}

/** Keeps secrets sealed at rest under the master key. */
export interface Vault {
  /**
   * Seals bytes for one context; the same plain text never gives the same result twice. Call it inside the write
   * transaction that stores the result, so that a rotation of the master key finds it.
   */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** @throws UnsealError when the bytes were altered, or sealed for another context or under another key */
  open(sealed: Uint8Array, context: string): Buffer;
}

/** The vault as a rotation of the master key needs it. */
export interface MasterVault extends Vault {
  readonly keys: MasterKeys;
  /** Name of the key that seals now. */
  currentKid(): string;
  /** Name of the key that sealed these bytes; null in the first form, which does not tell. */
  kidOf(sealed: Uint8Array): string | null;
}

/** A secret under a data key of its own, and that data key under the master key. */
interface Envelope {
  chaveSelada: Uint8Array;
  selado: Uint8Array;
}

/**
 * Opens the vault. AES-256-GCM with the context as additional data, so that sealed bytes moved from one row to
 * another do not open.
 * @param options.selados whether anything is sealed already; then the master key must be there, else one is made
 * @throws ConfigError
 */
export function openVault(settings: VaultSettings, { selados = false } = {}): MasterVault {
  const keys = new MasterKeys(settings, { selados });
  const newest = (): MasterKey => {
    const [first] = keys.current();
    if (!first) throw new Error('there is no master key');
    return first;
  };
  return {
    keys,
    currentKid: () => newest().kid,
    kidOf: readKid,
    seal(plain, context) {
      const { kid, key } = newest();
      const head = Buffer.concat([Buffer.of(FORM_WITH_KID), Buffer.from(kid, 'hex')]);
      return new Uint8Array(Buffer.concat([head, encrypt(key, plain, context)]));
    },
    open(sealed, context) {
      const kid = readKid(sealed);
      if (kid === null) return openWithAny(keys.known(), sealed, context);
      const known = keys.known().find((candidate) => candidate.kid === kid);
      if (!known) throw new UnsealError(`the master key ${kid} is not among those that are there`);
      return decrypt(known.key, sealed.subarray(1 + KID_BYTES), context);
    },
  };
}

/** Seals a secret under a fresh data key, so that a rotation of the master key rewrites a few bytes and not the secret. */
export function sealEnvelope(vault: Vault, plain: Uint8Array, context: string): Envelope {
  const key = randomBytes(SEALED_KEY_BYTES);
  try {
    return {
      chaveSelada: vault.seal(key, keyContext(context)),
      selado: new Uint8Array(encrypt(key, plain, context)),
    };
  } finally {
    key.fill(0);
  }
}

/** @throws UnsealError when either part was altered, swapped or belongs to another context */
export function openEnvelope(vault: Vault, envelope: Envelope, context: string): Buffer {
  const key = vault.open(envelope.chaveSelada, keyContext(context));
  try {
    return decrypt(key, envelope.selado, context);
  } finally {
    key.fill(0);
  }
}

/** Puts the data key of an envelope under the newest master key; the sealed secret stays as it is. */
export function rewrapKey(vault: Vault, chaveSelada: Uint8Array, context: string): Uint8Array {
  return vault.seal(vault.open(chaveSelada, keyContext(context)), keyContext(context));
}

function keyContext(context: string): string {
  return `chave-de-dados/${context}`;
}

function readKid(sealed: Uint8Array): string | null {
  if (sealed[0] === FORM_WITHOUT_KID) return null;
  if (sealed[0] !== FORM_WITH_KID) throw new UnsealError('unknown form of sealed bytes');
  return Buffer.from(sealed.subarray(1, 1 + KID_BYTES)).toString('hex');
}

function openWithAny(keys: readonly MasterKey[], sealed: Uint8Array, context: string): Buffer {
  for (const { key } of keys) {
    try {
      return decrypt(key, sealed.subarray(1), context);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
    }
  }
  throw new UnsealError('no master key opens these bytes');
}

function encrypt(key: Buffer, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new UnsealError('sealed bytes are cut short');
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new UnsealError('sealed bytes do not open', { cause: error });
  }
}
