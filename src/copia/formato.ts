/**
 * The form of a backup. Parts, in this order, with a list of SHA-256 behind every few thousand of them, in the form of
 * `sha256sum`, and the manifest last: what has no manifest is no backup.
 *
 * ```
 * banco/<tabela>/00001.jsonl.zst    rows as JSON arrays, the first line tells the columns; bytes are Base64
 * arquivos/<ab>/<chave>             uploaded files, as they came
 * esquemas/<pacote>/<arquivo>       installed packages of schemas
 * chave-mestra                      only when it was asked for
 * somas/00001.sha256                SHA-256 of the parts before it
 * manifesto.json
 * ```
 */
import { hash } from 'node:crypto';
import { ErroDeCopia } from './erros.ts';

export const FORMATO = 'malote-copia';
export const VERSAO_DO_FORMATO = 1;
export const MANIFESTO = 'manifesto.json';
export const CHAVE = 'chave-mestra';
/** Parts on one list of sums. */
export const PARTES_POR_LISTA = 5_000;

export interface Parte {
  nome: string;
  bytes: Buffer;
}

export interface TabelaNaCopia {
  nome: string;
  linhas: number;
  /** Digest of the set of rows (`platform/db/row-digest.ts`). */
  soma: string;
}

export interface Manifesto {
  formato: typeof FORMATO;
  versao: number;
  /** Version of the program. */
  malote: string;
  /** ISO 8601, UTC: the moment that the backup shows. */
  criadaEm: string;
  motor: 'sqlite' | 'postgres';
  migracoes: number[];
  tabelas: TabelaNaCopia[];
  arquivos: { quantidade: number; bytes: number };
  /** Uploaded files that the rows name and that could not be had: they were missing already. */
  faltas: string[];
  chaveMestra: { incluida: boolean; nomes: string[] };
  /** Parts without lists and manifest. */
  partes: number;
  bytes: number;
  somas: { nome: string; sha256: string }[];
}

export function sha256De(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

export const nomeDaLista = (n: number) => `somas/${String(n).padStart(5, '0')}.sha256`;
export const linhaDaSoma = (parte: { nome: string; sha256: string }) => `${parte.sha256}  ${parte.nome}\n`;

/** The lines of a list of sums. @throws ErroDeCopia */
export function lerLista(nome: string, bytes: Buffer): { nome: string; sha256: string }[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, sha256, parte] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      if (sha256 === undefined || parte === undefined) {
        throw new ErroDeCopia('copia_danificada', `A lista ${nome} da cópia está danificada.`);
      }
      return { nome: parte, sha256 };
    });
}

/**
 * Reads the manifest, the one part that no list of sums vouches for: every field is looked at.
 * @throws ErroDeCopia `copia_danificada`, or `copia_mais_nova` for a manifest of a later form
 */
export function lerManifesto(bytes: Buffer): Manifesto {
  const value = fromJson(bytes.toString('utf8'));
  if (isOfLaterForm(value)) {
    throw new ErroDeCopia(
      'copia_mais_nova',
      `A cópia foi feita por um Malote mais novo (${value.malote}): atualize este antes de restaurar.`,
    );
  }
  if (!isManifesto(value)) throw new ErroDeCopia('copia_danificada', 'O manifesto da cópia está danificado.');
  return value;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Check<T> = (value: unknown) => value is T;

const isText: Check<string> = (value) => typeof value === 'string';
const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value);
const isOneOf =
  <T>(...words: readonly T[]): Check<T> =>
  (value): value is T =>
    words.some((word) => word === value);
const isListOf =
  <T>(isItem: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(isItem);
const isObjectOf =
  <T extends object>(fields: { [K in keyof T]: Check<T[K]> }): Check<T> =>
  (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check<unknown>>(fields).every(([name, isRight]) => isRight(Reflect.get(value, name)));

const isManifesto = isObjectOf<Manifesto>({
  formato: isOneOf(FORMATO),
  versao: isCount,
  malote: isText,
  criadaEm: isText,
  motor: isOneOf('sqlite', 'postgres'),
  migracoes: isListOf(isCount),
  tabelas: isListOf(isObjectOf<TabelaNaCopia>({ nome: isText, linhas: isCount, soma: isText })),
  arquivos: isObjectOf<Manifesto['arquivos']>({ quantidade: isCount, bytes: isCount }),
  faltas: isListOf(isText),
  chaveMestra: isObjectOf<Manifesto['chaveMestra']>({ incluida: isBoolean, nomes: isListOf(isText) }),
  partes: isCount,
  bytes: isCount,
  somas: isListOf(isObjectOf<Manifesto['somas'][number]>({ nome: isText, sha256: isText })),
});

/** Of one that is not known yet, nothing else can be expected. */
const hasForm = isObjectOf<Pick<Manifesto, 'formato' | 'versao' | 'malote'>>({
  formato: isOneOf(FORMATO),
  versao: isCount,
  malote: isText,
});

function isOfLaterForm(value: unknown): value is Pick<Manifesto, 'malote'> {
  return hasForm(value) && value.versao > VERSAO_DO_FORMATO;
}
