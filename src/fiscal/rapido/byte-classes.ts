/**
 * What a byte can be, by table. The scanner looks each byte of a document up once; what no table calls harmless is
 * looked at closely, or left to the slow tier.
 *
 * Files of the fast tier bind constants of other files to constants of their own (`const { LF } = byteConsts`): V8 folds
 * only those into compiled code, and would read and check an imported one at each use.
 */

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const BANG = 0x21;
export const DOUBLE_QUOTE = 0x22;
export const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const DASH = 0x2d;
export const SLASH = 0x2f;
export const LESS_THAN = 0x3c;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const QUESTION = 0x3f;
export const BRACKET = 0x5d;
/** First byte of U+F000–U+FFFF, among which U+FFFE and U+FFFF are no characters of XML. */
export const TOP_OF_BMP = 0xef;

/** Bits of {@link TEXT}: character that is no white space; byte of a character beyond ASCII; to be looked at. */
export const NOT_SPACE = 1;
export const NOT_ASCII = 2;
export const LOOK = 4;

/** Bits of {@link NAME}: may start a name, may continue one (the colon continues). */
export const STARTS = 1;
export const CONTINUES = 2;

function table(mark: (code: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => mark(code));
}

export function isSpace(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === 0x09;
}

/** Text between tags: what ends it or is not plain, and control characters (NUL, the sentinel behind the document, too). */
export const TEXT: Uint8Array = table((code) => {
  if (code === SPACE || code === LF || code === 0x09) return 0;
  if ([LESS_THAN, GREATER_THAN, AMPERSAND, BRACKET, CR].includes(code) || code < SPACE) return LOOK;
  if (code === TOP_OF_BMP) return NOT_SPACE | NOT_ASCII | LOOK;
  return code < 0x80 ? NOT_SPACE : NOT_SPACE | NOT_ASCII;
});

/** Values of attributes: quotes, and everything that normalisation changes or XML forbids, is looked at. */
export const VALUE: Uint8Array = table((code) => {
  if (code < SPACE || [LESS_THAN, AMPERSAND, DOUBLE_QUOTE, APOSTROPHE].includes(code)) return LOOK;
  if (code === TOP_OF_BMP) return NOT_ASCII | LOOK;
  return code < 0x80 ? 0 : NOT_ASCII;
});

/** ASCII names only: others are legal and no layout has them. */
export const NAME: Uint8Array = table((code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(char)) return STARTS | CONTINUES;
  return /[0-9.:-]/.test(char) ? CONTINUES : 0;
});
