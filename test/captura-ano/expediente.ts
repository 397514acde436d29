/** When the office's machine is on: on weekdays in the daytime, and now and then a whole week through. */
import { DIA_MS, HORA_MS } from '../../src/simulador/tipos.ts';

/** Brasília. */
const FUSO_MS = 3 * HORA_MS;
const LIGA_MS = 8 * HORA_MS;
const DESLIGA_MS = 18 * HORA_MS;
/** Every so many weeks it is never turned off. */
const SEMANA_INTEIRA = 13;
const SEMANA_MS = 7 * DIA_MS;

export class Expediente {
  readonly #inicio: number;
  readonly #semParar: boolean;

  /** @param inicio ms of a Monday, midnight in Brasília */
  constructor(inicio: number, semParar: boolean) {
    this.#inicio = inicio;
    this.#semParar = semParar;
  }

  isOn(em: number): boolean {
    const week = Math.floor((em - this.#inicio) / SEMANA_MS);
    if (this.#semParar || week % SEMANA_INTEIRA === 0) return true;
    const weekday = new Date(em - FUSO_MS).getUTCDay();
    const time = (em - FUSO_MS) % DIA_MS;
    return weekday >= 1 && weekday <= 5 && time >= LIGA_MS && time < DESLIGA_MS;
  }

  /** When it is turned on next; a moment at which it is on is that moment itself. */
  nextOn(em: number): number {
    if (this.isOn(em)) return em;
    let hour = em - (em % HORA_MS);
    do hour += HORA_MS;
    while (!this.isOn(hour));
    return hour;
  }

  /** The times within a period in which it is off. */
  offWithin(de: number, ate: number): { de: number; ate: number }[] {
    const found: { de: number; ate: number }[] = [];
    for (let hour = de; hour < ate; hour += HORA_MS) {
      if (this.isOn(hour)) continue;
      const on = Math.min(ate, this.nextOn(hour));
      found.push({ de: hour, ate: on });
      hour = on - HORA_MS;
    }
    return found;
  }
}
