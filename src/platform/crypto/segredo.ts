import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** About 60 ms and 32 MiB a try on a small server. */
const COST = 32_768;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY_BYTES = 128 * COST * BLOCK_SIZE * 2;

/** Makes a random secret for a machine: 32 bytes in Base64 without padding, URL safe. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes a secret with scrypt. @returns `scrypt$N$r$p$salt$hash`, the last two in Base64 */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(secret, salt, { N: COST, r: BLOCK_SIZE, p: PARALLELISM });
  return ['scrypt', COST, BLOCK_SIZE, PARALLELISM, salt.toString('base64'), hash.toString('base64')].join(
    '$',
  );
}

/** Whether a secret is the hashed one; with the parameters that stand in the hash, in constant time. */
export async function isSecret(secret: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const given = await derive(secret, Buffer.from(salt, 'base64'), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function derive(secret: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, HASH_BYTES, { ...options, maxmem: MAX_MEMORY_BYTES }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
