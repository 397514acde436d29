/** What the checks of the vault find, and how they go through a table: page by page, each page in one snapshot. */
import type { Leitor } from '../queries-leitura.ts';

export interface Achado {
  /** Stable, lower snake case. */
  codigo: string;
  /** pt-BR: what is wrong. */
  mensagem: string;
  /** Which row it is about, such as `cliente 7, NSU 12` or `documento 3526…`. */
  alvo: string;
  /** Its keys, for what can be repaired (`reparar.ts`). */
  ref?: Referencia;
}

/** What a repair has done. */
export interface Reparo {
  codigo: string;
  alvo: string;
  /** pt-BR: what was done. */
  mensagem: string;
}

/** The row that a finding is about; which of them is set depends on its `codigo`. */
export interface Referencia {
  clienteId?: number;
  documentoId?: number;
  versaoId?: number;
  certificadoId?: number;
  blocoId?: number;
  contadorId?: number;
  chave?: string;
  nsu?: number;
  cpfCnpj?: string;
  arquivoId?: string;
}

/** A row of what a statement reads. */
export type Linha<F extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<F>
>[number];

/**
 * Pages in key order; `keyOf` the last row is where the next page begins. Each page is read and judged in one
 * transaction, so that `achar` sees what `ler` saw.
 */
export async function* emPaginas<T, K>(
  db: Leitor,
  input: {
    inicio: K;
    tamanho: number;
    keyOf: (row: T) => K;
    ler: (trx: Leitor, page: { depoisDe: K; limite: number }) => Promise<T[]>;
    achar: (trx: Leitor, rows: readonly T[]) => Achado[] | Promise<Achado[]>;
  },
): AsyncGenerator<Achado> {
  let depoisDe = input.inicio;
  for (;;) {
    const { rows, achados } = await db.transaction().execute(async (trx) => {
      const read = await input.ler(trx, { depoisDe, limite: input.tamanho });
      return { rows: read, achados: await input.achar(trx, read) };
    });
    yield* achados;
    const last = rows.at(-1);
    if (last === undefined || rows.length < input.tamanho) return;
    depoisDe = input.keyOf(last);
  }
}
