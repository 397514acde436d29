/** Values as cities write them: comma or point, masked CNPJ, dates in the order of the country. */
import { partyId } from '../cpf-cnpj.ts';
import { readDateTime } from '../data-hora.ts';
import type { CpfCnpj } from '../tipos.ts';

const DECIMAL = /^\d{1,15}(?:\.\d{1,10})?$/;
const ISO_WITH_SPACE = /^(\d{4}-\d\d-\d\d)[ T]+(\d\d:\d\d)(:\d\d)?(.*)$/;
const BRAZILIAN = /^(\d\d)[/-](\d\d)[/-](\d{4})(?:[ T]+(\d\d:\d\d)(:\d\d)?)?$/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:[ T]?(\d\d):?(\d\d):?(\d\d))?$/;

/**
 * Decimal text with a point: `1500.75` stays, `000001.500,75` becomes `1500.75`.
 *
 * @returns null for anything that is no amount
 */
export function readDecimal(text: string | null): string | null {
  if (text === null) return null;
  const bare = text.replace(/^R\$\s*/, '').trim();
  const point = bare.includes(',') ? bare.replaceAll('.', '').replace(',', '.') : bare;
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
  const time = hora !== null && /^\d\d:\d\d(?::\d\d)?$/.test(hora) ? hora : null;
  const whole = time && !date.includes('T') ? `${date}T${time.length === 5 ? `${time}:00` : time}` : date;
  return readDateTime(whole, municipio?.slice(0, 2) ?? null);
}

function toIso(text: string): string {
  const iso = ISO_WITH_SPACE.exec(text);
  if (iso) return `${iso[1]}T${iso[2]}${iso[3] ?? ':00'}${(iso[4] ?? '').replace(/^[.,]\d+$/, '').trim()}`;
  const local = BRAZILIAN.exec(text);
  if (local) {
    const day = `${local[3]}-${local[2]}-${local[1]}`;
    return local[4] ? `${day}T${local[4]}${local[5] ?? ':00'}` : day;
  }
  const compact = COMPACT.exec(text);
  if (!compact) return text;
  const day = `${compact[1]}-${compact[2]}-${compact[3]}`;
  return compact[4] ? `${day}T${compact[4]}:${compact[5]}:${compact[6]}` : day;
}
