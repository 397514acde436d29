/** Values as cities write them: comma or point, masked CNPJ, dates in the order of the country. */
import { isCnpj, isCpf, partyId } from '../cpf-cnpj.ts';
import { readDateTime } from '../data-hora.ts';
import type { CpfCnpj } from '../tipos.ts';

const DECIMAL = /^\d{1,15}(?:\.\d{1,10})?$/;
const ISO_WITH_SPACE = /^(\d{4}-\d\d-\d\d)[ T]+(\d\d:\d\d)(:\d\d)?(.*)$/;
const BRAZILIAN =
  /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T]+(\d{1,2}):(\d\d)(:\d\d)?(?:[.,:]\d+)? ?([AP]M)?)?$/i;
/** Two digits for the year: of this century, in which all of these notes are. */
const SHORT_YEAR = /^(\d{1,2}\/\d{1,2}\/)(\d\d)(?=$|[ T])/;
/** `10/03/2026 às 09:30`, `10/03/2026 - 09:30`. */
const BEFORE_TIME = /(?<=\d) (?:[àa]s|-) (?=\d{1,2}:\d\d)/i;
const YEAR_FIRST = /^(\d{4})\/(\d\d)\/(\d\d)([ T].*)?$/;
/** xsd:date with a zone, as Java writes it. */
const DAY_WITH_ZONE = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)$/;
/** How a mere day comes out of programs that think in UTC; in Brazil that would be the evening before. */
const MIDNIGHT_UTC = /^(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?Z$/;
/** Commas in groups of three before a point are thousands, whatever the country. */
const ENGLISH = /^\d{1,3}(?:,\d{3})+\.\d+$/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:[ T]?(\d\d):?(\d\d):?(\d\d))?$/;

/** Points or commas in several groups of three, and nothing behind them: thousands. Spaces in groups of three are, too. */
const THOUSANDS = /^\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/;
const SPACED = /^\d{1,3}(?:[\s\u00a0]\d{3})+(?=[.,]\d|$)/;
/** As Java writes what has more than seven digits: `1.25E7`. */
const JAVA = /^\d(?:\.\d{1,15})?E\d{1,2}$/;

/**
 * Decimal text with a point: `1500.75` stays, `000001.500,75`, `1,500.75` and `1 500,75` become `1500.75`.
 *
 * @returns null for anything that is no amount
 */
export function readDecimal(text: string | null): string | null {
  if (text === null) return null;
  const trimmed = text.replace(/^R\$\s*/, '').trim();
  if (JAVA.test(trimmed)) return inPlainDigits(trimmed);
  if (THOUSANDS.test(trimmed)) return trimmed.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  const bare = SPACED.test(trimmed) ? trimmed.replace(/[\s\u00a0]/g, '') : trimmed;
  const isLocal = bare.lastIndexOf(',') > bare.lastIndexOf('.');
  const plain = isLocal ? bare.replaceAll('.', '').replace(',', '.') : bare;
  const point = ENGLISH.test(bare) ? bare.replaceAll(',', '') : plain;
  return DECIMAL.test(point) ? point.replace(/^0+(?=\d)/, '') : null;
}

function inPlainDigits(java: string): string | null {
  const [digits = '', exponent = '0'] = java.split('E');
  const [whole = '', rest = ''] = digits.split('.');
  const places = Number(exponent);
  if (places > 14) return null;
  const moved = rest.padEnd(places, '0');
  const cents = moved.slice(places);
  return whole + moved.slice(0, places) + (cents === '' ? '' : `.${cents}`);
}

/** One point or comma with three digits behind it, which may be thousands or decimals. */
export function isAmbiguousDecimal(text: string): boolean {
  return /^(?:R\$\s*)?[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim());
}

/**
 * CPF or CNPJ of a party as programs of cities write it: with or without mask, as a number that lost its leading zeros, or
 * with more zeros than it has. Zeros are put back or taken away only where the check digits then hold; eleven digits that
 * are no CPF are a CNPJ without three zeros where those of that hold. Empty and all-zero ids are nobody.
 *
 * @param dica what the name of the field, or a field beside it, says it is
 * @returns null for what is neither
 */
export function readParty(text: string | null, dica: 'cpf' | 'cnpj' | null = null): CpfCnpj | null {
  const bare = (text ?? '').replace(LABEL, '').replace(MASK, '');
  if (/^0*$/.test(bare)) return null;
  const known = partyId(bare);
  if (!/^\d{9,15}$/.test(bare)) return known;
  const cpf = padded(bare, 11);
  const cnpj = padded(bare, 14);
  const isCpfNumber = cpf !== null && isCpf(cpf);
  const isCnpjNumber = cnpj !== null && isCnpj(cnpj);
  // A CPF that begins with 00 holds as a CNPJ too, but a number that lost its zeros does not begin with one.
  const isWholeCpf = isCpfNumber && bare.length === 11 && bare.startsWith('0');
  if (isCnpjNumber && !isWholeCpf && (dica === 'cnpj' || !isCpfNumber || bare.length > 11))
    return cnpj as CpfCnpj;
  return isCpfNumber ? (cpf as CpfCnpj) : known;
}

/** `CNPJ: ` before the number. */
const LABEL = /^\s*(?:CNPJ|CPF)(?:\/(?:CNPJ|CPF))?(?:\s*:\s*|\s+)(?=\d)/i;

