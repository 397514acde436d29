import { FUSO } from '../documentos/dia.ts';

const partes = new Intl.DateTimeFormat('en-US', {
  timeZone: FUSO,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

const MINUTE_MS = 60_000;

/** `2026-11-20T09:30:00.000`: the wall clock of America/Sao_Paulo, without offset (contract 3). */
export function horaLocal(instante: number): string {
  const p = Object.fromEntries(partes.formatToParts(instante).map((parte) => [parte.type, parte.value]));
  return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}.${p.fractionalSecond}`;
}

/** `2026-11-20T09:30:00.000-03:00`: the same with its offset from UTC. */
export function horaComDeslocamento(instante: number): string {
  const local = horaLocal(instante);
  const minutes = Math.round((Date.parse(`${local}Z`) - instante) / MINUTE_MS);
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}
