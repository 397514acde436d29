import { isAscii, isUtf8 } from 'node:buffer';
import type { Codificacao, Rejeicao } from '../tipos.ts';

/**
 * `bytes` is a copy for parsing: UTF-8 without byte order mark, without the white space and NULs around the
 * document, its XML declaration telling the truth. The original is kept elsewhere.
 * `codificacao` is what the original bytes are encoded in.
 */
export type Decodificado =
  | { bytes: Uint8Array; codificacao: Codificacao; avisos: string[] }
  | { rejeicao: Rejeicao };

/**
 * Finds out how an XML file is encoded and gives it as UTF-8. Order: byte order mark (UTF-8, also doubled, or
 * UTF-16), UTF-16 without mark, declared encoding, strict UTF-8, windows-1252. A file whose bytes contradict its
 * declaration is read as what its bytes are, with a pt-BR notice.
 * Fault: `xml_mal_formado` when there is no XML in it or its UTF-16 is broken.
 * @fonte docs/regras.md, uploads; XML 1.0 appendix F
 */
export function decodeXml(original: Uint8Array): Decodificado {
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength);
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeUtf16(bytes, utf16);
  const start = startOf(bytes);
  if (start >= bytes.length) return { rejeicao: nothing('O arquivo está vazio: não contém nenhum XML.') };
  const body = bytes.subarray(start, endOf(bytes));
  const declared = declaredEncoding(body);
  const { codificacao, aviso } = detect(body, declared, bytes.length > 2 && bytes[0] === 0xef);
  const utf8 = codificacao === 'utf-8' ? body : Buffer.from(transcode(body, codificacao), 'utf8');
  const single = withoutRepeatedDeclaration(utf8);
  const avisos = single === utf8 ? [] : ['A declaração <?xml … ?> aparece mais de uma vez no início.'];
  return { bytes: withTrueDeclaration(single), codificacao, avisos: aviso ? [aviso, ...avisos] : avisos };
}

/** What stands before the first `<` of a file and is no part of its document. */
const LEADING_PADDING = /^[\ufeff\s\0]+/;

/**
 * The kept document as text for JSON: without what stands before it (byte order mark, white space, NULs); UTF-8 as it is,
 * other encodings transcoded with the declaration's encoding changed to UTF-8.
 */
export function textOf(bytes: Uint8Array, codificacao: Codificacao): string {
  const text = transcode(bytes, codificacao).replace(LEADING_PADDING, '');
  return codificacao === 'utf-8' ? text : withUtf8Declared(text);
}