/** What masks are made of, and the spaces and dashes that word processors make of them. */
const MASK = /[./\-\s\u00a0\u2010-\u2015]/g;

/** Digits with zeros before them, as many as make the length; null where more than zeros would have to go. */
function padded(digits: string, length: number): string | null {
  const bare = digits.replace(/^0+/, '');
  return bare.length > length ? null : bare.padStart(length, '0');
}

/** IBGE code of a city, 7 digits beginning with that of a state; null for codes of other tables. */
export function readMunicipio(text: string | null): string | null {
  return text !== null && /^[1-5]\d{6}$/.test(text) ? text : null;
}

/** Which comes first where the year stands last. */
export type OrdemDaData = 'dia_mes' | 'mes_dia';

/**
 * Date of a note in the forms that cities use (ISO, with a space, `dd/mm/aaaa`, `aaaammdd`, `Mar 10 2026 9:30AM`), as ISO
 * 8601 with offset. What has no zone gets the one of the city's state.
 *
 * @param input.hora time that stands in an element of its own, such as `10:30:00`
 * @param input.municipio IBGE code of the city, whose first two digits are its state
 */
export function readMunicipalDate(input: {
  texto: string;
  hora?: string | null;
  municipio: string | null;
  ordem?: OrdemDaData;
}): string | null {
  const { texto, hora = null, municipio, ordem = 'dia_mes' } = input;
  const date = toIso(
    texto.trim().replace(/\s+/g, ' ').replace(BEFORE_TIME, ' ').replace(SHORT_YEAR, '$120$2'),
    ordem,
  );
  const time = /^(\d{1,2}:\d\d)(:\d\d)?/.exec(hora?.replace(/^.*[T ]/, '') ?? '');
  const whole =
    time && !date.includes('T') ? `${date}T${(time[1] ?? '').padStart(5, '0')}${time[2] ?? ':00'}` : date;
  return readDateTime(whole, municipio?.slice(0, 2) ?? null);
}

/** Year and month of a competence: `2026-03-10`, `03/2026`, `10/03/2026`, `202603`; null for anything else. */
export function readMonth(text: string | null): string | null {
  if (text === null) return null;
  const found =
    /^(20\d\d)-?(\d\d)(?:$|-?\d\d)/.exec(text) ??
    /^(?:\d{1,2}\/)?(\d{1,2})\/(20\d\d)(?:$|\s)/
      .exec(text)
      ?.map((part, at, all) => [part, all[2], all[1]][at]);
  if (!found) return null;
  const month = (found[2] ?? '').padStart(2, '0');
  return Number(month) >= 1 && Number(month) <= 12 ? `${found[1]}-${month}` : null;
}

/** The zone of a time as ISO 8601 writes it; fractions of a second with nothing behind them say nothing. */
function zoneOf(tail: string): string {
  return tail
    .trim()
    .replace(/^[.,]\d+/, '')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** As databases of Microsoft write it: `Mar 10 2026 12:00:00:000AM`. */
const ENGLISH_DATE =
  /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{4})(?: (\d{1,2}):(\d\d)(?::(\d\d))?(?:[:.]\d+)? ?([AP]M)?)?$/i;

function englishDate(text: string): string | null {
  const found = ENGLISH_DATE.exec(text);
  const month = MONTHS.indexOf(found?.[1]?.toLowerCase() ?? '');
  if (!found || month < 0) return null;
  const [, , day = '', year, hour, minute, second = '00', half] = found;
  const date = `${year}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return hour ? `${date}T${hourOf(hour, half)}:${minute}:${second}` : date;
}

/** Of twelve hours with AM or PM, or of twenty-four. */
function hourOf(hour: string, half: string | undefined): string {
  const twelve = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return String(twelve).padStart(2, '0');
}

function toIso(text: string, ordem: OrdemDaData): string {
  const day = MIDNIGHT_UTC.exec(text) ?? DAY_WITH_ZONE.exec(text);
  if (day) return day[2] && day[2] !== 'Z' ? `${day[1]}T00:00:00${day[2]}` : `${day[1]}`;
  const iso = ISO_WITH_SPACE.exec(text);
  if (iso) return `${iso[1]}T${iso[2]}${iso[3] ?? ':00'}${zoneOf(iso[4] ?? '')}`;
  const local = BRAZILIAN.exec(text);
  if (local) {
    const [, first = '', second = '', year, hour, minute, seconds = ':00', half] = local;
    const [dd, mm] = ordem === 'dia_mes' ? [first, second] : [second, first];
    const date = `${year}-${mm.padStart(2, '0')}-${dd.padStart(2, '0')}`;
    return hour ? `${date}T${hourOf(hour, half)}:${minute}${seconds}` : date;
  }
  const slashed = YEAR_FIRST.exec(text);
  if (slashed) return toIso(`${slashed[1]}-${slashed[2]}-${slashed[3]}${slashed[4] ?? ''}`, ordem);
  const compact = COMPACT.exec(text);
  if (!compact) return englishDate(text) ?? text;
  const date = `${compact[1]}-${compact[2]}-${compact[3]}`;
  return compact[4] ? `${date}T${compact[4]}:${compact[5]}:${compact[6]}` : date;
}
