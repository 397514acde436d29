/**
 * Texts of digits and commas, in half of their room and still text: seven printable characters say what thirteen digits
 * do. Rows are full of such texts, and too short for a compressor.
 */

const SYMBOLS = '0123456789,';
const BASE = SYMBOLS.length;
const [ZERO, COMMA] = [0x30, 0x2c];
/** Printable ASCII without the space: 94 characters from `!` on. */
const [FIRST_CHAR, CHARS] = [0x21, 94];
/** 11 ** 13 values fit into 94 ** 7, and in general 11 ** (2m - 1) into 94 ** m for each m up to 7. */
const [GROUP_SYMBOLS, GROUP_CHARS] = [13, 7];

/** @param texto of digits and commas, which does not end in a comma */
export function apertar(texto: string): string {
  // A character for two symbols, and one more for each group that is not full.
  const apertado = Buffer.allocUnsafe(texto.length);
  let end = 0;
  for (let at = 0; at < texto.length; at += GROUP_SYMBOLS) {
    const chars = Math.ceil((Math.min(GROUP_SYMBOLS, texto.length - at) + 1) / 2);
    let value = 0;
    for (let i = at; i < at + 2 * chars - 1; i++) value = value * BASE + symbolAt(texto, i);
    end += chars;
    for (let i = end - 1; i >= end - chars; i--, value = Math.floor(value / CHARS)) {
      apertado[i] = FIRST_CHAR + (value % CHARS);
    }
  }
  return apertado.toString('latin1', 0, end);
}

/** A text is filled up with commas behind its end. */
function symbolAt(texto: string, at: number): number {
  const code = at < texto.length ? texto.charCodeAt(at) : COMMA;
  return code === COMMA ? BASE - 1 : code - ZERO;
}

/** @param apertado what `apertar` gave */
export function soltar(apertado: string): string {
  let texto = '';
  for (let at = 0; at < apertado.length; at += GROUP_CHARS) {
    const group = apertado.slice(at, at + GROUP_CHARS);
    let value = 0;
    for (let i = 0; i < group.length; i++) value = value * CHARS + group.charCodeAt(i) - FIRST_CHAR;
    let symbols = '';
    for (let count = 2 * group.length - 1; count > 0; count--, value = Math.floor(value / BASE)) {
      symbols = SYMBOLS.charAt(value % BASE) + symbols;
    }
    texto += symbols;
  }
  return texto.replace(/,+$/, '');
}