/** The declaration at the start of the text: before the encoding's name, the name, behind it. */
const DECLARATION = /^(<\?xml[ \t\r\n][^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["'])([^"'>]*)(["'])/;
/** More than any honest declaration takes. */
const DECLARATION_MAX_BYTES = 400;

const LATIN_1 = /^(?:iso-?8859-?1|iso_8859-1(?::1987)?|latin-?1|l1)$/i;
const WINDOWS_1252 = /^(?:windows-?1252|cp-?1252|x-cp1252|ansi)$/i;
const UTF_8 = /^utf-?8$/i;

function declaredEncoding(body: Buffer): string | null {
  return DECLARATION.exec(body.toString('latin1', 0, DECLARATION_MAX_BYTES))?.[2] ?? null;
}

/**
 * Encoding of a file that is not UTF-16. Bytes that are valid UTF-8 beyond ASCII are UTF-8 whatever is declared:
 * no Latin-1 text in Portuguese happens to be so.
 */
function detect(
  body: Buffer,
  declared: string | null,
  marked: boolean,
): { codificacao: Codificacao; aviso: string | null } {
  const isLatin = declared !== null && (LATIN_1.test(declared) || WINDOWS_1252.test(declared));
  const truth = isUtf8(body) ? 'utf-8' : singleByteEncoding(body, declared);
  if (isLatin && !marked) {
    if (truth !== 'utf-8') return { codificacao: truth, aviso: null };
    const told = LATIN_1.test(declared) ? 'iso-8859-1' : 'windows-1252';
    if (isAscii(body)) return { codificacao: told, aviso: null };
    return { codificacao: 'utf-8', aviso: contradiction(declared, 'UTF-8') };
  }
  if (truth === 'utf-8') return { codificacao: 'utf-8', aviso: null };
  return { codificacao: truth, aviso: contradiction(declared ?? 'UTF-8', 'Windows-1252') };
}

/** ISO-8859-1 has no printable characters there; a file that uses them is windows-1252. */
const ONLY_WINDOWS = /[\x80-\x9f]/;

function singleByteEncoding(body: Buffer, declared: string | null): Codificacao {
  const told = declared !== null && LATIN_1.test(declared);
  return told && !ONLY_WINDOWS.test(body.toString('latin1')) ? 'iso-8859-1' : 'windows-1252';
}

function contradiction(declared: string, actual: string): string {
  const shown = declared.slice(0, 40);
  return `O arquivo declara a codificação ${shown}, mas seus bytes não são dela; foi lido como ${actual}.`;
}

/** What both single-byte encodings have in common V8 has as it is; Node's decoder goes through it byte by byte. */
function transcode(bytes: Uint8Array, codificacao: Codificacao): string {
  if (codificacao === 'iso-8859-1' || codificacao === 'windows-1252') {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    if (!ONLY_WINDOWS.test(text)) return text;
  }
  return new TextDecoder(codificacao, { ignoreBOM: true }).decode(bytes);
}

// ---- UTF-16 ----

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // `<` and its neighbour each with a zero byte beside them: a stray NUL before an 8-bit document is no UTF-16.
  if (first === 0x3c && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
}

function decodeUtf16(bytes: Buffer, codificacao: 'utf-16le' | 'utf-16be'): Decodificado {
  let text: string;
  try {
    text = new TextDecoder(codificacao, { fatal: true }).decode(bytes);
  } catch {
    return {
      rejeicao: nothing(
        'O arquivo está em UTF-16, mas tem bytes inválidos ou termina no meio de um caractere.',
      ),
    };
  }
  const body = Buffer.from(text, 'utf8');
  const start = startOf(body);
  if (start >= body.length) return { rejeicao: nothing('O arquivo está vazio: não contém nenhum XML.') };
  return { bytes: withTrueDeclaration(body.subarray(start, endOf(body))), codificacao, avisos: [] };
}

// ---- the edges and the declaration ----

function isPadding(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0;
}

/** Offset behind byte order marks, white space and NULs. */
function startOf(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    if (isPadding(bytes[at])) at++;
    else if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3;
    else return at;
  }
}

/** Offset behind the last byte that is no white space or NUL. */
function endOf(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && isPadding(bytes[end - 1])) end--;
  return end;
}

/** A declaration that another one follows: some systems put their own before the document's. */
const REPEATED = /^<\?xml[ \t\r\n][^>]*\?>(?:[ \t\r\n]|\u00ef\u00bb\u00bf)*(?=<\?xml[ \t\r\n])/;

/** Leaves the last of several declarations; the same buffer where there are not several. */
function withoutRepeatedDeclaration(utf8: Buffer): Buffer {
  let body = utf8;
  for (;;) {
    const first = REPEATED.exec(body.toString('latin1', 0, 2 * DECLARATION_MAX_BYTES))?.[0];
    if (first === undefined) return body;
    body = body.subarray(first.length);
  }
}

/** Changes a declared encoding other than UTF-8, because the bytes are UTF-8 now. */
function withTrueDeclaration(utf8: Buffer): Uint8Array {
  const head = utf8.toString('latin1', 0, DECLARATION_MAX_BYTES);
  const [declaration, , encoding] = DECLARATION.exec(head) ?? [];
  if (declaration === undefined || encoding === undefined || UTF_8.test(encoding)) return utf8;
  return Buffer.concat([
    Buffer.from(withUtf8Declared(declaration), 'latin1'),
    utf8.subarray(declaration.length),
  ]);
}

function withUtf8Declared(text: string): string {
  return text.replace(
    DECLARATION,
    (_whole, before: string, _encoding: string, quote: string) => `${before}UTF-8${quote}`,
  );
}

function nothing(mensagem: string): Rejeicao {
  return { codigo: 'xml_mal_formado', mensagem, elemento: null, linha: null, coluna: null };
}
