/**
 * Compound files (OLE): streams in folders, as Outlook's `.msg` and the older Office keep them. Our own reading, of the
 * little that is needed: each chain of sectors is followed as far as what it holds is long and no longer than the file has
 * sectors, and the tree of names once, which readers made for honest files do not see to.
 * @fonte [MS-CFB]: Compound File Binary File Format
 */

/** The bytes are no compound file, or a damaged one. */
export class CfbFault extends Error {}

/** A stream, or a folder of them. */
export interface Objeto {
  nome: string;
  ehPasta: boolean;
  filhos: Objeto[];
  start: number;
  size: number;
}

export const CFB_SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** From here on numbers of sectors mean other things: free, end of a chain. */
const SPECIAL = 0xfffffffa;
const NOTHING = 0xffffffff;
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;
const FAT_IN_HEADER = 109;
const MINI_BYTES = 64;
/** Streams that stand in small sectors are shorter; some writers have none there at all. */
const MINI_BELOW_BYTES = 4_096;

export class Cfb {
  readonly root: Objeto;
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #miniBelow: number;
  readonly #fat: Uint32Array;
  readonly #miniFat: Uint32Array;
  readonly #mini: Buffer;

  /** @throws CfbFault */
  constructor(bytes: Buffer) {
    if (bytes.length < HEADER_BYTES || !bytes.subarray(0, 8).equals(CFB_SIGNATURE))
      throw new CfbFault('no compound file');
    this.#bytes = bytes;
    const shift = bytes.readUInt16LE(30);
    if ((shift !== 9 && shift !== 12) || 2 ** bytes.readUInt16LE(32) !== MINI_BYTES)
      throw new CfbFault('sectors of an unknown size');
    this.#miniBelow = bytes.readUInt32LE(56);
    if (this.#miniBelow > MINI_BELOW_BYTES) throw new CfbFault('small streams that are not small');
    this.#sectorBytes = 2 ** shift;
    this.#fat = this.#readFat();
    this.root = treeOf(this.#chain(bytes.readUInt32LE(48), Number.POSITIVE_INFINITY));
    this.#mini = this.#chain(this.root.start, this.root.size);
    const miniFatBytes = 4 * Math.ceil(this.#mini.length / MINI_BYTES);
    this.#miniFat = numbersIn(this.#chain(bytes.readUInt32LE(60), miniFatBytes));
  }

  /** The bytes of a stream. @throws CfbFault */
  read({ start, size }: Objeto): Buffer {
    if (size === 0) return Buffer.alloc(0);
    const content = size < this.#miniBelow ? this.#miniChain(start, size) : this.#chain(start, size);
    if (content.length < size) throw new CfbFault('a stream is shorter than it says');
    return content;
  }

  #sector(number: number): Buffer {
    const at = (number + 1) * this.#sectorBytes;
    if (at >= this.#bytes.length) throw new CfbFault('a sector is missing');
    return this.#bytes.subarray(at, at + this.#sectorBytes);
  }

  /** Numbers of the sectors that hold the table of chains: in the header, then in a chain of their own. */
  #readFat(): Uint32Array {
    const bytes = this.#bytes;
    const sectors = [...numbersIn(bytes.subarray(76, 76 + 4 * FAT_IN_HEADER))];
    let next = bytes.readUInt32LE(68);
    const most = bytes.length / this.#sectorBytes;
    for (let count = 0; next < SPECIAL; count++) {
      if (count > most) throw new CfbFault('a chain without an end');
      const numbers = [...numbersIn(this.#sector(next))];
      next = numbers.pop() ?? NOTHING;
      sectors.push(...numbers);
    }
    const used = sectors.filter((number) => number < SPECIAL);
    // The table has four bytes for each sector; some writers leave a few sectors of it empty.
    if (used.length > (4 * most) / this.#sectorBytes + FAT_IN_HEADER)
      throw new CfbFault('a table larger than the file');
    return numbersIn(Buffer.concat(used.map((number) => this.#sector(number))));
  }

  #chain(start: number, size: number): Buffer {
    return joined((number) => this.#sector(number), { start, size, table: this.#fat });
  }

  #miniChain(start: number, size: number): Buffer {
    const sector = (number: number) => this.#mini.subarray(number * MINI_BYTES, (number + 1) * MINI_BYTES);
    return joined(sector, { start, size, table: this.#miniFat });
  }
}

/** The sectors of a chain, as far as what it holds is long. */
function joined(
  sector: (number: number) => Buffer,
  { start, size, table }: { start: number; size: number; table: Uint32Array },
): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  for (let number = start; number < SPECIAL && length < size; number = table[number] ?? NOTHING) {
    if (parts.length > table.length) throw new CfbFault('a chain without an end');
    const part = sector(number);
    length += part.length;
    parts.push(part);
  }
  return Buffer.concat(parts).subarray(0, size);
}

function numbersIn(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(Math.floor(bytes.length / 4));
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readUInt32LE(4 * i);
  return numbers;
}

interface Registro {
  objeto: Objeto;
  left: number;
  right: number;
  child: number;
}

function recordAt(directory: Buffer, index: number): Registro | null {
  const at = index * ENTRY_BYTES;
  if (at + ENTRY_BYTES > directory.length) return null;
  const type = directory[at + 66] ?? 0;
  if (type !== STORAGE && type !== STREAM && type !== ROOT) return null;
  const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
  return {
    objeto: {
      nome: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      ehPasta: type !== STREAM,
      filhos: [],
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    },
    left: directory.readUInt32LE(at + 68),
    right: directory.readUInt32LE(at + 72),
    child: directory.readUInt32LE(at + 76),
  };
}

/** Each record has one place in the tree: what leads to one again leads nowhere. */
function treeOf(directory: Buffer): Objeto {
  const root = recordAt(directory, 0);
  if (!root) throw new CfbFault('no root');
  const seen = new Set<number>([0]);
  const folders: Objeto[] = [root.objeto];
  const waiting: { index: number; parent: Objeto }[] = [{ index: root.child, parent: root.objeto }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { index, parent } = next;
    const record = seen.has(index) ? null : recordAt(directory, index);
    seen.add(index);
    if (!record) continue;
    parent.filhos.push(record.objeto);
    waiting.push({ index: record.left, parent }, { index: record.right, parent });
    if (!record.objeto.ehPasta) continue;
    folders.push(record.objeto);
    waiting.push({ index: record.child, parent: record.objeto });
  }
  for (const folder of folders) folder.filhos.sort((a, b) => (a.nome < b.nome ? -1 : 1));
  return root.objeto;
}
