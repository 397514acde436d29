/**
 * The master keys of an installation: the newest one seals, every one still opens. They stand in a file of the data
 * folder, one Base64 line each, newest first, or in a setting. The file is replaced as a whole, so that whoever reads
 * it sees the keys before or after a change and never half of it.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../config.ts';

const MASTER_KEY_BYTES = 32;
export const KID_BYTES = 8;
export const MASTER_KEY_FILE = 'chave-mestra';

export interface MasterKey {
  /** Hex of the first bytes of a hash of the key: names it without telling anything of it. */
  kid: string;
  key: Buffer;
}

export interface VaultSettings {
  /** Base64 of 32 bytes, several separated by commas, newest first; empty: the file in the data folder, made when it is not there. */
  chaveMestra: string;
  dataFolder: string;
}

/** Reads the keys, and reads them again when another process has changed the file. */
export class MasterKeys {
  /** Path of the file; null when the keys come from a setting, which a running process cannot see change. */
  readonly file: string | null;
  #keys: readonly MasterKey[];
  /** What the file looked like when it was read. */
  #seen: string;

  /**
   * @param options.selados whether there is anything sealed already: then a new key could open none of it, and none is made
   * @throws ConfigError
   */
  constructor(settings: VaultSettings, { selados }: { selados: boolean }) {
    this.file = settings.chaveMestra ? null : join(settings.dataFolder, MASTER_KEY_FILE);
    if (this.file && selados) refuseMissing(this.file);
    if (this.file) makeKeyFile(this.file);
    this.#seen = this.#look();
    this.#keys = parseKeys(
      this.file ? readFileSync(this.file, 'utf8') : settings.chaveMestra.replaceAll(',', '\n'),
    );
  }

  /**
   * The keys of this moment, newest first; costs one `stat`. Called inside a write transaction it closes the gap
   * between "which key seals" and the commit: a rotation changes the file first and looks for rows under the old
   * key in transactions that begin after that.
   * @throws when the file is gone: what was sealed now might never be opened again
   */
  current(): readonly MasterKey[] {
    if (this.file === null) return this.#keys;
    const seen = this.#look();
    if (seen !== this.#seen) {
      this.#keys = parseKeys(readFileSync(this.file, 'utf8'));
      this.#seen = seen;
    }
    return this.#keys;
  }

  /** The keys to open with: those that were read last, should the file be away for a moment. */
  known(): readonly MasterKey[] {
    try {
      return this.current();
    } catch {
      return this.#keys;
    }
  }

  #look(): string {
    if (this.file === null) return '';
    const { ino, mtimeMs, size } = statSync(this.file);
    return `${ino}/${mtimeMs}/${size}`;
  }
}

/** Makes a key and puts it before the others: from now on it seals. @returns its kid */
export function addMasterKey(keys: MasterKeys): string {
  const path = fileOf(keys);
  const made = randomBytes(MASTER_KEY_BYTES);
  replaceKeyFile(path, [made, ...keys.current().map(({ key }) => key)]);
  return kidOf(made);
}

/** Forgets every key but the newest. Only when nothing is sealed under the others any more. */
export function forgetOldMasterKeys(keys: MasterKeys): void {
  const [newest] = keys.current();
  if (newest) replaceKeyFile(fileOf(keys), [newest.key]);
}

function fileOf(keys: MasterKeys): string {
  if (keys.file === null) throw new Error('master keys of a setting are changed where the setting is');
  return keys.file;
}

function kidOf(key: Uint8Array): string {
  return createHash('sha256')
    .update('malote/chave-mestra/')
    .update(key)
    .digest('hex')
    .slice(0, KID_BYTES * 2);
}

/** Names of the keys in a text of Base64 lines. @throws when a line is no key */
export function kidsOfKeys(text: string): string[] {
  return parseKeys(text).map(({ kid }) => kid);
}

function parseKeys(text: string): MasterKey[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'base64'));
  for (const key of keys) {
    if (key.length !== MASTER_KEY_BYTES) {
      throw new ConfigError(
        `A chave mestra está danificada: uma linha tem ${key.length} bytes em vez de ${MASTER_KEY_BYTES} (Base64). Restaure o arquivo ${MASTER_KEY_FILE} de uma cópia.`,
      );
    }
  }
  if (keys.length === 0) throw new ConfigError('A chave mestra está vazia.');
  return keys.map((key) => ({ kid: kidOf(key), key }));
}

function refuseMissing(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  throw new ConfigError(
    `Falta a chave mestra (${path}), e o banco guarda o que só ela abre. Ponha de volta o arquivo, ou defina MALOTE_CHAVE_MESTRA; nenhuma outra foi criada.`,
  );
}

/** Makes the file where there is none: whoever links first wins, so two processes that start at once share one key. */
function makeKeyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = writeDraft(path, [randomBytes(MASTER_KEY_BYTES)]);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  syncFolder(dirname(path));
}

function replaceKeyFile(path: string, keys: readonly Buffer[]): void {
  renameSync(writeDraft(path, keys), path);
  syncFolder(dirname(path));
}

/** The key must outlive a power loss: whatever is sealed with a lost key is lost too. */
function writeDraft(path: string, keys: readonly Buffer[]): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, keys.map((key) => `${key.toString('base64')}\n`).join(''));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
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
