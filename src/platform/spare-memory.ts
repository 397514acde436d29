import { releaseBytes } from './release-bytes.ts';

/** What is smaller comes from memory that the process has anyway. */
const FROM_BYTES = 64 * 1024;
const UP_TO_BYTES = 2 * 1024 * 1024;
/** Kept by one thread. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Of this thread, by size. */
const spare = new Map<number, ArrayBuffer[]>();
let kept = 0;

/**
 * Memory for at least so many bytes, with anything in it: such that was given back, if there is any. Memory from the
 * system costs a page fault for each 4 KB that is written to, which is as much as writing them, and another call to all
 * cores when it goes back. What is larger than it was asked for takes no more room until it is written to.
 */
export function takeMemory(length: number): Uint8Array<ArrayBuffer> {
  if (length < FROM_BYTES || length > UP_TO_BYTES) return Buffer.allocUnsafeSlow(length);
  const size = sizeFor(length);
  const memory = spare.get(size)?.pop();
  if (!memory) return Buffer.allocUnsafeSlow(size);
  kept -= size;
  return new Uint8Array(memory);
}

/** Gives memory back that `takeMemory` gave, here or in another thread. Nobody may look at it any more: it is empty for them. */
export function giveMemory(memory: Uint8Array<ArrayBufferLike>): void {
  const { buffer, byteLength: size } = memory;
  const keeps = buffer instanceof ArrayBuffer && buffer.byteLength === size && size === sizeFor(size);
  if (!keeps || size > UP_TO_BYTES || kept + size > KEPT_BYTES) {
    releaseBytes(memory);
    return;
  }
  const same = spare.get(size) ?? [];
  spare.set(size, same);
  same.push(buffer.transfer());
  kept += size;
}

/** Gives all that is kept here back to the system; for when nothing is to be done. */
export function dropSpareMemory(): void {
  for (const memories of spare.values()) for (const memory of memories) releaseBytes(new Uint8Array(memory));
  spare.clear();
  kept = 0;
}

function sizeFor(length: number): number {
  let size = FROM_BYTES;
  while (size < length) size *= 2;
  return size;
}
