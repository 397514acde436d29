/**
 * The first sheet of an .xlsx as rows of texts. What a spreadsheet shows as `5,36E+13` it keeps with all its digits: they
 * are here, while in a CSV they are lost.
 * @fonte ECMA-376 Part 1, 18.3 (worksheets), 18.4 (shared strings); PKWARE APPNOTE 6.3.9, 4.3 and 4.4
 */

import { inflateRawSync } from 'node:zlib';
import { PREDEFINED } from '../../fiscal/xml/text.ts';
import { csvInvalido } from '../errors.ts';

/**
 * All of it is read in the thread that serves everybody, and a few hundred kilobytes can become a thousand times as much: each
 * of these bounds is far beyond a list of clients, and what passes one is refused. One part of the file, opened:
 */
const PARTE_MAX_BYTES = 4 * 1024 * 1024;
const PARTES_MAX = 1_000;
const COLUNAS_MAX = 50;
/** With those that are empty. */
const LINHAS_MAX = 20_000;
const TEXTOS_MAX = 120_000;
/** Pieces of one text that have a look of their own. */
const PEDACOS_MAX = 1_000;
/** A longer text is no name and no address: it is cut, for many cells may show the one that is kept once. */
const CELULA_MAX_CARACTERES = 500;

const FIM_DO_DIRETORIO = 0x06054b50;
const NO_DIRETORIO = 0x02014b50;
const COMENTARIO_MAX = 65_535;
const FIM_BYTES = 22;
const NO_DIRETORIO_BYTES = 46;
const LOCAL_BYTES = 30;
const [SEM_COMPRESSAO, DEFLATE] = [0, 8];

/** Whether bytes are a zip: an .xlsx is one. */
export const ehXlsx = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));

/** @returns rows with their line in the sheet, 1 the first one; empty ones are left out @throws csv_invalido */
export function readXlsx(bytes: Buffer): { record: string[]; linha: number }[] {
  try {
    const partes = partesDoZip(bytes);
    const nome = [...partes.keys()].filter((one) => /^xl\/worksheets\/[^/]+\.xml$/.test(one)).sort()[0];
    const planilha = nome === undefined ? undefined : partes.get(nome)?.();
    if (planilha === undefined) throw new Error('no sheet');
    const textos = textosDe(partes.get('xl/sharedStrings.xml')?.() ?? '');
    return linhasDe(planilha, textos);
  } catch {
    throw csvInvalido('A planilha não pôde ser lida: abra-a no Excel e salve de novo como .xlsx ou CSV.');
  }
}

/** Each part by its name, opened when it is asked for. @throws for what is no zip that spreadsheets write */
function partesDoZip(bytes: Buffer): Map<string, () => string> {
  let end = bytes.length - FIM_BYTES;
  const first = Math.max(0, end - COMENTARIO_MAX);
  while (end >= first && bytes.readUInt32LE(end) !== FIM_DO_DIRETORIO) end--;
  if (end < first) throw new Error('no end of directory');
  const count = bytes.readUInt16LE(end + 10);
  if (count > PARTES_MAX) throw new Error('too many parts');
  const partes = new Map<string, () => string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let part = 0; part < count; part++) {
    if (bytes.readUInt32LE(at) !== NO_DIRETORIO) throw new Error('no directory entry');
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const nameEnd = at + NO_DIRETORIO_BYTES + (name ?? 0);
    partes.set(bytes.toString('utf8', at + NO_DIRETORIO_BYTES, nameEnd), () =>
      abrir(bytes, { method, size, local }),
    );
    at = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
  return partes;
}

function abrir(
  bytes: Buffer,
  { method, size, local }: { method: number; size: number; local: number },
): string {
  const start = local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const stored = bytes.subarray(start, start + size);
  if (method === SEM_COMPRESSAO) return stored.toString('utf8');
  if (method !== DEFLATE) throw new Error('unknown compression');
  return inflateRawSync(stored, { maxOutputLength: PARTE_MAX_BYTES }).toString('utf8');
}

/** Elements of one name in a text, one behind the other: what it costs grows with the text, whatever is in it. */
function* elementos(xml: string, nome: string): Generator<{ atributos: string; dentro: string }> {
  const [open, close] = [`<${nome}`, `</${nome}>`];
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const start = at + open.length;
    const tagEnd = xml.indexOf('>', start);
    if (tagEnd < 0) return;
    at = tagEnd + 1;
    // `<c` begins `<cols` as well.
    if (!/[\s/>]/.test(xml.charAt(start))) continue;
    if (xml.charAt(tagEnd - 1) === '/') {
      yield { atributos: xml.slice(start, tagEnd - 1), dentro: '' };
      continue;
    }
    const end = xml.indexOf(close, at);
    if (end < 0) return;
    yield { atributos: xml.slice(start, tagEnd), dentro: xml.slice(at, end) };
    at = end + close.length;
  }
}

/** @throws where there are more */
function noMaximo<T>(todos: Iterable<T>, limite: number): T[] {
  const some: T[] = [];
  for (const one of todos) {
    if (some.length === limite) throw new Error('too many');
    some.push(one);
  }
  return some;
}

/** All text of an element, of which a part may have a look of its own. */
const textoDe = (xml: string) =>
  decodeEntities(
    noMaximo(elementos(xml, 't'), PEDACOS_MAX)
      .map(({ dentro }) => dentro.slice(0, CELULA_MAX_CARACTERES))
      .join(''),
  );

function decodeEntities(text: string): string {
  return text
    .slice(0, CELULA_MAX_CARACTERES)
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (_all, dec, hex, nome) => {
      if (nome) return PREDEFINED[String(nome).toLowerCase()] ?? '';
      const code = dec ? Number(dec) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    });
}

const textosDe = (xml: string) =>
  noMaximo(elementos(xml, 'si'), TEXTOS_MAX).map(({ dentro }) => textoDe(dentro));

function linhasDe(xml: string, textos: readonly string[]): { record: string[]; linha: number }[] {
  const rows = [];
  let linha = 0;
  for (const { atributos, dentro } of noMaximo(elementos(xml, 'row'), LINHAS_MAX)) {
    linha = Number(/\sr="(\d{1,7})"/.exec(atributos)?.[1] ?? linha + 1);
    const record: string[] = [];
    for (const cell of elementos(dentro, 'c')) {
      const column = colunaDe(cell.atributos) ?? record.length;
      // They stand in their order.
      if (column >= COLUNAS_MAX) break;
      record[column] = valorDe(cell, textos);
    }
    const filled = Array.from(record, (value) => value ?? '');
    if (filled.some((value) => value.trim() !== '')) rows.push({ record: filled, linha });
  }
  return rows;
}

/** `r="B7"` → 1. */
function colunaDe(attributes: string): number | null {
  const letters = /\sr="([A-Z]{1,3})\d/.exec(attributes)?.[1];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function valorDe(
  { atributos, dentro }: { atributos: string; dentro: string },
  textos: readonly string[],
): string {
  const type = /\st="(\w+)"/.exec(atributos)?.[1] ?? 'n';
  if (type === 'inlineStr') return textoDe(dentro);
  const [first] = elementos(dentro, 'v');
  const value = decodeEntities(first?.dentro ?? '');
  if (type === 's') return textos[Number(value)] ?? '';
  if (type !== 'n' || value === '') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? String(number) : value;
}
