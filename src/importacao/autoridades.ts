/**
 * The authorities that readers judge certificates with: those that come with the product and those that an operator has
 * installed. Readers have no database; they are handed all of them as one block of shared memory.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { lerHash } from '../documentos/hash-guardado.ts';
import { Autoridades, type Confianca } from '../fiscal/certificado/autoridades.ts';
import { blocosDe } from '../fiscal/certificado/ler-certificados.ts';
import { RAIZES_DA_ICP_BRASIL } from '../fiscal/certificado/raizes.ts';
import * as queries from './queries-autoridades.ts';

/** Public data of the Brazilian government, told where it comes from in the file. */
const DO_PRODUTO = new URL('../../certificados/icp-brasil-acs.pem', import.meta.url);

export interface Autoridade {
  /** Of `der`, hex. */
  sha256: string;
  der: Uint8Array;
  /** What a root is trusted for; null: no root. */
  confianca: Confianca | null;
  /** ms; null: it came with the product. */
  instaladaEm: number | null;
}

/** All authorities, on their way to a thread. */
export interface PacoteDeAutoridades {
  /** Other authorities have another one. */
  id: string;
  /** On memory that threads share. */
  bytes: Uint8Array;
}

/** Those that come with the product. @throws where the installation has lost them */
export function autoridadesDoProduto(): Autoridade[] {
  return blocosDe(readFileSync(DO_PRODUTO)).map((der) => {
    const sha256 = hash('sha256', der, 'hex');
    const confianca = RAIZES_DA_ICP_BRASIL.includes(sha256) ? 'icp_brasil' : null;
    return { sha256, der, confianca, instaladaEm: null };
  });
}

/** All that count, each once; what the product brings first. */
export async function todasAsAutoridades(db: queries.Leitor): Promise<Autoridade[]> {
  const doProduto = autoridadesDoProduto();
  const known = new Set(doProduto.map(({ sha256 }) => sha256));
  const instaladas = (await queries.findAutoridades(db)).map(
    ({ sha256, der, confianca, instalada_em }): Autoridade => ({
      sha256: lerHash(sha256),
      der,
      confianca: confianca as Confianca | null,
      instaladaEm: instalada_em,
    }),
  );
  return [...doProduto, ...instaladas.filter(({ sha256 }) => !known.has(sha256))];
}

/** Makes them a judge. */
export function juntar(autoridades: readonly Autoridade[]): Autoridades {
  return new Autoridades({
    raizes: autoridades.flatMap(({ der, confianca }) => (confianca ? [{ der, confianca }] : [])),
    intermediarias: autoridades.flatMap(({ der, confianca }) => (confianca ? [] : [der])),
  });
}

type Escrita = [confianca: Confianca | null, der: string];

export function empacotar(autoridades: readonly Autoridade[]): PacoteDeAutoridades {
  const written = autoridades.map(
    ({ confianca, der }): Escrita => [confianca, Buffer.from(der).toString('base64')],
  );
  const text = Buffer.from(JSON.stringify(written));
  const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
  bytes.set(text);
  const ids = autoridades.map(({ sha256, confianca }) => `${sha256} ${confianca ?? ''}`).sort();
  return { id: hash('sha256', ids.join('\n'), 'hex').slice(0, 16), bytes };
}

/** The other end of `empacotar`. */
export function desempacotar({ bytes }: PacoteDeAutoridades): Autoridades {
  const written = JSON.parse(Buffer.from(bytes).toString()) as Escrita[];
  return juntar(
    written.map(([confianca, der]) => ({
      sha256: '',
      der: Buffer.from(der, 'base64'),
      confianca,
      instaladaEm: null,
    })),
  );
}

/** Whoever installs some waits no longer until they count. */
const OLHAR_A_CADA_MS = 1_000;

/** The authorities of this process, as they now are. */
export class AutoridadesEmUso {
  readonly #db: queries.Leitor;
  #pacote: PacoteDeAutoridades | null = null;
  /** The last that was installed. */
  #ultima = 0;
  #olhadoEm = Number.NEGATIVE_INFINITY;
  #olhando: Promise<unknown> | null = null;

  constructor(db: queries.Leitor) {
    this.#db = db;
  }

  async atual(): Promise<PacoteDeAutoridades> {
    const agora = performance.now();
    if (this.#pacote && agora - this.#olhadoEm < OLHAR_A_CADA_MS) return this.#pacote;
    const ultima = await queries.findUltimaAutoridade(this.#db);
    if (!this.#pacote || ultima !== this.#ultima)
      this.#pacote = empacotar(await todasAsAutoridades(this.#db));
    this.#ultima = ultima;
    this.#olhadoEm = agora;
    return this.#pacote;
  }

  /**
   * Those of the last look, while another one is taken. Readers are asked inside transactions too, and on SQLite a look would
   * wait for the very transaction that waits for them.
   */
  async semEsperar(): Promise<PacoteDeAutoridades> {
    if (!this.#pacote) return this.atual();
    this.#olhando ??= this.atual()
      // Whatever keeps the database from answering is met by the next look as well.
      .catch(() => {})
      .finally(() => {
        this.#olhando = null;
      });
    return this.#pacote;
  }
}
