import { isUtf8 } from 'node:buffer';

/** What the bytes of a file are, whatever its name says. */
export type Formato =
  | 'vazio'
  | 'xml'
  | 'xml_escapado'
  | 'html'
  | 'pdf'
  | 'imagem'
  | 'rar'
  | '7z'
  | 'gzip'
  | 'gzip_base64'
  | 'json'
  | 'sped'
  | 'banco'
  | 'office'
  | 'nfe_txt'
  | 'lista_de_chaves'
  | 'texto'
  | 'sistema'
  | 'binario';

/** How much of a file is looked at; more than any prolog, comment or letterhead that was seen. */
const HEAD_BYTES = 4096;

const SIGNATURES: readonly (readonly [Formato, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['imagem', [0x89, 0x50, 0x4e, 0x47]],
  ['imagem', [0xff, 0xd8, 0xff]],
  ['imagem', [0x47, 0x49, 0x46, 0x38]],
  ['imagem', [0x49, 0x49, 0x2a, 0x00]],
  ['imagem', [0x4d, 0x4d, 0x00, 0x2a]],
  ['imagem', [0x42, 0x4d]],
  // Compound file of Word and Excel until 2003. Newer ones are zips, which never come here.
  ['office', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['office', [0x7b, 0x5c, 0x72, 0x74, 0x66]],
  // AppleDouble (`__MACOSX/._nota.xml`) and the Finder's folder settings.
  ['sistema', [0x00, 0x05, 0x16, 0x07]],
  ['sistema', [0x00, 0x00, 0x00, 0x01, 0x42, 0x75, 0x64, 0x31]],
];

const HTML = /^(?:<\?xml[^>]*\?>)?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html)\b/i;
/** The piece of a page that a site wrote instead of the file. In this case only: `Body` begins SOAP. */
const HTML_PIECE =
  /^<(?:HEAD|BODY|head|body|title|meta|script|style|div|span|center|br|h1|p)(?:\s(?![^>]*xmlns)[^>]*)?\/?>/;
const NFE_TXT = /^NOTA ?FISCAL\||^A\|\d\.\d\d\|/i;
const SPED = /^\|0000\|/;
/** OFX; CNAB, whose lines have 240 or 400 positions and begin with the bank or the kind of the record. */
const OFX = /^(?:OFXHEADER\s*:|<\?OFX\b|<OFX>)/i;
const CNAB = /^(?:0[12](?:REMESSA|RETORNO).{391,392}|\d{3}0000[0-9 ].{232})[\r\n]/;
/** `H4sI` is how gzip begins in Base64: a docZip saved as it came. */
const BASE64_GZIP = /^H4sI[0-9A-Za-z+/]/;
/** How `<` begins in Base64, with a byte order mark or without; words begin like that too, so that more is looked at. */
const BASE64_XML = /^(?:77u\/)?P[A-P][0-9A-Za-z+/]{60}/;

function isXmlInBase64(head: string): boolean {
  const start = BASE64_XML.exec(head.replace(/[\r\n]+/g, ''))?.[0];
  if (start === undefined) return false;
  const text = Buffer.from(start, 'base64').toString('latin1');
  return /<[?A-Za-z]/.test(text) && !looksBinary(text);
}
/** A whole document whose markup was escaped on its way to the disk. */
const ESCAPED_XML = /^&(?:amp;)*lt;[?A-Za-z]/;
const JSON_START = /^(?:\{\s*["}]|\[\s*[[{"\]\d])/;
const EMBEDDED_XML_START = /<(?:\?xml|nfeProc|NFe|procEventoNFe|ProcInutNFe)\b/i;

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

/**
 * Text of a file whatever its encoding: UTF-16 by its byte order mark, else UTF-8, else Windows-1252.
 * For lists and sniffing; XML has its own decoder.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/** A byte order mark that was read as three letters. */
const MARK_AS_LETTERS = 'ï»¿';
// biome-ignore lint/suspicious/noControlCharactersInRegex: NULs before the prolog are what some exports write
const BLANK = /[\ufeff\u0000\s]/;

/**
 * Without byte order marks (two were seen), NUL and white space at the start. Not by one pattern: that takes a place on
 * the stack for each of millions of spaces.
 */
function trimStart(text: string): string {
  let at = 0;
  for (;;) {
    if (text.startsWith(MARK_AS_LETTERS, at)) at += MARK_AS_LETTERS.length;
    else if (BLANK.test(text.charAt(at))) at++;
    else return text.slice(at);
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Text has no NUL, and of the other control characters next to none. */
function looksBinary(head: string): boolean {
  let controls = 0;
  for (let i = 0; i < head.length; i++) {
    const code = head.charCodeAt(i);
    if (code === 0) return true;
    if (code < 9 || (code > 13 && code < 32)) controls++;
  }
  return controls * 50 > head.length;
}

/** A line that could have been meant as an access key: its characters only, with the groups people print it in. */
const LINHA_DE_CHAVE = /^[0-9A-Za-z .\-/]{1,80}$/;

/** {@link LINHA_DE_CHAVE} with what may stand around it. */
const LINE_WITH_A_KEY = 120;

/** Enough digits in a row for somebody to have meant a key: 44 positions, or the 50 of a national NFS-e. */
const KEY_LIKE = /^(?:NFe|CTe|CFe|NFS|NFCom|NF3e|NFAg|NFGas)?[0-9]{6}[0-9A-Z]{15}[0-9]{23}(?:[0-9]{6})?$/i;

/** A line without what spreadsheets write around a column: quotes, and a separator behind it. */
export function bareLine(raw: string): string {
  const line = raw.trim();
  // A longer one is no key, and looking for the blanks before its end would take their number squared.
  return line.length > LINE_WITH_A_KEY ? line : line.replace(/^["']+|[\s"';,]+$/g, '');
}

/** Takes grouping and a literal such as `NFe` off a line, upper case. */
export function bareChave(line: string): string {
  return line
    .replace(/[\s.\-/]/g, '')
    .replace(/^(?:NFe|CTe|CFe|NFS|NFCom|NF3e|NFAg|NFGas)/i, '')
    .toUpperCase();
}

/** Lines of a list of keys: fifty times the longest that portals take; an attack is millions of one digit. */
export const LIST_LINES_LIMIT = 100_000;

/** Lines of a text, of more than {@link LIST_LINES_LIMIT} the first, and one more. */
export function firstLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/, LIST_LINES_LIMIT + 1);
}

function isKeyList(text: string): boolean {
  const lines = firstLines(text)
    .map(bareLine)
    .filter((line) => line !== '');
  return (
    lines.every((line) => LINHA_DE_CHAVE.test(line)) && lines.some((line) => KEY_LIKE.test(bareChave(line)))
  );
}

/**
 * Tells what a file is by its bytes; names lie.
 * @fonte docs/regras.md, uploads
 */
export function sniff(bytes: Uint8Array): Formato {
  const signature = SIGNATURES.find(([, magic]) => startsWith(bytes, magic));
  // `BM` begins bitmaps and ordinary words alike: only a bitmap has the binary header behind it.
  if (
    signature &&
    !(bytes[0] === 0x42 && bytes[1] === 0x4d && !looksBinary(decodeText(bytes.subarray(0, 64))))
  ) {
    return signature[0];
  }
  const head =
    trimStart(decodeText(bytes.subarray(0, HEAD_BYTES))) || trimStart(decodeText(bytes)).slice(0, HEAD_BYTES);
  if (head === '') return 'vazio';
  if (HTML.test(head) || HTML_PIECE.test(head)) return 'html';
  if (OFX.test(head)) return 'banco';
  if (head.startsWith('<')) return 'xml';
  if (looksBinary(head) && !isUtf16(bytes)) return EMBEDDED_XML_START.test(head) ? 'xml' : 'binario';
  if (NFE_TXT.test(head)) return 'nfe_txt';
  if (SPED.test(head)) return 'sped';
  if (CNAB.test(head)) return 'banco';
  if (BASE64_GZIP.test(head) || isXmlInBase64(head)) return 'gzip_base64';
  if (ESCAPED_XML.test(head)) return 'xml_escapado';
  if (JSON_START.test(head)) return 'json';
  if (EMBEDDED_XML_START.test(head)) return 'xml';
  return isKeyList(decodeText(bytes)) ? 'lista_de_chaves' : 'texto';
}
