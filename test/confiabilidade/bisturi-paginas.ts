/** Injuries to the pages of a SQLite file: one bit, chosen by tree and page, or by table and column. */
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';

/** A bit of a file. */
export interface Bit {
  /** Of the byte. */
  offset: number;
  bit: number;
  /** What is there, for people. */
  onde: string;
}

interface Pagina {
  arvore: string;
  offset: number;
  bytes: number;
}

const HEADER_OF_FILE = 100;
const LEAF_OF_TABLE = 0x0d;
const LEAF_OF_INDEX = 0x0a;

export function swapBit(path: string, { offset, bit }: Bit): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, offset);
  byte[0] = (byte[0] ?? 0) ^ (1 << bit);
  writeSync(file, byte, 0, 1, offset);
  closeSync(file);
}

/** Bits anywhere in the pages of tables and indexes; each tree as often as every other, however small. */
export function bitsAoAcaso(path: string, input: { quantos: number; sorte: Aleatorio }): Bit[] {
  const { quantos, sorte } = input;
  const arvores = [...Map.groupBy(paginasDe(path), ({ arvore }) => arvore).values()];
  return Array.from({ length: quantos }, () => {
    const { arvore, offset, bytes } = sorte.pick(sorte.pick(arvores));
    const at = offset + sorte.integer(0, bytes - 1);
    return { offset: at, bit: sorte.integer(0, 7), onde: `${arvore}, byte ${at}` };
  });
}

function paginasDe(path: string): Pagina[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare('select name, pgoffset, pgsize from dbstat order by name, pageno').all();
    return rows.map(({ name, pgoffset, pgsize }) => ({
      arvore: String(name),
      offset: Number(pgoffset),
      bytes: Number(pgsize),
    }));
  } finally {
    database.close();
  }
}

interface Tabela {
  nome: string;
  /** As they stand in a record. */
  colunas: string[];
}

/**
 * Of every column of every table that has rows, the last bit of one value: a number that is one off, a letter that is the next
 * one, a flag that says the other.
 */
export function bitsDeCadaColuna(path: string, sorte: Aleatorio): Bit[] {
  const file = readFileSync(path);
  const paginas = Map.groupBy(paginasDe(path), ({ arvore }) => arvore);
  return tabelasDe(path).flatMap((tabela) => {
    const registros = (paginas.get(tabela.nome) ?? []).flatMap((pagina) => registrosDe(file, pagina));
    return tabela.colunas.flatMap((coluna, at) => {
      const valores = registros.flatMap((registro) => registro[at] ?? []);
      if (valores.length === 0) return [];
      return [{ ...sorte.pick(valores), onde: `${tabela.nome}.${coluna}` }];
    });
  });
}

function tabelasDe(path: string): Tabela[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare("select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite%'")
      .all();
    return tables.map(({ name, sql }) => {
      const columns = database
        .prepare('select name, pk from pragma_table_info(?) order by cid')
        .all(String(name));
      const withoutRowid = /without rowid/i.test(String(sql));
      const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
      const ordered = withoutRowid ? [...key, ...columns.filter(({ pk }) => pk === 0)] : columns;
      return { nome: String(name), colunas: ordered.map((column) => String(column.name)) };
    });
  } finally {
    database.close();
  }
}

type Valor = Pick<Bit, 'offset' | 'bit'>;

/** Where the values of each record of a leaf lie; null for one that has no byte there. */
function registrosDe(file: Buffer, { offset, bytes }: Pagina): (Valor | null)[][] {
  const start = offset === 0 ? HEADER_OF_FILE : offset;
  const kind = file[start];
  if (kind !== LEAF_OF_TABLE && kind !== LEAF_OF_INDEX) return [];
  const cells = file.readUInt16BE(start + 3);
  return Array.from({ length: cells }, (_one, n) => {
    let at = offset + file.readUInt16BE(start + 8 + 2 * n);
    const payload = varint(file, at);
    at = payload.end;
    if (kind === LEAF_OF_TABLE) at = varint(file, at).end;
    return valoresDe(file, { at, end: Math.min(at + payload.value, offset + bytes) });
  });
}

/** @fonte https://www.sqlite.org/fileformat2.html#record_format */
function valoresDe(file: Buffer, { at, end }: { at: number; end: number }): (Valor | null)[] {
  const header = varint(file, at);
  const valores: (Valor | null)[] = [];
  let body = at + header.value;
  for (let place = header.end; place < at + header.value; ) {
    const serial = varint(file, place);
    const length = lengthOf(serial.value);
    // 8 and 9 are the numbers 0 and 1 without any byte: the last bit of the type is the number.
    if (serial.value === 8 || serial.value === 9) valores.push({ offset: place, bit: 0 });
    else if (length > 0 && body + length <= end) valores.push({ offset: body + length - 1, bit: 0 });
    else valores.push(null);
    body += length;
    place = serial.end;
  }
  return valores;
}

function lengthOf(serial: number): number {
  if (serial >= 12) return Math.floor((serial - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][serial] ?? 0;
}

function varint(file: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let n = 0; n < 9; n++) {
    const byte = file[at + n] ?? 0;
    if (n === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + n + 1 };
  }
  return { value, end: at + 9 };
}
