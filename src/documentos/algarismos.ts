/**
 * Texts of digits and commas, in half of their room and still text: seven printable characters say what thirteen digits
 * do. Rows are full of such texts, and too short for a compressor.
 */

const SYMBOLS = '0123456789,';
const BASE = SYMBOLS.length;
/** Printable ASCII without the space: 94 characters from `!` on. */
const [FIRST_CHAR, CHARS] = [0x21, 94];
/** 11 ** 13 values fit into 94 ** 7, and in general 11 ** (2m - 1) into 94 ** m for each m up to 7. */
const [GROUP_SYMBOLS, GROUP_CHARS] = [13, 7];
/** What is filled up with, and taken off again. */
const FILL = ',';

/** @param texto of digits and commas, which does not end in a comma */
export function apertar(texto: string): string {
  let apertado = '';
  for (let at = 0; at < texto.length; at += GROUP_SYMBOLS) {
    const group = texto.slice(at, at + GROUP_SYMBOLS);
    const chars = Math.ceil((group.length + 1) / 2);
    apertado += inBase(CHARS, chars, numberOf(group.padEnd(2 * chars - 1, FILL)));
  }
  return apertado;
}

function numberOf(symbols: string): number {
  let value = 0;
  for (const symbol of symbols) value = value * BASE + SYMBOLS.indexOf(symbol);
  return value;
}

function inBase(base: number, length: number, value: number): string {
  const codes: number[] = new Array(length).fill(FIRST_CHAR);
  for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / base)) {
    codes[at] = FIRST_CHAR + (rest % base);
  }
  return String.fromCharCode(...codes);
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
