import { releaseBytes } from './release-bytes.ts';

/** What is smaller comes from memory that the process has anyway. */
const FROM_BYTES = 64 * 1024;
/** What is larger is rare, and would keep much: only that of a file is kept. */
const UP_TO_BYTES = 2 * 1024 * 1024;
/** Kept by one thread, besides that of a file. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Memory for a file has some such steps, so that one that is little larger fits into it too. */
const FILE_STEP_BYTES = 4 * 1024 * 1024;

/** Of this thread, by size. */
const spare = new Map<number, ArrayBuffer[]>();
let kept = 0;
/** The last one of a file, which the next file is read into. */
let large: ArrayBuffer | null = null;
/** Whether memory was taken since this was last looked at. */
let used = false;
let dropping: NodeJS.Timeout | null = null;

/**
 * Memory for at least so many bytes, with anything in it: such that was given back, if there is any. Memory from the
 * system costs a page fault for each 4 KB that is written to, which is as much as writing them (on a virtual machine many
 * times as much), and another call to all cores when it goes back. What is larger than it was asked for takes no more room
 * until it is written to.
 */
export function takeMemory(length: number): Uint8Array<ArrayBuffer> {
  if (length < FROM_BYTES || length > UP_TO_BYTES) return Buffer.allocUnsafeSlow(length);
  used = true;
  const size = sizeFor(length);
  const memory = spare.get(size)?.pop();
  if (!memory) return Buffer.allocUnsafeSlow(size);
  kept -= size;
  return new Uint8Array(memory);
}

/**
 * The same for a whole file, of any size: one is kept, and only by who gives it back as that of a file. Where it is too
 * small it goes first, so that there are not two.
 */
export function takeFileMemory(length: number): Uint8Array<ArrayBuffer> {
  if (length <= UP_TO_BYTES) return takeMemory(length);
  used = true;
  const memory = large;
  large = null;
  if (memory && memory.byteLength >= length) return new Uint8Array(memory);
  if (memory) releaseBytes(new Uint8Array(memory));
  return Buffer.allocUnsafeSlow(Math.ceil(length / FILE_STEP_BYTES) * FILE_STEP_BYTES);
}

/** Gives memory back that `takeMemory` gave, here or in another thread. Nobody may look at it any more: it is empty for them. */
export function giveMemory(memory: Uint8Array<ArrayBufferLike>): void {
  const { byteLength: size } = memory;
  const fits = size <= UP_TO_BYTES && size === sizeFor(size) && kept + size <= KEPT_BYTES;
  if (fits && isWhole(memory)) keep(memory.buffer.transfer());
  else releaseBytes(memory);
}

/** Gives memory back that `takeFileMemory` gave. */
export function giveFileMemory(memory: Uint8Array<ArrayBufferLike>): void {
  if (memory.byteLength > UP_TO_BYTES && isWhole(memory)) keepLarge(memory.buffer.transfer());
  else giveMemory(memory);
}

/** Whether nothing else lies in the memory. */
function isWhole(memory: Uint8Array<ArrayBufferLike>): memory is Uint8Array<ArrayBuffer> {
  return memory.buffer instanceof ArrayBuffer && memory.buffer.byteLength === memory.byteLength;
}

function keep(memory: ArrayBuffer): void {
  const same = spare.get(memory.byteLength) ?? [];
  spare.set(memory.byteLength, same);
  same.push(memory);
  kept += memory.byteLength;
}

/** The larger of two is the one that more fits into. */
function keepLarge(memory: ArrayBuffer): void {
  const [other, better] = (large?.byteLength ?? 0) > memory.byteLength ? [memory, large] : [large, memory];
  if (other) releaseBytes(new Uint8Array(other));
  large = better;
}

/** Gives all that is kept here back to the system; for when nothing is to be done. */
export function dropSpareMemory(): void {
  for (const memories of spare.values()) for (const memory of memories) releaseBytes(new Uint8Array(memory));
  if (large) releaseBytes(new Uint8Array(large));
  spare.clear();
  large = null;
  kept = 0;
}

/** The same once this thread has taken no memory for so long, whoever took it: whoever ends work says so again. */
export function dropSpareMemoryOnceIdle(idleMs: number): void {
  if (dropping) clearTimeout(dropping);
  used = false;
  dropping = setTimeout(() => {
    if (used) dropSpareMemoryOnceIdle(idleMs);
    else dropSpareMemory();
  }, idleMs).unref();
}

function sizeFor(length: number): number {
  let size = FROM_BYTES;
  while (size < length) size *= 2;
  return size;
}
