/** Layouts that offices have taught, in a reader thread: where the way that `leiautes-em-uso.ts` begins ends. */
import { familiasCom, type Reconhecedor } from '../../fiscal/familias.ts';
import { readEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';
import type { PacoteDeLeiautes } from './leiautes-em-uso.ts';

/** Offices whose layouts a reader keeps ready. */
const PRONTAS_MAX = 16;

/** What offices read, made ready once for each change of their layouts. */
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
