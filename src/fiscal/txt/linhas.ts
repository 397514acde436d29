/** Lines of an NF-e TXT, with the bytes that each of them is. */
import { isUtf8 } from 'node:buffer';
import type { Codificacao } from '../tipos.ts';

export interface Linha {
  /** From 1, as people count. */
  numero: number;
  /** Upper case, such as `C02A`; '' for a line without the bar. */
  letra: string;
  /** `campos[0]` is the letter as it stands; blanks around a field are not part of it. */
  campos: readonly string[];
  /** Without its end. */
  texto: string;
  /** In `TextoDeLinhas.bytes`, the end of the line included. */
  inicio: number;
  fim: number;
}

export interface TextoDeLinhas {
  bytes: Uint8Array;
  codificacao: Codificacao;
  linhas: Linha[];
}

/** Ten times what the longest line of any layout has. */
const FIELDS_LIMIT = 500;
const LF = 0x0a;
const CR = 0x0d;

function encodingOf(bytes: Uint8Array): Codificacao {
  if (isUtf8(bytes)) return 'utf-8';
  return bytes.some((byte) => byte >= 0x80 && byte <= 0x9f) ? 'windows-1252' : 'iso-8859-1';
}

/** UTF-16 is rare; cut into notes, it is kept as UTF-8. */
function asEightBit(bytes: Uint8Array): { bytes: Uint8Array; codificacao: Codificacao } {
  const [first, second] = bytes;
  const utf16 =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  if (utf16 === null) return { bytes, codificacao: encodingOf(bytes) };
  return { bytes: new TextEncoder().encode(new TextDecoder(utf16).decode(bytes)), codificacao: 'utf-8' };
}

/** Offset behind the end of the line that starts here: LF, CRLF or, as old systems write, CR alone. */
function endOfLine(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === LF) return at + 1;
    if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : at + 1;
  }
  return bytes.length;
}

function fieldsOf(texto: string): string[] {
  const fields = texto.split('|', FIELDS_LIMIT).map((field) => field.trim());
  // Every line ends with the bar: what stands behind it is no field.
  if (fields.length > 1 && fields.at(-1) === '') fields.pop();
  return fields;
}

/** 10 MB of the lines of real notes are some 300,000; an attack is millions of a few bytes. */
export const LINES_LIMIT = 500_000;

/**
 * Cuts a TXT into its lines; empty ones and NULs are left out.
 * @returns null when there are more than LINES_LIMIT
 */
export function readLinhas(original: Uint8Array): TextoDeLinhas | null {
  const { bytes, codificacao } = asEightBit(original);
  const decoder = new TextDecoder(codificacao);
  const linhas: Linha[] = [];
  let numero = 0;
  for (let inicio = 0; inicio < bytes.length; ) {
    const fim = endOfLine(bytes, inicio);
    numero++;
    if (numero > LINES_LIMIT) return null;
    const texto = decoder
      .decode(bytes.subarray(inicio, fim))
      .replaceAll('\u0000', '')
      .replace(/^\ufeff+/, '')
      .trimEnd();
    if (texto.trim() !== '') {
      const campos = fieldsOf(texto);
      const letra = texto.includes('|') ? (campos[0] ?? '').toUpperCase() : '';
      linhas.push({ numero, letra, campos, texto, inicio, fim });
    }
    inicio = fim;
  }
  return { bytes, codificacao, linhas };
}
