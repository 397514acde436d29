/**
 * A reader of BER for hostile bytes: nothing is copied, every length is checked against what is there, and children
 * are read only when somebody asks for them. Indefinite lengths and strings in pieces, which old exporters write,
 * are read too.
 */

/** What stands in the bytes is no BER, or not what was expected there. */
export class DerFault extends Error {}

/** One TLV. */
export interface Der {
  /** Identifier octet: class, constructed bit and number. */
  tag: number;
  content: Uint8Array;
  /** The whole TLV. */
  raw: Uint8Array;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
  /** `[0]` constructed. */
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const;

const CONSTRUCTED = 0x20;
/** A certificate has about 60, a container a dozen a bag, a signed document of 10 MB 10,000 pieces of a kilobyte. */
const MAX_CHILDREN = 20_000;
/** How deep values of indefinite length, and strings in pieces, may stand in each other. */
const MAX_DEPTH = 16;
/** Larger lengths than 4 bytes cannot be true. */
const MAX_LENGTH_BYTES = 4;

/** Reads the first TLV; what follows it is ignored, since some exporters pad. */
export function readDer(bytes: Uint8Array): Der {
  return readAt(bytes, 0, 0);
}

/** The TLVs inside a constructed one. */
export function children(node: Der): Der[] {
  return readAll(node.content, 0);
}

/** The children of a SEQUENCE. @throws DerFault when it is none */
export function sequenceOf(node: Der | undefined): Der[] {
  return children(expectTag(node, TAG.sequence));
}

/** The one TLV inside `[0] EXPLICIT`. */
export function explicit0(node: Der | undefined): Der {
  const [inner] = children(expectTag(node, TAG.explicit0));
  if (!inner) throw new DerFault('an explicit tag holds nothing');
  return inner;
}

export function expectTag(node: Der | undefined, tag: number): Der {
  if (node?.tag !== tag) throw new DerFault(`tag ${tag} expected, ${node?.tag ?? 'nothing'} found`);
  return node;
}

/** Dotted form of an OBJECT IDENTIFIER. */
export function oidOf(node: Der | undefined): string {
  const { content } = expectTag(node, TAG.oid);
  const arcs: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER / 128) throw new DerFault('an object identifier is too large');
    if (byte & 0x80) continue;
    if (arcs.length === 0) {
      const first = Math.min(2, Math.floor(value / 40));
      arcs.push(first, value - first * 40);
    } else arcs.push(value);
    value = 0;
  }
  return arcs.join('.');
}

/** A small non-negative INTEGER: a version, a count. */
export function smallInteger(node: Der | undefined): number {
  const { content } = expectTag(node, TAG.integer);
  if (content.length === 0 || content.length > 5 || (content[0] ?? 0) & 0x80)
    throw new DerFault('an integer is out of range');
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

/** The bytes of an OCTET STRING, or of one with an implicit tag; in one piece or in several. */
export function octetsOf(node: Der | undefined, tag: number = TAG.octets): Uint8Array {
  if (!node || (node.tag & ~CONSTRUCTED) !== (tag & ~CONSTRUCTED)) throw new DerFault('octets expected');
  return joinPieces(node, 0);
}

function joinPieces(node: Der, depth: number): Uint8Array {
  if (!(node.tag & CONSTRUCTED)) return node.content;
  if (depth > MAX_DEPTH) throw new DerFault('pieces in pieces');
  return Buffer.concat(children(node).map((piece) => joinPieces(piece, depth + 1)));
}

function readAll(bytes: Uint8Array, depth: number): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const node = readAt(bytes, at, depth);
    found.push(node);
    if (found.length > MAX_CHILDREN) throw new DerFault('too many values');
    at += node.raw.length;
  }
  return found;
}

function readAt(bytes: Uint8Array, start: number, depth: number): Der {
  if (depth > MAX_DEPTH) throw new DerFault('values in values');
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new DerFault('the bytes end too early');
  if ((tag & 0x1f) === 0x1f) throw new DerFault('tags of several bytes are not used here');
  let at = start + 2;
  if (first === 0x80) return readIndefinite(bytes, { start, at, tag, depth });
  let length = first;
  if (first > 0x80) {
    const count = first & 0x7f;
    if (count > MAX_LENGTH_BYTES) throw new DerFault('a length is too large');
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at++] ?? Number.NaN);
  }
  const end = at + length;
  if (!(end <= bytes.length)) throw new DerFault('a length reaches beyond the end');
  return { tag, content: bytes.subarray(at, end), raw: bytes.subarray(start, end) };
}

/** A value that goes on until two zero bytes. */
function readIndefinite(
  bytes: Uint8Array,
  { start, at, tag, depth }: { start: number; at: number; tag: number; depth: number },
): Der {
  if (!(tag & CONSTRUCTED)) throw new DerFault('only constructed values have no length');
  let end = at;
  for (let count = 0; bytes[end] !== 0 || bytes[end + 1] !== 0; count++) {
    if (count > MAX_CHILDREN) throw new DerFault('too many values');
    end += readAt(bytes, end, depth + 1).raw.length;
  }
  return { tag, content: bytes.subarray(at, end), raw: bytes.subarray(start, end + 2) };
}
