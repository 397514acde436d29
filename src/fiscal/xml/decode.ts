import { isAscii, isUtf8 } from 'node:buffer';
import type { Codificacao, Rejeicao } from '../tipos.ts';
import { XML_DECLARATION } from './lexer.ts';

/**
 * `bytes` is a copy for parsing: UTF-8 without byte order mark, without the white space and NULs around the
 * document, its XML declaration telling the truth. The original is kept elsewhere.
 * `codificacao` is what the original bytes are encoded in.
 * `reescrito`: the original, as it stands, is XML to nobody (text before it, a declaration that is none, two encodings at
 * once): what is kept of a document that is the whole of it are these bytes.
 */
type Decodificado =
  | { bytes: Uint8Array; codificacao: Codificacao; avisos: string[]; reescrito: boolean }
  | { rejeicao: Rejeicao };

/**
 * Finds out how an XML file is encoded and gives it as UTF-8. Order: byte order mark (UTF-8, also doubled, or
 * UTF-16), UTF-16 without mark, declared encoding, strict UTF-8, windows-1252. A file whose bytes contradict its
 * declaration is read as what its bytes are, with a pt-BR notice. Text before the document (headers of HTTP, what a
 * browser says above it) and a malformed declaration are left out.
 * Fault: `xml_mal_formado` when there is no XML in it.
 * @fonte docs/regras.md, uploads; XML 1.0 appendix F
 */
export function decodeXml(original: Uint8Array): Decodificado {
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength);
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeUtf16(bytes, utf16);
  const start = startOf(bytes);
  if (start >= bytes.length) return { rejeicao: nothing('O arquivo está vazio: não contém nenhum XML.') };
  const text = Math.max(0, startBehindText(bytes.subarray(start)));
  const body = bytes.subarray(start + text, endOf(bytes));
  const declared = declaredEncoding(body);
  const { codificacao, aviso } = detect(body, declared, bytes.length > 2 && bytes[0] === 0xef);
  const mixed = codificacao === 'utf-8' || isLatin(declared) ? null : utf8OfMixed(body);
  const utf8 = codificacao === 'utf-8' ? body : (mixed ?? Buffer.from(transcode(body, codificacao), 'utf8'));
  const single = withoutRepeatedDeclaration(utf8);
  const sound = withoutBadDeclaration(single);
  const avisos = [
    ...(text > 0 ? [TEXTO_ANTES] : []),
    ...(mixed ? [MISTURA] : aviso ? [aviso] : []),
    ...(single === utf8 ? [] : ['A declaração <?xml … ?> aparece mais de uma vez no início.']),
    ...(sound === single
      ? []
      : ['A declaração <?xml … ?> do início está mal formada e foi deixada de lado.']),
  ];
  const reescrito = text > 0 || mixed !== null || sound !== single;
  return { bytes: withTrueDeclaration(sound), codificacao, avisos, reescrito };
}

const TEXTO_ANTES = 'Havia texto antes do XML, que foi deixado de lado.';
const MISTURA = 'O arquivo mistura duas codificações; o que não é UTF-8 foi lido como Windows-1252.';

/** How long what stands before the document may be: headers, a sentence, the beginning of a letter. */
const TEXT_BEFORE_MAX_BYTES = 4_096;
const DECLARATION_START = /<\?xml[ \t\r\n]/;
const START_TAG = /<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)(?:[ \t\r\n][^<>]*)?>/g;
/** Marks that people and mail programs put into texts. */
const TEXT_MARK =
  /^(?:html|head|body|title|meta|script|style|div|span|center|br|h[1-6]|p|[biua]|em|strong|font|table|t[rdh]|ul|ol|li|pre|code|img)$/i;

/**
 * Where XML begins behind text: a declaration, or an element that is closed further on.
 * @returns -1 where there is none
 */
