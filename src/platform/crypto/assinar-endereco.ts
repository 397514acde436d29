import { hash, timingSafeEqual } from 'node:crypto';

const SCHEME = 'MLT1';
const SIGNATURE_BYTES = 32;
/** Base64 of 32 bytes, in its one canonical spelling. */
const SIGNATURE_SHAPE = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

export interface SignedAddress {
  /** What the address gives access to, such as method and path; none holds a line feed. */
  parts: readonly string[];
  /** Unix seconds. */
  expiresAtSeconds: number;
}

/** Signs an address with HMAC-SHA256. @returns Base64, 44 characters, not yet URL-encoded */
export function signAddress(secret: Uint8Array, address: SignedAddress): string {
  return mac(secret, address).toString('base64');
}

/** Checks a signature in constant time, on its bytes; another spelling of the same Base64 is refused. */
export function verifyAddress(secret: Uint8Array, address: SignedAddress, signature: string): boolean {
  if (!SIGNATURE_SHAPE.test(signature)) return false;
  const given = Buffer.from(signature, 'base64');
  return given.length === SIGNATURE_BYTES && timingSafeEqual(given, mac(secret, address));
}

function mac(secret: Uint8Array, address: SignedAddress): Buffer {
  if (address.parts.some((part) => part.includes('\n'))) throw new Error('a signed part holds a line feed');
  const text = [SCHEME, ...address.parts, String(address.expiresAtSeconds)].join('\n');
  return hmac(secret, Buffer.from(text));
}

const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;
/** The two blocks that a key stands in. */
const pads = new WeakMap<Uint8Array, { inner: Buffer; outer: Buffer }>();

/**
 * HMAC-SHA256 out of two one-shot hashes: a page signs a hundred addresses, and `createHmac` sets up an object for
 * each (measured: 18 µs against 4).
 * @fonte RFC 2104
 */
function hmac(secret: Uint8Array, text: Uint8Array): Buffer {
  const { inner, outer } = padsOf(secret);
  return sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, text]))]));
}

function padsOf(secret: Uint8Array): { inner: Buffer; outer: Buffer } {
  const known = pads.get(secret);
  if (known) return known;
  const key = Buffer.alloc(BLOCK_BYTES);
  key.set(secret.length > BLOCK_BYTES ? sha256(secret) : secret);
  const padded = (byte: number) => Buffer.from(key.map((one) => one ^ byte));
  const made = { inner: padded(INNER), outer: padded(OUTER) };
  pads.set(secret, made);
  return made;
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
