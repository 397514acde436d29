/** bzip2, block by block: others have their turn between two steps, of which each takes some fifty milliseconds. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import Bunzip from 'seek-bzip';

/** Streams without a block, of 14 bytes each, of which an upload may hold two million. */
const STREAMS_A_TURN = 1_000;

/**
 * Decodes all streams of an input.
 * @param output.block is told of each block before it is decoded, `writeByte` takes each byte; what they throw ends the work
 * @throws where the data is damaged or ends early
 */
export async function decodeBzip2(
  bytes: Buffer,
  output: { block(): void; writeByte(byte: number): void },
): Promise<void> {
  const input = inputOf(bytes);
  const stream = new Bunzip(input, output);
  for (let streams = 1; !input.eof(); ) {
    if (stream._init_block()) {
      output.block();
      await nextTurn();
      stream._read_bunzip();
      await nextTurn();
      continue;
    }
    if (stream.reader.read(32) >>> 0 !== stream.streamCRC) throw new Error('another checksum');
    if (input.eof()) return;
    if (++streams % STREAMS_A_TURN === 0) await nextTurn();
    stream._start_bunzip(input, output);
  }
  throw new Error('the end is missing');
}

function inputOf(bytes: Buffer) {
  let at = 0;
  return {
    readByte: () => bytes[at++] ?? 0,
    read(target: Uint8Array, offset: number, length: number): number {
      const part = bytes.subarray(at, at + length);
      target.set(part, offset);
      at += part.length;
      return part.length;
    },
    eof: () => at >= bytes.length,
  };
}
