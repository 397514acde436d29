/**
 * Whether anything was committed since one last looked, told at once. `pragma data_version` compares counters that lie
 * in memory which all connections share (the index of the WAL), so it waits for no disk and no writer; it is the only
 * statement that the thread of the HTTP server runs itself.
 * @fonte https://sqlite.org/pragma.html#pragma_data_version
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export class SqliteCommits {
  readonly #path: string;
  #database: DatabaseSync | null = null;
  #statement: StatementSync | null = null;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * A number that stays the same as long as no other connection, of any process, has committed; this one never does. Null
   * when it cannot be told without waiting.
   */
  now(): number | null {
    if (this.#closed) return null;
    try {
      this.#statement ??= this.#open();
      const [version] = this.#statement.get() as unknown as number[];
      return version ?? null;
    } catch {
      // Somebody recovers or closes the log right now, or it cannot be opened: whoever asks goes the long way.
      return null;
    }
  }

  /** Closing again is harmless. */
  close(): void {
    this.#closed = true;
    this.#statement = null;
    this.#database?.close();
    this.#database = null;
  }

  #open(): StatementSync {
    // Never waits for a lock.
    this.#database ??= new DatabaseSync(this.#path, { readOnly: true, timeout: 0 });
    const statement = this.#database.prepare('pragma data_version');
    statement.setReturnArrays(true);
    return statement;
  }
}
