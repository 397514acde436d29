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
import { MANIFESTO_LIDO, type Manifesto, QUALQUER_MANIFESTO, temForma } from './schemas-da-copia.ts';

export const VERSAO_DO_FORMATO = 1;
export const MANIFESTO = 'manifesto.json';
export const CHAVE = 'chave-mestra';
/** Parts on one list of sums. */
export const PARTES_POR_LISTA = 5_000;

export interface Parte {
  nome: string;
  bytes: Buffer;
}

export function sha256De(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

export const nomeDaLista = (n: number) => `somas/${String(n).padStart(5, '0')}.sha256`;
export const linhaDaSoma = (parte: { nome: string; sha256: string }) => `${parte.sha256}  ${parte.nome}\n`;

/** The lines of a list of sums. @throws ErroDeCopia */
export function readLista(nome: string, bytes: Buffer): { nome: string; sha256: string }[] {
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
export function readManifesto(bytes: Buffer): Manifesto {
  const value = fromJson(bytes.toString('utf8'));
  if (temForma(QUALQUER_MANIFESTO, value) && value.versao > VERSAO_DO_FORMATO) {
    throw new ErroDeCopia(
      'copia_mais_nova',
      `A cópia foi feita por um Malote mais novo (${value.malote}): atualize este antes de restaurar.`,
    );
  }
  if (temForma(MANIFESTO_LIDO, value)) return value;
  throw new ErroDeCopia('copia_danificada', 'O manifesto da cópia está danificado.');
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
