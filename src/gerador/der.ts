import { Buffer } from 'node:buffer';

/** The few DER encoders that a test certificate needs. Each returns one complete TLV. */

function tlv(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const n = content.length;
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function base128(value: number): number[] {
  const out = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) out.unshift((rest & 0x7f) | 0x80);
  return out;
}

export function sequence(...parts: Uint8Array[]): Buffer {
  return tlv(0x30, ...parts);
}

export function set(...parts: Uint8Array[]): Buffer {
  return tlv(0x31, ...parts);
}

/** Non-negative INTEGER from its magnitude bytes. */
export function integer(magnitude: Uint8Array): Buffer {
  return tlv(0x02, (magnitude[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), magnitude]) : magnitude);
}

/** OBJECT IDENTIFIER from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tlv(0x06, Buffer.from([...base128(first * 40 + second), ...rest.flatMap(base128)]));
}

export function utf8(text: string): Buffer {
  return tlv(0x0c, Buffer.from(text, 'utf8'));
}

/** PrintableString; the text must be ASCII. */
export function printable(text: string): Buffer {
  return tlv(0x13, Buffer.from(text, 'latin1'));
}

export function octets(content: Uint8Array): Buffer {
  return tlv(0x04, content);
}

/** BIT STRING of whole bytes, or with `unused` trailing bits. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return tlv(0x03, Buffer.from([unused]), content);
}

export function boolean(value: boolean): Buffer {
  return tlv(0x01, Buffer.from([value ? 0xff : 0]));
}

export function nothing(): Buffer {
  return tlv(0x05);
}

/** UTCTime, years 1950 to 2049. */
export function utcTime(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`, 'latin1'));
}

/** Context-specific tag: constructed unless `primitive`. */
export function context(number: number, content: Uint8Array, primitive = false): Buffer {
  return tlv((primitive ? 0x80 : 0xa0) | number, content);
}
