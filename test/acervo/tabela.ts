/** The table of what becomes of every file of the collection, by SHA-256. It holds nothing of their content. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from './importar.ts';

const PATH = join(import.meta.dirname, 'tabela.json');

export interface Achado {
  especie: string;
  resultado: string;
  codigo: string | null;
  /** How many of these in a row. */
  vezes: number;
}

export interface Linha {
  kind: string;
  itens: Achado[];
  /** For a refusal of something of the five families: why a person agrees with it. */
  note?: string;
}

export type Tabela = Record<string, Linha>;

/** What the table keeps of a file's items. */
export function resumir(itens: readonly Item[]): Achado[] {
  const rows: Achado[] = [];
  for (const { especie, resultado, codigo } of itens) {
    const last = rows.at(-1);
    if (last && last.especie === especie && last.resultado === resultado && last.codigo === codigo)
      last.vezes++;
    else rows.push({ especie, resultado, codigo, vezes: 1 });
  }
  return rows;
}

export function readTabela(): Tabela {
  return JSON.parse(readFileSync(PATH, 'utf8'));
}

/** In the order of the hashes: a change shows as a few lines. */
export function writeTabela(tabela: Tabela): void {
  const rows = Object.entries(tabela).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

/** Something was refused. */
export function precisaDeNota(itens: readonly Achado[]): boolean {
  return itens.some(({ resultado }) => resultado === 'rejeitado');
}
