import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62 } from './base62.ts';

const RANDOM_BYTES = 32;
/** 32 bytes need 43 digits of base 62, 4 bytes need 6. */
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const CHARACTERS = '[0-9A-Za-z]';

/** Published, so that secret scanners find tokens that leaked; prefix `mlt` stands for any. */
const tokenPattern = (prefix: string) =>
  new RegExp(`^${prefix}_(${CHARACTERS}{${RANDOM_CHARACTERS}})(${CHARACTERS}{${CHECKSUM_CHARACTERS}})$`);

/** Makes an opaque token: prefix, 32 random bytes and their CRC-32, both in base 62. */
export function makeToken(prefix: string): string {
  const random = base62(randomBytes(RANDOM_BYTES), RANDOM_CHARACTERS);
  return `${prefix}_${random}${checksum(random)}`;
}

/** Whether the text has the shape and checksum of a token of ours: refuses typing errors without asking a database. */
export function isTokenShaped(text: string, prefix: string): boolean {
  const match = tokenPattern(prefix).exec(text);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
}

/** What is stored of a token: SHA-256, hex. A fast hash is right here, since the token itself is random. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksum(random: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(random));
  return base62(bytes, CHECKSUM_CHARACTERS);
}
