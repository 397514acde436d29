/** Messages as mail programs save them (`.eml`), and folders of them (`.mbox`): their attachments, however named. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { MimeNode } from '@zone-eu/mailsplit';
import { mensagemSemAnexo, recipienteDanificado } from '../unpack-faults.ts';
import type { Bolsa, Parte } from './tipos.ts';

/** Of a content as much is looked at to know a message: more than the fields that come first. */
const HEAD_BYTES = 8_192;
const FIELD = /^([\x21-\x39\x3b-\x7e]{1,80}):/;
/** What stands in front of each message in a folder. */
const SEPARATOR = /^From \S+ .*\d\d:\d\d/;
/** Parts within parts; people's programs make some five. Each line is compared with the boundaries of all that are open. */
const PARTS_DEEP = 32;
/** Headers of one part. */
const HEAD_MAX_BYTES = 262_144;
/** Parts of one message; people attach some dozens. */
const PARTS_MAX = 2_000;
/** Handed over at a time. */
const CHUNK_BYTES = 65_536;

/** Whether lines are the header of a message: a version of MIME, or who wrote to whom. */
function isHeader(lines: readonly string[]): boolean {
  const names = new Set<string>();
  for (const line of lines) {
    if (line === '') break;
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const name = FIELD.exec(line)?.[1];
    if (name === undefined) return false;
    names.add(name.toLowerCase());
  }
  const hasOther = ['to', 'subject', 'date', 'message-id', 'received'].some((name) => names.has(name));
  return (names.has('mime-version') && names.has('content-type')) || (names.has('from') && hasOther);
}

/** A byte order mark and blank lines, which programs put in front. */
const BEFORE = /^(?:\u00ef\u00bb\u00bf)?\s*/;

function firstLines(bytes: Buffer): string[] {
  const text = bytes.toString('latin1', 0, HEAD_BYTES).replace(BEFORE, '');
  const lines = text.split(/\r?\n/);
  // The last one may be cut.
  return bytes.length > HEAD_BYTES ? lines.slice(0, -1) : lines;
}

export function looksLikeMessage(bytes: Buffer): boolean {
  return isHeader(firstLines(bytes));
}

export function looksLikeMailbox(bytes: Buffer): boolean {
  const [first = '', ...rest] = firstLines(bytes);
  return SEPARATOR.test(first) && isHeader(rest);
}

/** The messages of a folder. */
export function* readCaixa(bytes: Buffer, bolsa: Bolsa): Generator<Parte> {
  let count = 0;
  for (let start = 0; start < bytes.length; ) {
    const next = nextSeparator(bytes, start + 1);
    const lineEnd = bytes.indexOf(0x0a, start);
    bolsa.takeEntries(1);
    if (lineEnd >= 0 && lineEnd < next)
      yield { nome: `mensagem ${++count}`, bytes: unquoted(bytes.subarray(lineEnd + 1, next)) };
    start = next;
  }
}

const QUOTED = Buffer.from('\n>From ');

/** Lines that would have been taken for a separator have a `>` in front of them. */
function unquoted(message: Buffer): Buffer {
  if (!message.includes(QUOTED)) return message;
  return Buffer.from(message.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1');
}

const FROM = Buffer.from('\nFrom ');

function nextSeparator(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(FROM, from); at >= 0; at = bytes.indexOf(FROM, at + 1)) {
    const isBehindBlank = bytes[at - 1] === 0x0a || (bytes[at - 1] === 0x0d && bytes[at - 2] === 0x0a);
    if (isBehindBlank && SEPARATOR.test(bytes.toString('latin1', at + 1, at + 200))) return at + 1;
  }
  return bytes.length;
}