export function startBehindText(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = buffer.toString('latin1', 0, TEXT_BEFORE_MAX_BYTES);
  if (head.startsWith('<')) return 0;
  const declaration = head.search(DECLARATION_START);
  if (declaration >= 0) return declaration;
  const [first] = [...head.matchAll(START_TAG)].filter(({ 1: name = '' }) => !TEXT_MARK.test(name));
  return first && buffer.includes(`</${first[1]}`, first.index) ? first.index : -1;
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
  const truth = isUtf8(body) ? 'utf-8' : singleByteEncoding(body, declared);
  if (declared !== null && isLatin(declared) && !marked) {
    if (truth !== 'utf-8') return { codificacao: truth, aviso: null };
    const told = LATIN_1.test(declared) ? 'iso-8859-1' : 'windows-1252';
    if (isAscii(body)) return { codificacao: told, aviso: null };
    return { codificacao: 'utf-8', aviso: contradiction(declared, 'UTF-8') };
  }
  if (truth === 'utf-8') return { codificacao: 'utf-8', aviso: null };
  return { codificacao: truth, aviso: contradiction(declared ?? 'UTF-8', 'Windows-1252') };
}

function isLatin(declared: string | null): boolean {
  return declared !== null && (LATIN_1.test(declared) || WINDOWS_1252.test(declared));
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

// ---- two encodings at once ----

/** Bytes of a character by its first one; 0 where none begins so. */
function utf8Length(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/**
 * UTF-8 of a file that is UTF-8 but for some bytes of windows-1252, as comes of texts put together by hand.
 * @returns null where nothing beyond ASCII in it is UTF-8
 */
function utf8OfMixed(body: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  let [from, wide] = [0, 0];
  for (let at = 0; at < body.length; at++) {
    const first = body[at] as number;
    if (first < 0x80) continue;
    const length = utf8Length(first);
    if (length > 0 && isUtf8(body.subarray(at, at + length))) {
      wide++;
      at += length - 1;
    } else {
      const one = Buffer.from(transcode(body.subarray(at, at + 1), 'windows-1252'), 'utf8');
      parts.push(body.subarray(from, at), one);
      from = at + 1;
    }
  }
  return wide === 0 ? null : Buffer.concat([...parts, body.subarray(from)]);
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

const HALF_A_CHARACTER = 'O arquivo em UTF-16 termina no meio de um caractere, que foi deixado de fora.';

/** What is no character becomes one that XML does not permit, so that the reader names it where it stands. */
function textOfUtf16(bytes: Buffer, codificacao: 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(codificacao, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(codificacao).decode(bytes).replaceAll('\ufffd', '\uffff');
  }
}

function decodeUtf16(bytes: Buffer, codificacao: 'utf-16le' | 'utf-16be'): Decodificado {
  const isOdd = bytes.length % 2 === 1;
  const text = textOfUtf16(isOdd ? bytes.subarray(0, -1) : bytes, codificacao);
  const body = Buffer.from(text, 'utf8');
  const start = startOf(body);
  if (start >= body.length) return { rejeicao: nothing('O arquivo está vazio: não contém nenhum XML.') };
  const bytesOfText = withTrueDeclaration(body.subarray(start, endOf(body)));
  // What is kept would not be the file's own bytes.
  return { bytes: bytesOfText, codificacao, avisos: isOdd ? [HALF_A_CHARACTER] : [], reescrito: isOdd };
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

const ANY_DECLARATION = /^<\?xml[ \t\r\n][^>]*\?>[ \t\r\n]*/i;

/** Without a declaration that says nothing by the rules; the same buffer where it does, or where there is none. */
function withoutBadDeclaration(utf8: Buffer): Buffer {
  const found = ANY_DECLARATION.exec(utf8.toString('latin1', 0, DECLARATION_MAX_BYTES))?.[0];
  if (found === undefined || XML_DECLARATION.test(found.trimEnd())) return utf8;
  return utf8.subarray(found.length);
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
