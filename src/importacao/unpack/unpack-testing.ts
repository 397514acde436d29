/** Zips for the tests, written byte by byte so that every field can lie. */
import { crc32, deflateRawSync } from 'node:zlib';
import type { UnpackedEntry } from './unpack.ts';
import { unpackZip } from './unpack.ts';
import type { UnpackLimits } from './unpack-limits.ts';
import { UNPACK_LIMITS } from './unpack-limits.ts';

/** The fields that stand in both headers of an entry. */
interface Fields {
  name: string | Buffer;
  flags: number;
  method: number;
  crc32: number;
  compressedSize: number;
  size: number;
  extra: Buffer;
}

/** An entry; what is not given is as an honest writer would have it (deflated, UTF-8 flag, made on Unix). */
export interface Forged extends Partial<Fields> {
  name: string | Buffer;
  body?: string | Buffer;
  /** The data as it stands in the zip, in place of the deflated body. */
  data?: Buffer;
  /** Lies of the local header only. */
  local?: Partial<Fields>;
  /** Written behind the data: a data descriptor. */
  descriptor?: Buffer;
  /** Points at another entry's local header: no local header and no data are written. */
  offset?: number;
  madeBy?: number;
  attributes?: number;
}

/** Lies of the end record. */
export interface ForgedEnd {
  count?: number;
  disk?: number;
  prefix?: Buffer;
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

export const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** `PK` and the two bytes that tell the record. */
export const signature = (a: number, b: number): Buffer => Buffer.from([0x50, 0x4b, a, b]);

/** From "general purpose flags" to "uncompressed size", then the two lengths: the same in both headers. */
function commonFields(fields: Fields): Buffer {
  return Buffer.concat([
    u16(fields.flags),
    u16(fields.method),
    u32(0x5821_6000), // any date
    u32(fields.crc32),
    u32(fields.compressedSize),
    u32(fields.size),
    u16(Buffer.from(fields.name).length),
    u16(fields.extra.length),
  ]);
}

function localHeader(fields: Fields): Buffer {
  return Buffer.concat([
    signature(3, 4),
    u16(20),
    commonFields(fields),
    Buffer.from(fields.name),
    fields.extra,
  ]);
}

function centralHeader(fields: Fields, entry: Forged, offset: number): Buffer {
  return Buffer.concat([
    signature(1, 2),
    u16(entry.madeBy ?? (3 << 8) | 20),
    u16(20),
    commonFields(fields),
    u16(0),
    u16(0),
    u16(0),
    u32(entry.attributes ?? 0),
    u32(offset),
    Buffer.from(fields.name),
    fields.extra,
  ]);
}

export function forgeZip(entries: readonly Forged[], end: ForgedEnd = {}): Buffer {
  const bodies: Buffer[] = [end.prefix ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let position = bodies[0]?.length ?? 0;
  for (const entry of entries) {
    const body = Buffer.from(entry.body ?? '');
    const data = entry.data ?? (entry.method === 0 ? body : deflateRawSync(body));
    const fields: Fields = {
      name: entry.name,
      flags: entry.flags ?? 0x0800,
      method: entry.method ?? 8,
      crc32: entry.crc32 ?? crc32(body),
      compressedSize: entry.compressedSize ?? data.length,
      size: entry.size ?? body.length,
      extra: entry.extra ?? Buffer.alloc(0),
    };
    directory.push(centralHeader(fields, entry, entry.offset ?? position));
    if (entry.offset !== undefined) continue;
    const written = Buffer.concat([
      localHeader({ ...fields, ...entry.local }),
      data,
      entry.descriptor ?? Buffer.alloc(0),
    ]);
    bodies.push(written);
    position += written.length;
  }
  const central = Buffer.concat(directory);
  const count = u16(end.count ?? entries.length);
  return Buffer.concat([
    ...bodies,
    central,
    signature(5, 6),
    u16(end.disk ?? 0),
    u16(0),
    count,
    count,
    u32(central.length),
    u32(position),
    u16(0),
  ]);
}

export async function unpackAll(
  zip: Uint8Array,
  limits: Partial<UnpackLimits> = {},
): Promise<UnpackedEntry[]> {
  const entries: UnpackedEntry[] = [];
  for await (const entry of unpackZip(zip, { limits: { ...UNPACK_LIMITS, ...limits } })) entries.push(entry);
  return entries;
}

/** One line for each entry: `a.xml = conteúdo`, or `b.xml ! zip_cifrado` (rejeitado), or `c ~ codigo` (ignorado). */
export function lines(entries: readonly UnpackedEntry[]): string[] {
  return entries.map((entry) =>
    entry.resultado === 'arquivo'
      ? `${entry.caminho} = ${Buffer.from(entry.bytes).toString()}`
      : `${entry.caminho} ${entry.resultado === 'rejeitado' ? '!' : '~'} ${entry.codigo}`,
  );
}

export async function unpackLines(zip: Uint8Array, limits: Partial<UnpackLimits> = {}): Promise<string[]> {
  return lines(await unpackAll(zip, limits));
}
