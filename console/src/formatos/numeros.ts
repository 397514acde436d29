const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const INTEIRO = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const DECIMAL = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/** `"1234.56"` → `R$ 1.234,56`; a dash where there is no value. */
export function formatReais(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  const number = Number(value);
  return Number.isFinite(number) ? REAIS.format(number) : String(value);
}

/** `12345` → `12.345`; a dash where there is none. */
export const formatInteiro = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : INTEIRO.format(value);

/** `"10.5000"` → `10,5`: all digits that say something, at least none behind the comma. */
export function formatDecimal(value: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 10 }).format(number);
}

const UNIDADES = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Decimal units, as file managers show them: `1234567` → `1,2 MB`. */
export function formatarBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return '–';
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNIDADES.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${DECIMAL.format(value)} ${UNIDADES[unit]}`;
}

/** `plural(1, 'documento')` → `1 documento`, `plural(2, 'documento')` → `2 documentos`. */
export function plural(count: number, um: string, varios = `${um}s`): string {
  return `${INTEIRO.format(count)} ${count === 1 ? um : varios}`;
}
