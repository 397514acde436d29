/** A database that is filled whole from a copy: it shows all of it at once, or nothing. */
import type { DatabaseSettings } from './connect.ts';
import type { Engine } from './engine.ts';
import { migrationFiles } from './migration-files.ts';
import type { Row, TableShape } from './table-shape.ts';

export interface WholeLoad {
  readonly engine: Engine;
  readonly tables: readonly TableShape[];
  insert(table: TableShape, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  /** What lies in a table now. */
  rows(table: TableShape): AsyncIterable<Row[]>;
  /** From now on it is the database. @returns where the former one lies, when there was one and it was kept */
  commit(): Promise<string | null>;
  /** Nothing has happened. Harmless after `commit`. */
  abandon(): Promise<void>;
}

export interface WholeLoadOptions {
  settings: DatabaseSettings;
  /** Folder of the migrations. */
  folder: string;
  /** Where the copy comes from. */
  from: Engine;
  /** Versions that had made the tables of the copy; later ones run over its rows at the end. */
  versions: readonly number[];
  /** Whether what is there may be replaced. */
  replace: boolean;
}

/** Why a database cannot be filled. */
export class TargetError extends Error {
  readonly reason: 'not_empty' | 'in_use' | 'newer_than_copy' | 'older_than_copy';
  constructor(reason: TargetError['reason'], message: string) {
    super(message);
    this.name = 'TargetError';
    this.reason = reason;
  }
}

/**
 * Which migrations belong to the shape of the copy, here. A migration of one engine only says nothing about the other.
 * @throws TargetError when the copy knows one that this program does not
 */
export function shapeOfCopy({ folder, from, versions }: WholeLoadOptions): {
  belongs: (version: number) => boolean;
} {
  const there = new Set(migrationFiles(folder, from).map(({ version }) => version));
  if (versions.some((version) => !there.has(version))) {
    throw new TargetError('older_than_copy', 'the copy knows migrations that this program does not');
  }
  return { belongs: (version) => versions.includes(version) || !there.has(version) };
}

/** Tables that hold rows only in a database that somebody uses: what a first start makes by itself does not count. */
export const SIGNS_OF_USE = ['contador', 'auditoria'] as const;
