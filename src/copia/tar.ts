/** The little of the tar format (POSIX.1-1988 ustar) that a backup in one file needs: regular files, written and read in order. */

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** Eleven octal digits. */
const MAX_SIZE = 0o77777777777;
const MODE = '0000600';

/** Header, content and padding of one file. */
export function tarEntry(input: { nome: string; bytes: Uint8Array; seconds: number }): Buffer[] {
  const { nome, bytes, seconds } = input;
  const { prefix, name } = splitName(nome);
  if (bytes.length > MAX_SIZE) throw new Error(`too large for tar: ${nome}`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 'utf8');
  header.write(`${MODE}\0`, 100, 'latin1');
  header.write(`${octal(0, 7)}\0${octal(0, 7)}\0`, 108, 'latin1');
  header.write(`${octal(bytes.length, 11)}\0${octal(seconds, 11)}\0`, 124, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\0' + '00', 257, 'latin1');
  header.write(prefix, 345, 'utf8');
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148, 'latin1');
  return [header, Buffer.from(bytes), Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

/** Two empty blocks. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK);
}

/** The files of an archive, one at a time. Ends early, without a word, where the archive was cut off. */
export async function* readTar(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ nome: string; bytes: Buffer }> {
  const reader = new Blocks(source);
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header === null || header.every((byte) => byte === 0)) return;
    if (checksumOf(header) !== Number.parseInt(textAt(header, 148, 8), 8)) return;
    const prefix = textAt(header, 345, PREFIX_BYTES);
    const nome = (prefix === '' ? '' : `${prefix}/`) + textAt(header, 0, NAME_BYTES);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    const bytes = await reader.take(size);
    if (bytes === null || (await reader.take((BLOCK - (size % BLOCK)) % BLOCK)) === null) return;
    yield { nome, bytes };
  }
}

class Blocks {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #bytes = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly this many bytes; null when the source ends before. */
  async take(size: number): Promise<Buffer | null> {
    while (this.#bytes < size) {
      const { value, done } = await this.#source.next();
      if (done) return null;
      this.#held.push(value);
      this.#bytes += value.length;
    }
    const all = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held);
    this.#held = [all.subarray(size)];
    this.#bytes -= size;
    return all.subarray(0, size);
  }
}

/** A name of more than 100 bytes is cut at a slash. */
function splitName(nome: string): { prefix: string; name: string } {
  if (Buffer.byteLength(nome) <= NAME_BYTES) return { prefix: '', name: nome };
  for (let at = nome.indexOf('/'); at !== -1; at = nome.indexOf('/', at + 1)) {
    const [prefix, name] = [nome.slice(0, at), nome.slice(at + 1)];
    if (Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return { prefix, name };
  }
  throw new Error(`too long a name for tar: ${nome}`);
}

/** The sum of the header's bytes, its own field taken as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : (header[i] ?? 0);
  return sum;
}

function octal(value: number, digits: number): string {
  return Math.floor(value).toString(8).padStart(digits, '0');
}

function textAt(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('utf8');
}
