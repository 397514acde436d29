/** Containers for the tests, written byte by byte so that every field can lie. */

/** One entry of a tar archive; what is not given is as an honest writer would have it. */
export interface EntradaDeTar {
  nome: string;
  bytes?: string | Buffer;
  tipo?: string;
  /** As it stands in the header, in place of the true one. */
  tamanho?: string;
  /** Of the header, in place of the true one. */
  soma?: number;
}

export function tarDe(...entradas: EntradaDeTar[]): Buffer {
  const parts = entradas.flatMap(({ nome, bytes = '', tipo = '0', tamanho, soma }) => {
    const content = Buffer.from(bytes);
    const header = Buffer.alloc(512);
    header.write(nome, 0, 100, 'utf8');
    header.write('0000644\0', 100, 'latin1');
    header.write(tamanho ?? `${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write(tipo, 156, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    header.fill(0x20, 148, 156);
    const sum = soma ?? header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

export function der(tag: number, ...contents: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content]);
}

/** The same without a length, ended by two zero bytes. */
export function indefinite(tag: number, ...contents: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)]);
}

const OID = { data: 1, signed: 2, enveloped: 3 } as const;

export function oid(kind: keyof typeof OID): Buffer {
  return Buffer.from([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, OID[kind]]);
}

/** A signed content without signers. @param conteudo the octets, tag and all; none for a signature that stands alone */
export function assinadoDe(conteudo: Buffer | null, kind: 'signed' | 'enveloped' = 'signed'): Buffer {
  const encapsulated = der(0x30, oid('data'), ...(conteudo ? [der(0xa0, conteudo)] : []));
  const data = der(0x30, Buffer.from([2, 1, 1]), der(0x31), encapsulated, der(0x31));
  return der(0x30, oid(kind), der(0xa0, data));
}

export interface Anexo {
  nome: string;
  bytes: string | Buffer;
  tipo?: string;
  /** `base64` by default. */
  codificacao?: 'base64' | '8bit';
}

export function mensagemDe(anexos: readonly Anexo[], corpo = 'Segue a nota.'): Buffer {
  // One inside another has a boundary of its own.
  const limite = `limite${anexos.length}`;
  const parts = anexos.map(({ nome, bytes, tipo = 'application/octet-stream', codificacao = 'base64' }) => {
    const content = Buffer.from(bytes);
    const text =
      codificacao === 'base64'
        ? content.toString('base64').replace(/(.{76})/g, '$1\r\n')
        : content.toString('latin1');
    return `--${limite}\r\nContent-Type: ${tipo}\r\nContent-Transfer-Encoding: ${codificacao}\r\nContent-Disposition: attachment; filename="${nome}"\r\n\r\n${text}\r\n`;
  });
  const head = `From: Fornecedor <nfe@fornecedor.example>\r\nTo: fiscal@escritorio.example\r\nSubject: =?utf-8?Q?NF-e_de_mar=C3=A7o?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary="${limite}"\r\n\r\n`;
  const body = `--${limite}\r\nContent-Type: text/plain\r\n\r\n${corpo}\r\n`;
  return Buffer.from(`${head}${body}${parts.join('')}--${limite}--\r\n`, 'latin1');
}

const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

/** A folder of a compound file by its name, or a stream. */
export type Arvore = { [nome: string]: Arvore | Buffer };

interface Registro {
  nome: string;
  tipo: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

/** A compound file without short streams: each has sectors of its own, one behind the other. */
export function cfbDe(arvore: Arvore): Buffer {
  const records: Registro[] = [
    { nome: 'Root Entry', tipo: 5, right: FREE, child: FREE, start: END, size: 0 },
  ];
  const contents: Buffer[] = [];
  const chains: number[] = [];
  const addStream = (bytes: Buffer): number => {
    const count = Math.ceil(bytes.length / SECTOR);
    const start = chains.length;
    for (let i = 0; i < count; i++) chains.push(i === count - 1 ? END : start + i + 1);
    contents.push(bytes, Buffer.alloc(count * SECTOR - bytes.length));
    return count === 0 ? END : start;
  };
  const addAll = (folder: Arvore): number => {
    let next = FREE;
    for (const [nome, inside] of Object.entries(folder).reverse()) {
      const isStream = Buffer.isBuffer(inside);
      const record: Registro = isStream
        ? { nome, tipo: 2, right: next, child: FREE, start: addStream(inside), size: inside.length }
        : { nome, tipo: 1, right: next, child: FREE, start: 0, size: 0 };
      if (!isStream) record.child = addAll(inside);
      next = records.push(record) - 1;
    }
    return next;
  };
  (records[0] as Registro).child = addAll(arvore);
  const directoryStart = addStream(Buffer.concat(records.map(recordOf)));
  const fatSectors = Math.ceil((chains.length + 20) / (SECTOR / 4));
  const fatStart = chains.length;
  for (let i = 0; i < fatSectors; i++) chains.push(0xfffffffd);
  const fat = Buffer.alloc(fatSectors * SECTOR, 0xff);
  for (const [at, next] of chains.entries()) fat.writeUInt32LE(next, 4 * at);
  return Buffer.concat([headerOf({ directoryStart, fatStart, fatSectors }), ...contents, fat]);
}

function recordOf({ nome, tipo, right, child, start, size }: Registro): Buffer {
  const record = Buffer.alloc(128);
  record.write(nome, 0, 64, 'utf16le');
  record.writeUInt16LE(2 * nome.length + 2, 64);
  record.writeUInt8(tipo, 66);
  record.writeUInt32LE(FREE, 68);
  record.writeUInt32LE(right, 72);
  record.writeUInt32LE(child, 76);
  record.writeUInt32LE(start, 116);
  record.writeUInt32LE(size, 120);
  return record;
}

function headerOf(input: { directoryStart: number; fatStart: number; fatSectors: number }): Buffer {
  const header = Buffer.alloc(SECTOR);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(input.fatSectors, 44);
  header.writeUInt32LE(input.directoryStart, 48);
  // Every stream is a long one.
  header.writeUInt32LE(0, 56);
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(END, 68);
  header.fill(0xff, 76);
  for (let i = 0; i < input.fatSectors; i++) header.writeUInt32LE(input.fatStart + i, 76 + 4 * i);
  return header;
}
