/** Layouts that offices have taught, on their way to the reader threads: each batch brings those of its office. */
import { findEmVigor, findRevisoes } from '../../documentos/leiautes/queries-leiautes.ts';
import type { Leitor as Db } from '../../documentos/queries-leitura.ts';

export interface PacoteDeLeiautes {
  /** Grows with each change of them; 0 where the office never taught one. */
  revisao: number;
  /** Descriptions, JSON. */
  textos: readonly string[];
}

export const SEM_LEIAUTES: PacoteDeLeiautes = { revisao: 0, textos: [] };

/** As they were when this process last looked: whoever reads is not kept waiting for the database (`autoridades.ts`). */
export class LeiautesEmUso {
  readonly #db: Db;
  #porContador = new Map<number, PacoteDeLeiautes>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Looks whether some were changed. */
  async olhar(): Promise<void> {
    for (const { contador_id: contadorId, revisao } of await findRevisoes(this.#db)) {
      if (this.atual(contadorId).revisao === revisao) continue;
      const rows = await findEmVigor(this.#db, contadorId);
      // Should a change have come in between, the next look finds it: what is read meanwhile is tried again for it.
      this.#porContador.set(contadorId, { revisao, textos: rows.map(({ conteudo }) => conteudo) });
    }
  }

  atual(contadorId: number): PacoteDeLeiautes {
    return this.#porContador.get(contadorId) ?? SEM_LEIAUTES;
  }

  /** Offices that ever taught one. */
  contadores(): number[] {
    return [...this.#porContador.keys()];
  }
}
