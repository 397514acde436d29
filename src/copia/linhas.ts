/** Rows of a table as a part of a backup, and back. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Row, TableShape, Value } from '../platform/db/table-shape.ts';
import { ErroDeCopia } from './erros.ts';
import { CABECA_DA_PARTE, type CabecaDaParte, temForma } from './schemas-da-copia.ts';

/** Fast: most of what is in it is compressed already. */
const ZSTD_LEVEL = 1;
/** A part is closed above this; one row more may weigh some megabytes. */
const PARTE_BYTES = 8_000_000;

export const nomeDaParte = (tabela: string, n: number) =>
  `banco/${tabela}/${String(n).padStart(5, '0')}.jsonl.zst`;

/** Name of the table whose rows a part holds; null when it holds something else. */
export function tabelaDaParte(nome: string): string | null {
  return /^banco\/([a-z0-9_]+)\/\d{5,}\.jsonl\.zst$/.exec(nome)?.[1] ?? null;
}

/** Collects rows until they are a part. */
export class LinhasParaParte {
  readonly #head: string;
  readonly #bytesAt: ReadonlySet<number>;
  #lines: string[] = [];
  #size = 0;

  constructor(table: TableShape) {
    const binarias = table.columns.filter(({ kind }) => kind === 'bytes').map(({ name }) => name);
    const colunas = table.columns.map(({ name }) => name);
    this.#head = JSON.stringify({ tabela: table.name, colunas, binarias });
    this.#bytesAt = new Set(binarias.map((name) => colunas.indexOf(name)));
  }

  add(row: Row): void {
    const line = JSON.stringify(this.#bytesAt.size === 0 ? row : row.map(asText));
    this.#lines.push(line);
    this.#size += line.length;
  }

  get full(): boolean {
    return this.#size >= PARTE_BYTES;
  }

  get empty(): boolean {
    return this.#lines.length === 0;
  }

  take(): Buffer {
    const text = `${this.#head}\n${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#size = 0;
    return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
  }
}

function asText(value: Value): string | number | null {
  if (!(value instanceof Uint8Array)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
}

interface LinhasLidas {
  tabela: string;
  colunas: string[];
  linhas: Row[];
}

/** @throws ErroDeCopia when the part does not read as one */
export function readLinhas(nome: string, bytes: Uint8Array): LinhasLidas {
  try {
    const [head = '', ...lines] = zstdDecompressSync(bytes).toString('utf8').split('\n');
    const { tabela, colunas, binarias } = readHead(JSON.parse(head));
    const bytesAt = new Set(binarias.map((name) => colunas.indexOf(name)));
    const linhas = lines
      .filter((line) => line !== '')
      .map((line) => readRow(JSON.parse(line), { length: colunas.length, bytesAt }));
    return { tabela, colunas, linhas };
  } catch (error) {
    throw new ErroDeCopia('copia_danificada', `A parte ${nome} da cópia não se lê.`, { cause: error });
  }
}

function readHead(head: unknown): CabecaDaParte {
  if (!temForma(CABECA_DA_PARTE, head)) throw new TypeError('the first line does not tell table and columns');
  if (!head.binarias.every((name) => head.colunas.includes(name)))
    throw new TypeError('bytes of an unknown column');
  return head;
}

function readRow(line: unknown, table: { length: number; bytesAt: ReadonlySet<number> }): Row {
  if (!Array.isArray(line) || line.length !== table.length) throw new TypeError('no row of the columns');
  return line.map((value: unknown, at) => {
    if (value === null || (typeof value === 'number' && !table.bytesAt.has(at))) return value;
    if (typeof value !== 'string') throw new TypeError('no value of a column');
    return table.bytesAt.has(at) ? Buffer.from(value, 'base64') : value;
  });
}
