/** Layouts that offices have taught, on their way to the reader threads: each batch brings those of its office. */
import { findEmVigor, findRevisoes } from '../../documentos/leiautes/queries-leiautes.ts';
import type { Leitor as Db } from '../../documentos/queries-leitura.ts';
import { familiasCom, type Reconhecedor } from '../../fiscal/familias.ts';
import { readEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';

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

/** Offices whose layouts a reader keeps ready. */
const PRONTAS_MAX = 16;

/** What offices read, made ready once for each change of their layouts: the other end of the way. */
export class Familias {
  readonly #prontas = new Map<number, { revisao: number; familias: readonly Reconhecedor[] }>();

  /** @returns undefined for an office that reads what everybody reads */
  de({ dono, leiautes }: { dono: number; leiautes: PacoteDeLeiautes }): readonly Reconhecedor[] | undefined {
    if (leiautes.textos.length === 0) return undefined;
    const known = this.#prontas.get(dono);
    if (known?.revisao === leiautes.revisao) return known.familias;
    const familias = familiasCom(
      leiautes.textos.flatMap((texto) => {
        const read = readEnsinado(texto);
        return read.ok ? [read.leiaute] : [];
      }),
    );
    const [oldest] = this.#prontas.keys();
    if (this.#prontas.size >= PRONTAS_MAX && oldest !== undefined) this.#prontas.delete(oldest);
    this.#prontas.set(dono, { revisao: leiautes.revisao, familias });
    return familias;
  }
}
