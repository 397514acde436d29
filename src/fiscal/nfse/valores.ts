/** Values as cities write them: comma or point, masked CNPJ, dates in the order of the country. */
import { partyId } from '../cpf-cnpj.ts';
import { readDateTime } from '../data-hora.ts';
import type { CpfCnpj } from '../tipos.ts';

const DECIMAL = /^\d{1,15}(?:\.\d{1,10})?$/;
const ISO_WITH_SPACE = /^(\d{4}-\d\d-\d\d)[ T]+(\d\d:\d\d)(:\d\d)?(.*)$/;
const BRAZILIAN = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?:[ T]+(\d{1,2}:\d\d)(:\d\d)?)?$/;
/** xsd:date with a zone, as Java writes it. */
const DAY_WITH_ZONE = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)$/;
/** How a mere day comes out of programs that think in UTC; in Brazil that would be the evening before. */
const MIDNIGHT_UTC = /^(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?Z$/;
/** Commas in groups of three before a point are thousands, whatever the country. */
const ENGLISH = /^\d{1,3}(?:,\d{3})+\.\d+$/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:[ T]?(\d\d):?(\d\d):?(\d\d))?$/;

/**
 * Decimal text with a point: `1500.75` stays, `000001.500,75` and `1,500.75` become `1500.75`.
 *
 * @returns null for anything that is no amount
 */
export function readDecimal(text: string | null): string | null {
  if (text === null) return null;
  const bare = text.replace(/^R\$\s*/, '').trim();
  const isLocal = bare.lastIndexOf(',') > bare.lastIndexOf('.');
  const plain = isLocal ? bare.replaceAll('.', '').replace(',', '.') : bare;
  const point = ENGLISH.test(bare) ? bare.replaceAll(',', '') : plain;
  return DECIMAL.test(point) ? point.replace(/^0+(?=\d)/, '') : null;
}

/** CPF or CNPJ with or without mask; empty and all-zero ids are nobody. */
export function readParty(text: string | null): CpfCnpj | null {
  return partyId((text ?? '').replace(/[./\-\s]/g, ''));
}

/** IBGE code of a city, 7 digits beginning with that of a state; null for codes of other tables. */
export function readMunicipio(text: string | null): string | null {
  return text !== null && /^[1-5]\d{6}$/.test(text) ? text : null;
}

/**
 * Date of a note in the forms that cities use (ISO, with a space, `dd/mm/aaaa`, `aaaammdd`), as ISO 8601 with
 * offset. What has no zone gets the one of the city's state.
 *
 * @param input.hora time that stands in an element of its own, such as `10:30:00`
 * @param input.municipio IBGE code of the city, whose first two digits are its state
 */
export function readMunicipalDate(input: {
  texto: string;
  hora?: string | null;
  municipio: string | null;
}): string | null {
  const { texto, hora = null, municipio } = input;
  const date = toIso(texto);
  const time = /^(\d{1,2}:\d\d)(:\d\d)?$/.exec(hora ?? '');
  const whole =
    time && !date.includes('T') ? `${date}T${(time[1] ?? '').padStart(5, '0')}${time[2] ?? ':00'}` : date;
  return readDateTime(whole, municipio?.slice(0, 2) ?? null);
}

/** The zone of a time as ISO 8601 writes it; fractions of a second with nothing behind them say nothing. */
function zoneOf(tail: string): string {
  return tail
    .trim()
    .replace(/^[.,]\d+$/, '')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}

function toIso(text: string): string {
  const day = MIDNIGHT_UTC.exec(text) ?? DAY_WITH_ZONE.exec(text);
  if (day) return day[2] && day[2] !== 'Z' ? `${day[1]}T00:00:00${day[2]}` : `${day[1]}`;
  const iso = ISO_WITH_SPACE.exec(text);
  if (iso) return `${iso[1]}T${iso[2]}${iso[3] ?? ':00'}${zoneOf(iso[4] ?? '')}`;
  const local = BRAZILIAN.exec(text);
  if (local) {
    const [, dd = '', mm = '', year, time, seconds = ':00'] = local;
    const date = `${year}-${mm.padStart(2, '0')}-${dd.padStart(2, '0')}`;
    return time ? `${date}T${time.padStart(5, '0')}${seconds}` : date;
  }
  const compact = COMPACT.exec(text);
  if (!compact) return text;
  const date = `${compact[1]}-${compact[2]}-${compact[3]}`;
  return compact[4] ? `${date}T${compact[4]}:${compact[5]}:${compact[6]}` : date;
}
