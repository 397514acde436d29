/** A protocol in the form in which its version keeps it: short, since nearly every document has one. */
import type { Protocolo } from '../../fiscal/tipos.ts';

/** What nearly all of them say. Rows have the place in this list: only append. */
const MOTIVOS: readonly string[] = [
  'Autorizado o uso da NF-e',
  'Autorizado o uso da NFC-e',
  'Autorizado o uso do CT-e',
  'Evento registrado e vinculado a NF-e',
  'Evento registrado e vinculado a CT-e',
];
/** `digVal` that says what the version's own digest says. */
const MESMO = 0;

/** [cStat, xMotivo, nProt, dhRecbto, digVal]. */
type Curto = [
  cStat: string,
  xMotivo: string | null | number,
  nProt: string | null,
  dhRecbto: string | null,
  digVal: string | null | typeof MESMO,
];

/** Begins the shortest form, which JSON never begins with. */
const USUAL = '#';
const SEPARA = '.';
/** What comes back from a number as it was: of up to 15 digits, the first no zero. */
const NUMERO = /^[1-9][0-9]{0,14}$/;
/** Instants in it: seconds, in the offset of nearly all of the country. */
const BRASILIA = '-03:00';
const HORAS_DE_BRASILIA_MS = -3 * 3_600_000;
const BASE = 36;
/** Rows of before have it in place of an instant; digits of numbers are small letters. */
const SEM_INSTANTE = 'NaN';

/** @param digest of the version that it is kept with: a protocol says the same nearly always, and does not repeat it */
export function writeProtocolo(protocolo: Protocolo, digest: string): string {
  const { cStat, xMotivo, nProt, dhRecbto, digVal } = protocolo;
  const motivo = xMotivo === null ? -1 : MOTIVOS.indexOf(xMotivo);
  const usual = motivo >= 0 && digVal === digest && nProt !== null && NUMERO.test(nProt);
  const segundos = Date.parse(dhRecbto ?? '') / 1_000;
  if (usual && dhRecbto !== null && !cStat.includes(SEPARA) && emBrasilia(segundos) === dhRecbto) {
    return `${USUAL}${cStat}.${motivo}.${Number(nProt).toString(BASE)}.${segundos.toString(BASE)}`;
  }
  const curto: Curto = [
    cStat,
    motivo < 0 ? xMotivo : motivo,
    nProt,
    dhRecbto,
    digVal === digest ? MESMO : digVal,
  ];
  return JSON.stringify(curto);
}

/** `#cStat.motivo.nProt.dhRecbto`, the last two to base 36. */
function readUsual(texto: string, digest: string): Protocolo {
  const [cStat = '', motivo = '', nProt = '', segundos = ''] = texto.slice(USUAL.length).split(SEPARA);
  return {
    cStat,
    xMotivo: MOTIVOS[Number(motivo)] ?? null,
    nProt: String(Number.parseInt(nProt, BASE)),
    dhRecbto: segundos === SEM_INSTANTE ? null : emBrasilia(Number.parseInt(segundos, BASE)),
    digVal: digest,
  };
}

/** @param segundos Unix time. @returns null of what is no time */
function emBrasilia(segundos: number): string | null {
  const local = new Date(segundos * 1_000 + HORAS_DE_BRASILIA_MS);
  if (Number.isNaN(local.getTime())) return null;
  return local.toISOString().slice(0, -MILLISECONDS_AND_ZONE.length) + BRASILIA;
}
const MILLISECONDS_AND_ZONE = '.000Z';

/** Reads also what was written before: an array, or a JSON object. */
export function lerProtocolo(texto: string, digest: string): Protocolo {
  if (texto.startsWith(USUAL)) return readUsual(texto, digest);
  const guardado = JSON.parse(texto) as Curto | Protocolo;
  if (!Array.isArray(guardado)) return guardado;
  const [cStat, xMotivo, nProt, dhRecbto, digVal] = guardado;
  return {
    cStat,
    xMotivo: typeof xMotivo === 'number' ? (MOTIVOS[xMotivo] ?? null) : xMotivo,
    nProt,
    dhRecbto,
    digVal: digVal === MESMO ? digest : digVal,
  };
}
