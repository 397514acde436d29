import { createHmac, timingSafeEqual } from 'node:crypto';

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
  return createHmac('sha256', secret)
    .update([SCHEME, ...address.parts, String(address.expiresAtSeconds)].join('\n'))
    .digest();
}
