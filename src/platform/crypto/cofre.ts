import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
/** NIST SP 800-38D: 96-bit random IV. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of everything sealed, so that the form can change later. */
const FORM_AES_256_GCM = 1;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

const MASTER_KEY_FILE = 'chave-mestra';

/** Keeps secrets sealed at rest under the master key. */
export interface Vault {
  /** Seals bytes for one context; the same plain text never gives the same result twice. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** @throws when the bytes were altered, or sealed for another context or under another key */
  open(sealed: Uint8Array, context: string): Buffer;
}

export interface VaultSettings {
  /** Base64 of 32 bytes; empty: the file in the data folder, made when it is not there. */
  chaveMestra: string;
  dataFolder: string;
}

/**
 * Opens the vault. AES-256-GCM with the context as additional data, so that sealed bytes moved from one row to
 * another do not open.
 */
export function openVault(settings: VaultSettings): Vault {
  const key = settings.chaveMestra
    ? Buffer.from(settings.chaveMestra, 'base64')
    : masterKeyOf(settings.dataFolder);
  if (key.length !== KEY_BYTES)
    throw new Error(`the master key has ${key.length} bytes instead of ${KEY_BYTES}`);
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return new Uint8Array(Buffer.concat([Buffer.of(FORM_AES_256_GCM), iv, cipher.getAuthTag(), body]));
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < HEADER_BYTES || bytes[0] !== FORM_AES_256_GCM)
        throw new Error('unknown form of sealed bytes');
      const iv = bytes.subarray(1, 1 + IV_BYTES);
      const tag = bytes.subarray(1 + IV_BYTES, HEADER_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
    },
  };
}

/** Reads the key file, or makes it: whoever links first wins, so two processes that start at once share one key. */
function masterKeyOf(dataFolder: string): Buffer {
  const path = join(dataFolder, MASTER_KEY_FILE);
  const existing = readKeyFile(path);
  if (existing) return existing;
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeDurably(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  syncFolder(dataFolder);
  const made = readKeyFile(path);
  if (!made) throw new Error('the master key file vanished while it was made');
  return made;
}

function readKeyFile(path: string): Buffer | null {
  try {
    return Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The key must outlive a power loss: whatever is sealed with a lost key is lost too. */
function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
