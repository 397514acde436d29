import { deslocamentoEm } from '../fiscal/dia.ts';

const MINUTE_MS = 60_000;

/** `2026-11-20T09:30:00.000`: the wall clock of America/Sao_Paulo, without offset. */
export function horaLocal(instante: number): string {
  return new Date(instante + deslocamentoEm(instante)).toISOString().slice(0, -1);
}

/** `2026-11-20T09:30:00.000-03:00`: the same with its offset from UTC. */
export function horaComDeslocamento(instante: number): string {
  const minutes = Math.round(deslocamentoEm(instante) / MINUTE_MS);
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${horaLocal(instante)}${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}
