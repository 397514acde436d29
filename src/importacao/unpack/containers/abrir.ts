/** What holds files and is no zip: how each kind is known, by its content, and opened. */
import { constants, gunzipSync } from 'node:zlib';
import { looksSigned, openAssinado } from './assinado.ts';
import { descomprimir } from './comprimido.ts';
import { looksLikeMailbox, looksLikeMessage, readCaixa, readMensagem } from './mensagem.ts';
import { looksLikeMsg, readMsg } from './msg.ts';
import { lerTar, looksLikeTar } from './tar.ts';
import type { Bolsa, Parte, Recipiente } from './tipos.ts';

const BZIP2 = /^BZh[1-9]1AY&SY/;
const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
const GZIP = Buffer.from([0x1f, 0x8b]);
const LESS_THAN = 0x3c;
const BYTE_ORDER_MARK = 0xef;
const MARK_LENGTH = 3;

/** Of a gzip as much is looked at to know what is in it: the first block of an archive shrinks to some hundred bytes. */
const PEEK_INPUT_BYTES = 1_024;
/** More than so many bytes can become. */
const PEEK_OUTPUT_BYTES = 1_100 * PEEK_INPUT_BYTES;
/** gzip in gzip. */
const PEEK_LEVELS = 3;

/**
 * The kind of container that a content is; null for everything else. A gzip is one where it holds another container: what
 * holds a document is read with it, as the services send them.
 */
export function recipienteDe(bytes: Buffer, levels = PEEK_LEVELS): Recipiente | null {
  const first = bytes[0];
  // Nearly every content is XML: nothing else begins so. Behind a byte order mark there is text.
  if (first === undefined || first === LESS_THAN) return null;
  if (first === BYTE_ORDER_MARK)
    return bytes[MARK_LENGTH] !== LESS_THAN && looksLikeMessage(bytes) ? 'mensagem' : null;
  if (bytes.subarray(0, 2).equals(GZIP)) return holdsContainer(bytes, levels) ? 'gzip' : null;
  if (bytes.subarray(0, 6).equals(XZ)) return 'xz';
  if (BZIP2.test(bytes.toString('latin1', 0, 10))) return 'bzip2';
  if (looksLikeMsg(bytes)) return 'msg';
  if (looksSigned(bytes)) return 'assinado';
  if (looksLikeTar(bytes)) return 'tar';
  if (looksLikeMailbox(bytes)) return 'caixa';
  return looksLikeMessage(bytes) ? 'mensagem' : null;
}

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

function holdsContainer(gzip: Buffer, levels: number): boolean {
  const start = levels > 0 ? startOf(gzip) : null;
  return start !== null && (start.subarray(0, 4).equals(ZIP) || recipienteDe(start, levels - 1) !== null);
}

/** The first bytes of what is compressed. */
function startOf(gzip: Buffer): Buffer | null {
  try {
    return gunzipSync(gzip.subarray(0, PEEK_INPUT_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: PEEK_OUTPUT_BYTES,
    });
  } catch {
    return null;
  }
}

/** What is in a container, in its order. Bad input is a value; what throws is the purse that is empty. */
export async function* partesDe(kind: Recipiente, bytes: Buffer, bolsa: Bolsa): AsyncGenerator<Parte> {
  switch (kind) {
    case 'tar':
      return yield* lerTar(bytes, bolsa);
    case 'gzip':
    case 'bzip2':
    case 'xz':
      return yield* descomprimir(kind, bytes, bolsa);
    case 'mensagem':
      return yield* readMensagem(bytes, bolsa);
    case 'caixa':
      return yield* readCaixa(bytes, bolsa);
    case 'msg':
      return yield* readMsg(bytes, bolsa);
    case 'assinado':
      return yield* openAssinado(bytes, bolsa);
  }
}