/** A page that a browser saved as one file (`.mht`), which has the form of a message: the page is what it holds. */
const PAGINA_SALVA = /^(?:Snapshot-Content-Location:|From: ?"?<?Saved by )/m;

function isPaginaSalva(bytes: Buffer): boolean {
  const [head = ''] = bytes.toString('latin1', 0, HEAD_BYTES).split(/\r?\n\r?\n/, 1);
  return PAGINA_SALVA.test(head);
}

/** One part while its body comes in. */
interface Aberta {
  node: MimeNode;
  chunks: Buffer[];
}

/** The attachments of a message; one that is itself a message is given as it is. */
export async function* readMensagem(bytes: Buffer, bolsa: Bolsa): AsyncGenerator<Parte> {
  const attachmentOf = isPaginaSalva(bytes) ? paginaDe : anexoDe;
  // With the tables of all encodings it takes some megabytes: few services ever get a message.
  const { default: mailsplit } = await import('@zone-eu/mailsplit');
  // A message inside is a content of its own, which counts as one level more.
  const splitter = new mailsplit.Splitter({
    ignoreEmbedded: true,
    maxHeadSize: HEAD_MAX_BYTES,
    maxChildNodes: PARTS_MAX,
  });
  const before = BEFORE.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[0].length ?? 0;
  const source = Readable.from(chunksOf(bytes.subarray(before)), { objectMode: false });
  const failed = (error: Error): void => void splitter.destroy(error);
  source.on('error', failed).pipe(splitter);
  let found = 0;
  let open: Aberta | null = null;
  try {
    for await (const chunk of splitter) {
      if (chunk.type === 'body') open?.chunks.push(chunk.value);
      if (chunk.type !== 'node') continue;
      const parte = open && (await attachmentOf(open, bolsa));
      if (parte) {
        found++;
        yield parte;
      }
      bolsa.takeEntries(1);
      if (isTooDeep(chunk)) throw new TooDeep();
      open = chunk.multipart ? null : { node: chunk, chunks: [] };
    }
    const last = open && (await attachmentOf(open, bolsa));
    if (last) yield last;
    else if (found === 0) yield { nome: '', resultado: 'ignorado', falha: mensagemSemAnexo() };
  } catch (error) {
    if (!isOfMessage(error)) throw error;
    yield { nome: '', resultado: 'rejeitado', falha: recipienteDanificado('mensagem de e-mail') };
  } finally {
    source.destroy();
    splitter.destroy();
  }
}

class TooDeep extends Error {}

function isTooDeep(node: MimeNode): boolean {
  let depth = 0;
  for (let around: MimeNode | false = node; around; around = around.parentNode)
    if (++depth > PARTS_DEEP) return true;
  return false;
}

/** Faults that the splitter tells: a header that is too long, too many parts. Parts that stand too deep are ours. */
function isOfMessage(error: unknown): boolean {
  return error instanceof TooDeep || (error as NodeJS.ErrnoException).code === 'EMAXLEN';
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

async function decoded(node: MimeNode, chunks: readonly Buffer[]): Promise<Buffer> {
  const raw = Buffer.concat(chunks);
  const encoding = (node.encoding || '').toLowerCase();
  if (encoding === 'base64') return Buffer.from(raw.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return raw;
  return buffer(Readable.from([raw], { objectMode: false }).pipe(node.getDecoder()));
}

/** Words of the message itself, unless somebody put an XML there. */
const BODY = /^text\/(?:plain|html|enriched|calendar)$/;
const XML_START = /^\s*(?:<\?xml[ \t\r\n]|<nfeProc\b|<NFe\b)/;
/** In plain words also behind a greeting, and without a declaration: a tag with another right behind it. */
const XML_AMONG_WORDS = /^[ \t]*<(?:\?xml[ \t\r\n]|[A-Za-z_][\w.:-]{0,80}(?:\s[^<>]{0,2000})?>\s*<[A-Za-z])/m;
const WORDS_LOOKED_AT = 4_096;

function holdsXml(type: string, content: Buffer): boolean {
  const text = content.toString('latin1', 0, WORDS_LOOKED_AT);
  return (type === 'text/plain' ? XML_AMONG_WORDS : XML_START).test(text);
}

/** Of a saved page only the page, not its pictures and styles. */
async function paginaDe({ node, chunks }: Aberta, bolsa: Bolsa): Promise<Parte | null> {
  if (!/^(?:text\/(?:html|xml)|application\/(?:xml|xhtml\+xml))$/i.test(node.contentType || '')) return null;
  const content = await decoded(node, chunks);
  bolsa.charge(content.length);
  return { nome: 'página salva', bytes: content };
}

async function anexoDe({ node, chunks }: Aberta, bolsa: Bolsa): Promise<Parte | null> {
  const type = (node.contentType || 'text/plain').toLowerCase();
  const isBody = BODY.test(type) && !node.filename && node.disposition !== 'attachment';
  const content = await decoded(node, chunks);
  if (isBody && !holdsXml(type, content)) return null;
  bolsa.charge(content.length);
  return { nome: node.filename || (type === 'message/rfc822' ? 'mensagem anexa' : 'anexo'), bytes: content };
}
