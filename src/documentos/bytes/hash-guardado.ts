/** The hash of a version's bytes in the form in which its row keeps it: as bytes, in half of the room of its text. */

/** @param hex SHA-256 in hexadecimal; empty of a version whose bytes were deleted */
export function writeHash(hex: string): Uint8Array {
  // A copy of its own: a part of the pool would drag all of it along to another thread.
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

/** @returns hexadecimal, lower case; empty of a version whose bytes were deleted */
export function readHash(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** A row as it is stored, with its hash in hexadecimal. */
export function comHash<T extends { sha256: Uint8Array }>(row: T): Omit<T, 'sha256'> & { sha256: string } {
  return { ...row, sha256: readHash(row.sha256) };
}

/** So many bits may have changed in a number or a hash that is otherwise the right one. */
export const FEW_BITS = 2;

export function bitsApart(one: number, other: number): number {
  let count = 0;
  for (let bits = (one ^ other) >>> 0; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}

/** Whether a hash is another one but for a bit or two: no other bytes have such a one. @param one hex */
export function ehQuaseOMesmo(one: string, other: string): boolean {
  if (one.length !== other.length || one.length === 0) return false;
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.reduce((sum, byte, at) => sum + bitsApart(byte, b[at] ?? 0), 0) <= FEW_BITS;
}
