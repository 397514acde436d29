/**
 * CRC-32 of joined parts from the CRCs of the parts. A CRC is the remainder of a polynomial over GF(2), so putting
 * `n` bytes behind a text multiplies its remainder by x^8n, whatever these bytes are. Remainders are kept as zlib
 * keeps them: bit 31 is the coefficient of x^0.
 * @fonte RFC 1952 section 8; the mathematics of Mark Adler's crc32_combine, which Node does not hand out
 */

/** The polynomial of CRC-32, reflected. */
const POLYNOMIAL = 0xedb88320;
/** x^0. */
const ONE = 0x80000000;

/** Product of two remainders. */
function multiply(a: number, b: number): number {
  let product = 0;
  // Integers of 32 bits with their sign: the sign is the highest bit, and there is nothing to branch on.
  let shifted = b | 0;
  for (let rest = a | 0; rest !== 0; rest <<= 1) {
    product ^= shifted & (rest >> 31);
    shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
  }
  return product >>> 0;
}

/** x^(8·2^k) for each k: squares, one of the other. */
const POWERS: readonly number[] = powers();

function powers(): number[] {
  // x^8
  const found = [0x00800000];
  for (let k = 1; k < 53; k += 1) {
    const last = found[k - 1] ?? ONE;
    found.push(multiply(last, last));
  }
  return found;
}

/** x^8n: what `n` bytes do to the CRC of what stands before them. @param bytes 0 … 2^53−1 */
export function shiftOf(bytes: number): number {
  let shift = ONE;
  let rest = bytes;
  for (let k = 0; rest > 0; k += 1) {
    if (rest % 2 === 1) shift = multiply(shift, POWERS[k] ?? ONE);
    rest = Math.floor(rest / 2);
  }
  return shift;
}

/** CRC-32 of a text and another behind it. @param shift `shiftOf` the length of the other */
export function combineCrc(before: number, behind: number, shift: number): number {
  return (multiply(shift, before) ^ behind) >>> 0;
}
