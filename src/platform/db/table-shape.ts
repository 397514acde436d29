/** What the tables of a database look like, read from its own catalogue: what copies rows needs no list to be kept up. */

import { MOVE_TABLE } from './migration-files.ts';

export type ColumnKind = 'integer' | 'text' | 'bytes';

export interface ColumnShape {
  name: string;
  kind: ColumnKind;
  /** A number that the database gives out by itself. */
  identity: boolean;
}

export interface TableShape {
  name: string;
  columns: ColumnShape[];
  /** Primary key, in its order. */
  key: string[];
  /** Other tables that its rows point to. */
  references: string[];
}

/** One value of a row, the same from both engines. */
export type Value = string | number | Uint8Array | null;
/** In the order of the table's columns. */
export type Row = Value[];

/** Tables of our own bookkeeping, which every database makes for itself. */
export const BOOKKEEPING: ReadonlySet<string> = new Set(['migracao', MOVE_TABLE]);

/** A row comes behind the rows that it points to. @throws when tables point to each other in a circle */
export function inOrderOfReferences(tables: readonly TableShape[]): TableShape[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered: TableShape[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (table: TableShape): void => {
    if (state.get(table.name) === 'done') return;
    if (state.get(table.name) === 'open') throw new Error(`tables point to each other: ${table.name}`);
    state.set(table.name, 'open');
    for (const name of table.references) {
      const other = byName.get(name);
      if (other && other !== table) visit(other);
    }
    state.set(table.name, 'done');
    ordered.push(table);
  };
  for (const table of [...tables].sort((a, b) => (a.name < b.name ? -1 : 1))) visit(table);
  return ordered;
}

/** Names come from our own migrations; this is for those that are words of SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names as SQL takes them: `"a", "b"`. */
export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
