import { createPublicKey, type KeyObject, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11, with its NULL parameter. @fonte RFC 8017 §A.2.4 */
const SHA256_WITH_RSA = Buffer.from('06092a864886f70d01010b0500', 'hex');
/** commonName, 2.5.4.3. */
const COMMON_NAME = Buffer.from('550403', 'hex');
/** The first year that UTCTime cannot write. @fonte RFC 5280 §4.1.2.5 */
const GENERALIZED_FROM_YEAR = 2050;

/**
 * Makes a self-signed X.509 certificate (version 1) of an RSA key: what `x5c` of a published key carries.
 * @param input `from` and `to` in milliseconds UTC
 * @returns DER
 * @fonte RFC 5280 §4.1
 */
export function selfSignedCertificate(input: {
  privateKey: KeyObject;
  commonName: string;
  serial: Buffer;
  from: number;
  to: number;
}): Buffer {
  const { privateKey, serial, from, to } = input;
  const name = nameOf(input.commonName);
  const algorithm = der(SEQUENCE, SHA256_WITH_RSA);
  const body = der(
    SEQUENCE,
    positiveInteger(serial),
    algorithm,
    name,
    der(SEQUENCE, time(from), time(to)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  return der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.of(0), signature));
}

/** One element: tag, length, contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOf(body), body]);
}

function lengthOf(body: Buffer): Buffer {
  if (body.length < 0x80) return Buffer.of(body.length);
  const hex = body.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

/** In as few bytes as it needs, and positive: DER allows no other form. */
function positiveInteger(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const number = start < 0 ? Buffer.of(0) : bytes.subarray(start);
  return der(INTEGER, (number[0] ?? 0) & 0x80 ? Buffer.of(0) : Buffer.of(), number);
}

function nameOf(commonName: string): Buffer {
  const attribute = der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8_STRING, Buffer.from(commonName)));
  return der(SEQUENCE, der(SET, attribute));
}

function time(instant: number): Buffer {
  const digits = new Date(instant).toISOString().replace(/[-:T]|\.\d+/g, '');
  return Number(digits.slice(0, 4)) < GENERALIZED_FROM_YEAR
    ? der(UTC_TIME, Buffer.from(digits.slice(2)))
    : der(GENERALIZED_TIME, Buffer.from(digits));
}
