/** Contents that are one compressed file: gzip, bzip2, XZ. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip as gunzipInPool } from 'node:zlib';
import xz from 'xz-decompress';
import { comprimidoGrandeDemais, type FalhaDeZip, recipienteDanificado } from '../unpack-faults.ts';
import { decodeBzip2 } from './bzip2.ts';
import type { Bolsa, Parte } from './tipos.ts';

/** The content would become longer than it may. */
class TooLong extends Error {}
/** It would take too long. */
class TooSlow extends Error {}

type Comprimido = 'gzip' | 'bzip2' | 'xz';

const INFLATERS: Readonly<Record<Comprimido, (bytes: Buffer, most: number) => Promise<Buffer>>> = {
  gzip: gunzip,
  bzip2: bunzip,
  xz: unxz,
};

const NOMES: Readonly<Record<Comprimido, string>> = { gzip: 'gzip', bzip2: 'bzip2', xz: 'XZ' };

/** The one file in it, no longer than it may be: what would pass a limit is never whole in memory. */
export async function* descomprimir(kind: Comprimido, bytes: Buffer, bolsa: Bolsa): AsyncGenerator<Parte> {
  bolsa.takeEntries(1);
  const most = bolsa.allowed(bytes.length);
  let content: Buffer;
  try {
    content = await INFLATERS[kind](bytes, most);
  } catch (error) {
    const falha = isTooLong(error) ? bolsa.tooLong(bytes.length) : faultOf(error, kind);
    // A failed attempt is charged as if it had gone to its limit: how far it came is not known.
    bolsa.charge(most);
    yield { nome: '', resultado: 'rejeitado', falha };
    return;
  }
  bolsa.charge(content.length);
  yield { nome: '', bytes: content };
}

function faultOf(error: unknown, kind: Comprimido): FalhaDeZip {
  return error instanceof TooSlow
    ? comprimidoGrandeDemais(NOMES[kind], BZIP2_MAX_BYTES)
    : recipienteDanificado(NOMES[kind]);
}

function isTooLong(error: unknown): boolean {
  return error instanceof TooLong || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}

const gunzipped = promisify(gunzipInPool);
/** Of what comes out at a time: larger than usual, for each costs a turn of this thread. */
const GUNZIP_CHUNK_BYTES = 256 * 1024;

/** In the thread pool: half a gigabyte takes a second. */
function gunzip(bytes: Buffer, most: number): Promise<Buffer> {
  return gunzipped(bytes, { maxOutputLength: Math.max(1, most), chunkSize: GUNZIP_CHUNK_BYTES });
}

/** In plain code a second makes some 6 MB. */
const BZIP2_MAX_BYTES = 20_000_000;
/** A block costs time however little is in it: as much as so many bytes. Millions of them fit into an upload. */
const BZIP2_BLOCK_BYTES = 6_000;
/** Of the output as much is made room for at first; then twice as much each time. */
const FIRST_ROOM = 65_536;

async function bunzip(bytes: Buffer, allowed: number): Promise<Buffer> {
  const most = Math.min(allowed, BZIP2_MAX_BYTES);
  let room = Buffer.allocUnsafe(Math.min(most, FIRST_ROOM));
  let length = 0;
  let blocks = 0;
  const block = (): void => {
    if (++blocks * BZIP2_BLOCK_BYTES > most) throw new TooSlow();
  };
  const writeByte = (byte: number): void => {
    if (length === most) throw allowed > most ? new TooSlow() : new TooLong();
    if (length === room.length) {
      const larger = Buffer.allocUnsafe(Math.min(most, 2 * length));
      room.copy(larger);
      room = larger;
    }
    room[length++] = byte;
  };
  await decodeBzip2(bytes, { block, writeByte });
  return room.subarray(0, length);
}

/** A chunk is made in this thread, and is 64 KB at most. */
const CHUNKS_A_TURN = 4;
/** A content that gives nothing so often has no end. */
const EMPTY_CHUNKS_MAX = 1_000;

async function unxz(bytes: Buffer, most: number): Promise<Buffer> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const reader = new xz.XzReadableStream(source).getReader();
  const chunks: Buffer[] = [];
  let length = 0;
  let empty = 0;
  try {
    for (let count = 1; ; count++) {
      const { done, value } = await reader.read();
      if (count % CHUNKS_A_TURN === 0) await nextTurn();
      if (done) return Buffer.concat(chunks, length);
      length += value.length;
      if (length > most) throw new TooLong();
      if (value.length === 0 && ++empty > EMPTY_CHUNKS_MAX) throw new Error('no end');
      // The library uses its memory again.
      if (value.length > 0) chunks.push(Buffer.from(value));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
