import { Buffer } from 'node:buffer';
import { checkPrimeSync, createPrivateKey, type KeyObject } from 'node:crypto';
import { Aleatorio } from './aleatorio.ts';

/**
 * Deterministic RSA keys for test certificates. Whoever knows the seed knows the key: they prove nothing and
 * must never sign a real document.
 */

const PRIME_BYTES = 128;
const PUBLIC_EXPONENT = 65_537n;
const SMALL_PRIMES = smallPrimesUpTo(4_000);

function smallPrimesUpTo(limit: number): number[] {
  const primes: number[] = [];
  for (let n = 3; n <= limit; n += 2) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function base64Url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}

/** Inverse of `value` modulo `modulus`, by the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [r0, r1, s0, s1] = [modulus, value % modulus, 0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1];
  }
  return s0 < 0n ? s0 + modulus : s0;
}

/**
 * The first prime p at or above a drawn odd number, with p − 1 coprime to the public exponent. The two high bits
 * are set, so that the product of two such primes has exactly 2,048 bits. Small factors are sieved away first:
 * OpenSSL then judges about one candidate in eight.
 */
function drawPrime(random: Aleatorio): bigint {
  const bytes = random.bytes(PRIME_BYTES);
  bytes[0] = (bytes[0] ?? 0) | 0xc0;
  bytes[PRIME_BYTES - 1] = (bytes[PRIME_BYTES - 1] ?? 0) | 1;
  const start = toBigInt(bytes);
  const residues = SMALL_PRIMES.map((p) => Number(start % BigInt(p)));
  for (let offset = 0; ; offset += 2) {
    if (SMALL_PRIMES.some((p, i) => ((residues[i] ?? 0) + offset) % p === 0)) continue;
    const candidate = start + BigInt(offset);
    if (candidate % PUBLIC_EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate;
  }
}

/** Builds the RSA-2048 private key of a seed: the same seed gives the same key. About 30 ms. */
export function generateChaveRsa(semente: string): KeyObject {
  const random = new Aleatorio(`rsa/${semente}`);
  const p = drawPrime(random);
  let q = drawPrime(random);
  while (q === p) q = drawPrime(random);
  const d = inverse(PUBLIC_EXPONENT, (p - 1n) * (q - 1n));
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'RSA',
      n: base64Url(p * q),
      e: base64Url(PUBLIC_EXPONENT),
      d: base64Url(d),
      p: base64Url(p),
      q: base64Url(q),
      dp: base64Url(d % (p - 1n)),
      dq: base64Url(d % (q - 1n)),
      qi: base64Url(inverse(q, p)),
    },
  });
}
