/** What the check of an engine finds (`engine-check.ts`), and how damage is told from other errors. */

/**
 * What becomes of it: an index is made anew from its table; where a row follows from nothing else, a person tells which of the two
 * is right, the row or what the index has of it; a backup.
 */
export type Remedio = 'refazer_indice' | 'escolher' | 'refazer_arquivo' | 'restaurar';

export interface EngineFault {
  remedio: Remedio;
  table: string | null;
  index: string | null;
  /** pt-BR, as a part of a sentence: what is wrong, in which words the database says so. */
  mensagem: string;
}

export interface EngineReport {
  faults: EngineFault[];
  /** pt-BR sentences: what could not be looked at as well as might be, and what to do for it. */
  avisos: string[];
}

export interface CheckOptions {
  /** Folder of the migrations. */
  folder: string;
  /** Tables whose rows are compared with what they follow from: of these it is the row that is right in the end. */
  derived: ReadonlySet<string>;
}

/** Primary result codes of SQLite for a damaged file. */
const DAMAGED_SQLITE: ReadonlySet<number> = new Set([11, 26]);
/** SQLSTATEs of PostgreSQL: a damaged page or index, something that cannot be; a file of the server that is not there. */
const DAMAGED_POSTGRES = /^(?:XX...|58P01)$/;
const PRIMARY_CODE = 0xff;

/** Whether a statement failed because what is kept is damaged. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  if (errcode !== undefined) return DAMAGED_SQLITE.has(errcode & PRIMARY_CODE);
  return (
    (code !== undefined && DAMAGED_POSTGRES.test(code)) ||
    /database disk image is malformed/.test(error.message)
  );
}
