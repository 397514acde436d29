/** The calendar of a bare date: a day in America/Sao_Paulo, wherever the document is from. */
import { deslocamentoDaZona } from './fuso.ts';
import { ZONA_NACIONAL } from './uf.ts';

const HOUR_MS = 3_600_000;

/** By hour since 1970. Intl takes a hundred times as long, and clocks are put forward and back at full hours only. */
const deslocamentos = new Map<number, number>();
const DESLOCAMENTOS_MAX = 5_000;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day `YYYY-MM-DD` that the calendar has: neither 30 February nor a thirteenth month. */
export function ehDia(texto: string): boolean {
  const midnight = DAY.test(texto) ? Date.parse(`${texto}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(texto);
}

/** What the clocks of America/Sao_Paulo are ahead of UTC at an instant (ms UTC), in ms: -3 hours, in summers until 2019 -2. */
export function deslocamentoEm(instante: number): number {
  const hora = Math.floor(instante / HOUR_MS);
  const known = deslocamentos.get(hora);
  if (known !== undefined) return known;
  const deslocamento = deslocamentoDaZona(ZONA_NACIONAL, hora * HOUR_MS);
  if (deslocamentos.size >= DESLOCAMENTOS_MAX) deslocamentos.clear();
  deslocamentos.set(hora, deslocamento);
  return deslocamento;
}

/** The day in America/Sao_Paulo, `YYYY-MM-DD`, that an instant (ms UTC) falls on. */
export function diaDe(instante: number): string {
  return new Date(instante + deslocamentoEm(instante)).toISOString().slice(0, 10);
}

/** The first instant (ms UTC) behind a day that begins at `inicio`: days have 23 to 25 hours. */
export function fimDoDia(inicio: number): number {
  return inicioDoDia(diaDe(inicio + 36 * HOUR_MS));
}

/** First instant (ms UTC) of a day `YYYY-MM-DD` in America/Sao_Paulo. @throws RangeError when it is none (`ehDia`) */
export function inicioDoDia(dia: string): number {
  const utcMidnight = Date.parse(`${dia}T00:00:00Z`);
  // The offset is 2 or 3 hours; on a day that daylight saving begins, midnight does not exist and 01:00 is first.
  for (const hours of [2, 3]) {
    const candidate = utcMidnight + hours * HOUR_MS;
    if (diaDe(candidate) === dia && diaDe(candidate - 1) < dia) return candidate;
  }
  return utcMidnight + 3 * HOUR_MS;
}
