/** A protocol in the form in which its version keeps it: short, since nearly every document has one. */
import type { Protocolo } from '../fiscal/tipos.ts';

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

/** @param digest of the version that it is kept with: a protocol says the same nearly always, and does not repeat it */
export function escreverProtocolo(protocolo: Protocolo, digest: string): string {
  const { cStat, xMotivo, nProt, dhRecbto, digVal } = protocolo;
  const usual = xMotivo === null ? -1 : MOTIVOS.indexOf(xMotivo);
  const curto: Curto = [
    cStat,
    usual < 0 ? xMotivo : usual,
    nProt,
    dhRecbto,
    digVal === digest ? MESMO : digVal,
  ];
  return JSON.stringify(curto);
}

/** Reads also what was written before: a JSON object. */
export function lerProtocolo(texto: string, digest: string): Protocolo {
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
