/**
 * The authorities that readers judge certificates with: those that come with the product and those that an operator has
 * installed. Readers have no database; they are handed all of them as one block of shared memory.
 */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Db } from '../../banco/tabelas.ts';
import { readHash } from '../../documentos/bytes/hash-guardado.ts';
import { Autoridades, type Confianca } from '../../fiscal/certificado/autoridades.ts';
import { blocosDe } from '../../fiscal/certificado/ler-certificados.ts';
import { RAIZES_DA_ICP_BRASIL } from '../../fiscal/certificado/raizes.ts';
import * as queries from './queries-autoridades.ts';

/** Public data of the Brazilian government, told where it comes from in the file. */
const DO_PRODUTO = new URL('../../../certificados/icp-brasil-acs.pem', import.meta.url);

export interface Autoridade {
  /** Hash of `der`, hex. */
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

/** Those that an operator has installed. */
async function autoridadesInstaladas(db: Db): Promise<Autoridade[]> {
  return (await queries.findAutoridades(db)).map(({ sha256, der, confianca, instalada_em }) => ({
    sha256: readHash(sha256),
    der,
    confianca: confianca as Confianca | null,
    instaladaEm: instalada_em,
  }));
}

/** With those of the product in front, each once. */
function comAsDoProduto(instaladas: readonly Autoridade[]): Autoridade[] {
  const doProduto = autoridadesDoProduto();
  const known = new Set(doProduto.map(({ sha256 }) => sha256));
  return [...doProduto, ...instaladas.filter(({ sha256 }) => !known.has(sha256))];
}

/** All that count, each once; what the product brings first. */
export async function todasAsAutoridades(db: Db): Promise<Autoridade[]> {
  return comAsDoProduto(await autoridadesInstaladas(db));
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

/**
 * The authorities of this process, as they were when it last looked. Whoever reads documents is not kept waiting for the
 * database: readers are asked inside transactions too, and on SQLite a look would wait for the very transaction that waits
 * for them.
 */
export class AutoridadesEmUso {
  readonly #db: Db;
  #instaladas: Autoridade[] = [];
  #pacote: PacoteDeAutoridades | null = null;
  /** The last that was installed. */
  #ultima = 0;
  #olhando: Promise<void> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Looks whether some were installed; while somebody looks already, that one's look counts. */
  olhar(): Promise<void> {
    this.#olhando ??= this.#olhar().finally(() => {
      this.#olhando = null;
    });
    return this.#olhando;
  }

  async #olhar(): Promise<void> {
    const ultima = await queries.findUltimaAutoridade(this.#db);
    if (ultima === this.#ultima) return;
    this.#instaladas = await autoridadesInstaladas(this.#db);
    this.#ultima = ultima;
    this.#pacote = null;
  }

  /** @throws where the installation has lost those of the product */
  atual(): PacoteDeAutoridades {
    this.#pacote ??= empacotar(comAsDoProduto(this.#instaladas));
    return this.#pacote;
  }
}
