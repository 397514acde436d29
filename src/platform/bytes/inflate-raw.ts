import { constants, createInflateRaw } from 'node:zlib';
import { ZlibEngine } from './zlib-engine.ts';

/** One a thread; it writes to the memory that it is handed. */
let kept: ZlibEngine | null = null;
const NO_SCRATCH = 0;

/**
 * Inflates a whole deflate stream (RFC 1951) into `room`. An engine of its own for each of thousands of small entries takes a
 * quarter more of the processor, and memory that V8 counts and collects garbage for.
 * @returns a view of `room`; null for what is damaged, cut, followed by something, or fills the room: Node's own call tells
 * which
 */
export function inflateRawInto(data: Uint8Array, room: Buffer): Buffer | null {
  kept ??= new ZlibEngine(createInflateRaw(), constants.Z_FINISH, NO_SCRATCH);
  const content = kept.runAlone(data, room);
  if (content) return room.subarray(0, content.length);
  kept = null;
  return null;
}
