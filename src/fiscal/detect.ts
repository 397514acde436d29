import { isUtf8 } from 'node:buffer';
import { comecaComoBase64 } from './envelopes/base64.ts';
import { isKeyList } from './lista-de-chaves.ts';
import { startBehindText } from './xml/decode.ts';

/** What the bytes of a file are, whatever its name says. */
export type Formato =
  | 'vazio'
  | 'xml'
  | 'xml_escapado'
  | 'html'
  | 'pdf'
  | 'imagem'
  | 'compactado'
  | 'gzip'
  | 'gzip_base64'
  | 'json'
  | 'sped'
  | 'banco'
  | 'office'
  | 'nfe_txt'
  | 'lista_de_chaves'
  | 'tabela'
  | 'carta'
  | 'texto'
  | 'certificado'
  | 'atalho'
  | 'programa'
  | 'banco_de_dados'
  | 'midia'
  | 'sistema'
  | 'binario';

/** How much of a file is looked at; more than any prolog, comment or letterhead that was seen. */
const HEAD_BYTES = 4096;

/** Programs that compress, and what their files begin with. */
const COMPACTADORES: readonly { nome: string; magic: readonly number[] }[] = [
  { nome: 'RAR', magic: [0x52, 0x61, 0x72, 0x21, 0x1a] },
  { nome: '7z', magic: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { nome: 'bzip2', magic: [0x42, 0x5a, 0x68] },
  { nome: 'XZ', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { nome: 'LZMA', magic: [0x5d, 0x00, 0x00] },
  { nome: 'Zstandard', magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { nome: 'CAB', magic: [0x4d, 0x53, 0x43, 0x46, 0x00, 0x00, 0x00, 0x00] },
  { nome: 'ARJ', magic: [0x60, 0xea] },
  { nome: 'TNEF (winmail.dat, do Outlook)', magic: [0x78, 0x9f, 0x3e, 0x22] },
  { nome: 'compress (.Z)', magic: [0x1f, 0x9d] },
];

/** Name of the program by which a file is compressed. */
export function compactador(bytes: Uint8Array): string {
  return COMPACTADORES.find(({ magic }) => startsWith(bytes, magic))?.nome ?? '';
}

const SIGNATURES: readonly (readonly [Formato, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ...COMPACTADORES.map(({ magic }): readonly [Formato, readonly number[]] => ['compactado', magic]),
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
  // Shell link of Windows.
  ['atalho', [0x4c, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00]],
  ['programa', [0x4d, 0x5a]],
  ['programa', [0x7f, 0x45, 0x4c, 0x46]],
  // SQLite; Jet and ACE of Access.
  ['banco_de_dados', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['banco_de_dados', [0x00, 0x01, 0x00, 0x00, 0x53, 0x74, 0x61, 0x6e]],
  ['midia', [0x4f, 0x67, 0x67, 0x53]],
  ['midia', [0x49, 0x44, 0x33]],
];

/** Containers of pictures, sound and film, whose kind stands some bytes further on. */
function mediaOf(head: string): Formato | null {
  if (head.startsWith('RIFF')) return head.startsWith('WEBP', 8) ? 'imagem' : 'midia';
  if (!head.startsWith('ftyp', 4)) return null;
  return /^(?:heic|heix|mif1|msf1|avif)/.test(head.slice(8)) ? 'imagem' : 'midia';
}

/** PKCS#12: a sequence whose first element is the number 3; or one of the armours of PEM. */
function isCertificate(bytes: Uint8Array, head: string): boolean {
  if (
    /^-----BEGIN (?:[A-Z0-9 ]*PRIVATE KEY|CERTIFICATE|TRUSTED CERTIFICATE|CERTIFICATE REQUEST|PKCS12)-----/.test(
      head,
    )
  )
    return true;
  if (bytes[0] !== 0x30) return false;
  const second = bytes[1] ?? 0;
  const lengthBytes = second > 0x80 ? second - 0x80 : 0;
  return [0x02, 0x01, 0x03].every((byte, i) => bytes[2 + lengthBytes + i] === byte);
}

const HTML = /^(?:<\?xml[^>]*\?>)?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html)\b/i;
/** The piece of a page that a site wrote instead of the file. In this case only: `Body` begins SOAP. */
const HTML_PIECE =
  /^<(?:HEAD|BODY|head|body|title|meta|script|style|div|span|center|br|h1|p)(?:\s(?![^>]*xmlns)[^>]*)?\/?>/;
/** A link that a browser saved. */
const SHORTCUT = /^\[(?:InternetShortcut|Desktop Entry)\]/i;
const NFE_TXT = /^NOTA ?FISCAL\||^A\|\d\.\d\d\|/i;
const SPED = /^\|0000\|/;
/** OFX; CNAB, whose lines have 240 or 400 positions and begin with the bank or the kind of the record. */
const OFX = /^(?:OFXHEADER\s*:|<\?OFX\b|<OFX>)/i;
const CNAB = /^(?:0[12](?:REMESSA|RETORNO).{391,392}|\d{3}0000[0-9 ].{232})[\r\n]/;
/** A whole document whose markup was escaped on its way to the disk. */
const ESCAPED_XML = /^&(?:amp;)*lt;[?A-Za-z]/;
const JSON_START = /^(?:\{\s*["}]|\[\s*[[{"\]\d])/;
/** The whole document as one JSON text, as services answer that give nothing but it. */
function isJsonString(head: string): boolean {
  const inside = /^"(?:\\[nrt]|\s|\\ufeff)*([^\\].*)/is.exec(head)?.[1];
  return (
    inside !== undefined && (/^<(?:\?xml|[A-Za-z][^<>"]*(?:\\"|>))/.test(inside) || comecaComoBase64(inside))
  );
}
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

/** No more of a table or a letter is looked at. */
const LINES_LOOKED_AT = 30;

/** Whether lines are cut into as many fields each, by what tables are cut with. */
function isTable(text: string): boolean {
  const lines = text.split(/[\r\n]+/, LINES_LOOKED_AT).filter((line) => line.trim() !== '');
  const isCutBy = (separator: string, least: number): boolean => {
    const counts = lines.slice(0, -1).map((line) => line.split(separator).length);
    const [first = lines[0]?.split(separator).length ?? 0] = counts;
    return first >= least && counts.every((count) => count === first);
  };
  return isCutBy(';', 2) || isCutBy('\t', 2) || (lines.length > 2 && isCutBy(',', 3));
}

/** Words, as people write them to each other: a greeting, a reading-me, a licence. */
function isLetter(text: string): boolean {
  const head = text.slice(0, HEAD_BYTES).replace(/\s+/g, '');
  const letters = head.match(/\p{L}/gu)?.length ?? 0;
  const digits = head.match(/\d/g)?.length ?? 0;
  return letters >= head.length / 2 && digits <= head.length * 0.3;
}

function kindOfText(bytes: Uint8Array): Formato {
  const text = decodeText(bytes);
  if (isKeyList(text)) return 'lista_de_chaves';
  const head = text.slice(0, HEAD_BYTES);
  if (isTable(head)) return 'tabela';
  return isLetter(head) ? 'carta' : 'texto';
}

/** Whether words may begin so, too. */
function isWord(magic: readonly number[]): boolean {
  return magic.length < 4 && magic.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/**
 * Tells what a file is by its bytes; names lie.
 * @fonte docs/regras.md, uploads
 */
export function sniff(bytes: Uint8Array): Formato {
  const signature = SIGNATURES.find(([, magic]) => startsWith(bytes, magic));
  // `BM` begins bitmaps and ordinary words alike, and so do `MZ`, `BZh`, `ID3`: only the former have binary bytes behind it.
  if (signature && !(isWord(signature[1]) && !looksBinary(decodeText(bytes.subarray(0, 64))))) {
    return signature[0];
  }
  const media = mediaOf(Buffer.from(bytes.subarray(0, 16)).toString('latin1'));
  if (media) return media;
  const head =
    trimStart(decodeText(bytes.subarray(0, HEAD_BYTES))) || trimStart(decodeText(bytes)).slice(0, HEAD_BYTES);
  if (head === '') return 'vazio';
  if (HTML.test(head) || HTML_PIECE.test(head)) return 'html';
  if (isCertificate(bytes, head)) return 'certificado';
  if (SHORTCUT.test(head)) return 'atalho';
  if (OFX.test(head)) return 'banco';
  if (head.startsWith('<')) return 'xml';
  if (looksBinary(head) && !isUtf16(bytes)) return EMBEDDED_XML_START.test(head) ? 'xml' : 'binario';
  if (NFE_TXT.test(head)) return 'nfe_txt';
  if (SPED.test(head)) return 'sped';
  if (CNAB.test(head)) return 'banco';
  if (comecaComoBase64(head)) return 'gzip_base64';
  if (ESCAPED_XML.test(head)) return 'xml_escapado';
  if (JSON_START.test(head) || isJsonString(head)) return 'json';
  if (startBehindText(bytes) > 0) return 'xml';
  return kindOfText(bytes);
}
