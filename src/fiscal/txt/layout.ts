/**
 * Where the fields of an NF-e TXT stand. Every dialect (SEBRAE, local) and year has inserted fields in the middle of
 * lines B, I and W02 without saying so in the version of line A; so they are found by what stands in them.
 * @fonte TXT layout of the emissor NF-e
 */

/** Decimal text with a point; some exports write a comma. */
export function decimal(text: string | undefined): string | null {
  const plain = (text ?? '').replace(',', '.');
  return /^\d{1,15}(?:\.\d{1,10})?$/.test(plain) ? plain : null;
}

function matching(text: string | undefined, pattern: RegExp): string | null {
  return text !== undefined && pattern.test(text) ? text : null;
}

export interface CamposDaLinhaB {
  cUF: string | null;
  cNF: string | null;
  natOp: string | null;
  /** As it stands, to be told when it is neither 55 nor 65. */
  mod: string;
  serie: string | null;
  nNF: string | null;
  dhEmi: string;
  tpNF: '0' | '1' | null;
  tpEmis: string | null;
  tpAmb: string | null;
  finNFe: string | null;
  tpNFDebito: string | null;
  tpNFCredito: string | null;
}

const MODELO = /^(?:55|65)$/;
const MUNICIPIO = /^\d{7}$/;

/** `indPag` (until 3.10) stands before the model: fields behind it move by one. */
function modelAt(b: readonly string[], layout: string): number {
  if (MODELO.test(b[4] ?? '')) return 4;
  if (MODELO.test(b[5] ?? '')) return 5;
  return layout.startsWith('4') ? 4 : 5;
}

/**
 * Reads line B. Behind the date stand, by dialect, one to three more of them; the municipality (cMunFG, 7 digits)
 * is the landmark from which the rest counts. An empty field or a second municipality behind it is cMunFGIBS.
 */
export function readLinhaB(b: readonly string[], layout: string): CamposDaLinhaB {
  const mod = modelAt(b, layout);
  const city = b.findIndex((field, at) => at > mod + 3 && MUNICIPIO.test(field));
  const hasSecondCity = b[city + 1] === '' || MUNICIPIO.test(b[city + 1] ?? '');
  const after = city + (hasSecondCity ? 2 : 1);
  const at = (index: number): string | undefined => (city < 0 ? undefined : b[index]);
  // Up to 2.00 there is no idDest between tpNF and the municipality.
  const tpNF = at(/^[12]\./.test(layout) ? city - 1 : city - 2);
  return {
    cUF: matching(b[1], /^\d{2}$/),
    cNF: matching(b[2], /^\d{1,9}$/),
    natOp: b[3] === '' ? null : (b[3] ?? null),
    mod: b[mod] ?? '',
    serie: matching(b[mod + 1], /^\d{1,3}$/),
    nNF: matching(b[mod + 2], /^\d{1,9}$/),
    dhEmi: b[mod + 3] ?? '',
    tpNF: tpNF === '0' || tpNF === '1' ? tpNF : null,
    tpEmis: matching(at(after + 1), /^[1-9]$/),
    tpAmb: matching(at(after + 3), /^[12]$/),
    finNFe: matching(at(after + 4), /^[1-9]$/),
    // Before the reform indFinal and indPres stand there, which have one digit.
    tpNFDebito: matching(at(after + 5), /^\d{2}$/),
    tpNFCredito: matching(at(after + 6), /^\d{2}$/),
  };
}

interface CamposDaLinhaI {
  ncm: string | null;
  cfop: string | null;
  vProd: string | null;
  /** Whether its value is part of vProd of the note (indTot). */
  noTotal: boolean;
}

/**
 * Reads line I. Between the NCM and the CFOP stand, by dialect, none to six fields (NVE, CEST, escala, CNPJ do
 * fabricante, cBenef, EXTIPI), none of which has the form of a CFOP; its value stands four fields behind it, indTot thirteen.
 */
export function readLinhaI(i: readonly string[]): CamposDaLinhaI {
  const cfop = i.findIndex((field, at) => at >= 5 && /^[1-7]\d{3}$/.test(field));
  if (cfop < 0) return { ncm: matching(i[4], /^(?:\d{2}|\d{8})$/), cfop: null, vProd: null, noTotal: true };
  // A dialect with two bar codes has the NCM one field later.
  const ncm = [i[4], i[5]].find((field) => /^(?:\d{2}|\d{8})$/.test(field ?? ''));
  const vProd = decimal(i[cfop + 4]);
  return { ncm: ncm ?? null, cfop: i[cfop] ?? null, vProd, noTotal: i[cfop + 13] !== '0' };
}
