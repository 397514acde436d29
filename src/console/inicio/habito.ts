/** A client that is quieter than its own habit: a shop misses a day, a small office a month. */
import type { Db } from '../../banco/tabelas.ts';
import { findDiasDeChegada } from './queries-inicio.ts';

const DAY_MS = 86_400_000;
/** Nobody is quiet before this, and everybody after that (days). */
const MENOR = 3;
const MAIOR = 45;
/** Silence of so many habits is more than a long weekend. */
const VEZES = 3;
/** Who was heard of later than so long ago (ms) is not quiet, whatever the habit. */
export const NUNCA_ANTES_MS = MENOR * DAY_MS;
/** With fewer days of arrival there is no habit yet. */
const DIAS_MIN = 4;

/** How a client uses to send, as far as its last arrivals tell. */
interface Habito {
  /** Its last arrival, ms UTC. */
  ultimoEm: number;
  /** Days that usually lie between two days with documents. */
  habitoDias: number;
  /** Days that its silence may last. */
  toleranciaDias: number;
}

/**
 * Null where nothing has ever come.
 * @param chegadas instants (ms UTC) of arrival, the newest first; of a day one is enough
 */
export function habitoDe(chegadas: readonly number[]): Habito | null {
  const [ultimoEm] = chegadas;
  if (ultimoEm === undefined) return null;
  const dias = [...new Set(chegadas.map((em) => Math.floor(em / DAY_MS)))].sort((a, b) => b - a);
  if (dias.length < DIAS_MIN) return { ultimoEm, habitoDias: MAIOR, toleranciaDias: MAIOR };
  const gaps = dias
    .slice(1)
    .map((dia, index) => (dias[index] ?? dia) - dia)
    .sort((a, b) => a - b);
  // Nine gaps of ten are no longer: weekends are part of the habit, one holiday is not.
  const habitoDias = gaps[Math.floor((gaps.length - 1) * 0.9)] ?? 1;
  return { ultimoEm, habitoDias, toleranciaDias: Math.min(MAIOR, Math.max(MENOR, habitoDias * VEZES)) };
}

/** Whole days of silence, when they are more than the habit tolerates; else null. */
export function silencioDe(
  { ultimoEm, habitoDias, toleranciaDias }: Habito,
  agora: number,
): { ultimoEm: number; dias: number; habitoDias: number } | null {
  const dias = Math.floor((agora - ultimoEm) / DAY_MS);
  return dias > toleranciaDias ? { ultimoEm, dias, habitoDias } : null;
}

/** Clients whose arrivals one statement reads. */
const CLIENTES_POR_VEZ = 50;
/** Arrivals of a client that tell its habit. */
const CHEGADAS = 400;

interface Parado {
  id: number;
  ultimoNsu: number;
}

/** Remembers the habit of each client up to its next arrival: an office of thousands asks for all of them each minute. */
export class Habitos {
  readonly #conhecidos = new Map<number, { ultimoNsu: number; habito: Habito | null }>();

  /** The habits of some clients, by their id. */
  async de(db: Db, clientes: readonly Parado[]): Promise<ReadonlyMap<number, Habito>> {
    const novos = clientes.filter(({ id, ultimoNsu }) => this.#conhecidos.get(id)?.ultimoNsu !== ultimoNsu);
    for (let start = 0; start < novos.length; start += CLIENTES_POR_VEZ)
      await this.#read(db, novos.slice(start, start + CLIENTES_POR_VEZ));
    return new Map(
      clientes.flatMap(({ id }): [number, Habito][] => {
        const habito = this.#conhecidos.get(id)?.habito;
        return habito ? [[id, habito]] : [];
      }),
    );
  }

  async #read(db: Db, clientes: readonly Parado[]): Promise<void> {
    const rows = await findDiasDeChegada(db, { ids: clientes.map(({ id }) => id), limite: CHEGADAS });
    const porCliente = Map.groupBy(rows, (row) => row.cliente_id);
    for (const { id, ultimoNsu } of clientes) {
      const chegadas = (porCliente.get(id) ?? []).map(({ em }) => em).sort((a, b) => b - a);
      this.#conhecidos.set(id, { ultimoNsu, habito: habitoDe(chegadas) });
    }
  }
}
