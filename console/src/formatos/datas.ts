/** All instants are shown in the time of Brasília, whatever the computer's zone: the documents are dated in it. */
const ZONA = 'America/Sao_Paulo';
const DIA = new Intl.DateTimeFormat('pt-BR', {
  timeZone: ZONA,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});
const DIA_E_HORA = new Intl.DateTimeFormat('pt-BR', {
  timeZone: ZONA,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const RELATIVO = new Intl.RelativeTimeFormat('pt-BR', { numeric: 'auto' });
const DIA_ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
const DIA_DIGITADO = /^(\d{1,2})[\s./-]+(\d{1,2})[\s./-]+(\d{4}|\d{2})$/;
const DIA_CORRIDO = /^(\d{2})(\d{2})(\d{4})$/;

/** Cities write no offset: their clock is that of Brasília, whatever the computer's. */
const SEM_ZONA = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

const instante = (value: string) => {
  const date = new Date(value.replace(SEM_ZONA, '$1T$2-03:00'));
  return Number.isNaN(date.getTime()) ? null : date;
};

/** `2026-11-20` or an instant → `20/11/2026`; a dash where there is none. */
export function formatDia(value: string | null | undefined): string {
  if (!value) return '–';
  const parts = DIA_ISO.exec(value);
  if (parts) return `${parts[3]}/${parts[2]}/${parts[1]}`;
  const date = instante(value);
  return date ? DIA.format(date) : value;
}

/**
 * A day as one types it (`20/11/2026`, `20-11-26`, `20112026`) → `2026-11-20`.
 * @returns empty for nothing typed, null for what is no day
 */
export function readDia(text: string): string | null {
  const typed = text.trim();
  if (typed === '') return '';
  const parts =
    DIA_ISO.exec(typed)?.slice(1).reverse() ??
    (DIA_DIGITADO.exec(typed) ?? DIA_CORRIDO.exec(typed))?.slice(1);
  if (!parts) return null;
  const [day = '', month = '', year = ''] = parts;
  const iso = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // The 31st of a shorter month would be a day of the next one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}

/** An instant → `20/11/2026 14:05`. */
export function formatInstante(value: string | null | undefined): string {
  if (!value) return '–';
  const date = instante(value);
  return date ? DIA_E_HORA.format(date).replace(', ', ' ') : value;
}

const PASSOS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** An instant → `há 3 horas`, `agora`, `em 2 dias`. */
export function formatHaQuanto(value: string | null | undefined, now = Date.now()): string {
  const date = value ? instante(value) : null;
  if (!date) return value ? value : 'nunca';
  const seconds = (date.getTime() - now) / 1000;
  for (const [unit, size] of PASSOS) {
    if (Math.abs(seconds) >= size) return RELATIVO.format(Math.trunc(seconds / size), unit);
  }
  return 'agora';
}

/** The day in Brazil `days` days before or after today, as `YYYY-MM-DD`. */
export function diaDeHoje(days = 0, now = Date.now()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: ZONA }).format(new Date(now + days * 86_400_000));
}
