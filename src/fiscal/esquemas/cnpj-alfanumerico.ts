/**
 * The alphanumeric CNPJ has been in production since July 2026, but the schema package that npm ships is older and
 * still demands digits. Judged by it, every document of a company with letters in its CNPJ would be called
 * invalid. So the patterns that hold a CNPJ, an access key or the number of a protocol are widened in memory, exactly as the official
 * packages from PL_010d on write them; nothing else of the schema changes.
 *
 * @fonte NT DFe Conjunta 2025.001 (12 positions [0-9A-Z], 2 check digits); NT 2026.004; the patterns of PL_010e
 */

const CNPJ = '[0-9A-Z]{12}[0-9]{2}';
const CHAVE = '[0-9]{6}[0-9A-Z]{12}[0-9]{26}';

/** Digits-only form as it stands inside a pattern → the form that also takes letters in the CNPJ part. */
const WIDENINGS: readonly (readonly [RegExp, string])[] = [
  // Event Id: ID + tpEvento(6) + chave(44) + nSeqEvento(2).
  [/ID\[0-9\]\{52\}/g, 'ID[0-9]{12}[0-9A-Z]{12}[0-9]{28}'],
  // Inutilização Id: ID + cUF(2) ano(2) CNPJ(14) mod(2) serie(3) nNFIni(9) nNFFin(9).
  [/ID\[0-9\]\{41\}/g, 'ID[0-9]{4}[0-9A-Z]{12}[0-9]{25}'],
  // Access key: TChNFe, infNFe/@Id, QR code with chNFe=.
  [/\[0-9\]\{44\}/g, CHAVE],
  // The first 34 positions of the key, where the QR code looks at tpEmis.
  [/\[0-9\]\{34\}(?=\(?[19])/g, '[0-9]{6}[0-9A-Z]{12}[0-9]{16}'],
  // TCnpj and TCnpjOpc: a whole branch of the pattern, so that a 14-digit number inside something else stays.
  [/(?<=^|\|)\[0-9\]\{14\}(?=$|\|)/g, CNPJ],
  // TProt and its kin: since July of 2025 a protocol has up to 17 digits, in events too.
  [/(?<=^|\|)\[0-9\]\{15\}(?=$|\|)/g, '[0-9]{15,17}'],
  // TCnpjVar, and the optional recipient of the QR code version 3.
  [/(?<=^|[|(])\[0-9\]\{3,14\}(?=$|[|)])/g, `[0-9]{3,14}|${CNPJ}`],
];

const PATTERN_VALUE = /(<(?:[\w-]+:)?pattern\s+value\s*=\s*)("[^"]*"|'[^']*')/g;

/**
 * Widens the CNPJ and key patterns of one `.xsd`. A schema that already takes letters comes back unchanged.
 * Works on any encoding that extends ASCII: only ASCII characters are looked at and written.
 */
export function acceptAlphanumericCnpj(xsd: Uint8Array): Uint8Array {
  const text = Buffer.from(xsd.buffer, xsd.byteOffset, xsd.byteLength).toString('latin1');
  const widened = text.replace(PATTERN_VALUE, (_, before: string, quoted: string) => {
    const quote = quoted.charAt(0);
    return before + quote + widenPattern(quoted.slice(1, -1)) + quote;
  });
  return widened === text ? xsd : Buffer.from(widened, 'latin1');
}

/** The same for all files of a package. */
export function widenPackage(arquivos: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  return new Map([...arquivos].map(([name, bytes]) => [name, acceptAlphanumericCnpj(bytes)]));
}

function widenPattern(pattern: string): string {
  return WIDENINGS.reduce((result, [digitsOnly, widened]) => result.replace(digitsOnly, widened), pattern);
}
