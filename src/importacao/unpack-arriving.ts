import { NextChange } from '../platform/next-change.ts';
import {
  BudgetSpent,
  type Directory,
  type Found,
  isFile,
  type ListedEntry,
  listEntry,
  numbered,
  OUTERMOST,
  readDirectory,
  readEntry,
  readListed,
  readZip,
  type UnpackedEntry,
} from './unpack.ts';
import { UnpackBudget } from './unpack-budget.ts';
import { boundedLimits, UNPACK_LIMITS, type UnpackLimits } from './unpack-limits.ts';
import { readLocalRecord } from './unpack-record.ts';

/** What was read ahead is not what the directory tells of; nothing of it holds. */
export class Misread extends Error {}

/**
 * A zip whose bytes are still coming. Its directory stands at the end; until that is here entries are read by their local
 * headers, as most writers lay them out. Then the directory decides whether `unpackZip` would have given the same, and the
 * rest is read by it. Nothing of what was read may be kept before that: `confirmed`.
 */
export class ArrivingZip {
  readonly #zip: Buffer;
  readonly #budget: UnpackBudget;
  /** Files that are read, or begun, before the directory is known. */
  readonly #ahead: ListedEntry[] = [];
  readonly #directory = Promise.withResolvers<Directory>();
  #arrived = 0;
  #failed = false;
  readonly #moved = new NextChange();

  /** @param zip memory for all of it, filled up to what `arrive` tells */
  constructor(zip: Buffer, options: { limits?: UnpackLimits } = {}) {
    this.#zip = zip;
    this.#budget = new UnpackBudget(boundedLimits(options.limits ?? UNPACK_LIMITS), zip.length);
    this.#directory.promise.catch(() => {});
  }

  /** Resolves once all is here and `entries` has given nothing that `unpackZip` does not give. @throws Misread, or what `fail` was told */
  async confirmed(): Promise<void> {
    await this.#directory.promise;
  }

  /** So many bytes from its beginning are here; with the last of them the directory is read. */
  arrive(bytes: number): void {
    this.#arrived = bytes;
    if (bytes === this.#zip.length) this.#confirm().then(this.#directory.resolve, this.#directory.reject);
    this.#moved.tell();
  }

  /** It does not come to its end. */
  fail(error: Error): void {
    this.#failed = true;
    this.#directory.reject(error);
    this.#moved.tell();
  }

  /** As those of `unpackZip`, but earlier. @throws Misread, or what `fail` was told */
  entries(): AsyncGenerator<UnpackedEntry> {
    const behind = readListed(this.#zip, {
      directory: () => this.#directory.promise,
      here: OUTERMOST,
      budget: this.#budget,
      read: () => this.#ahead.length,
    });
    return numbered([this.#foundAhead(), behind]);
  }

  async *#foundAhead(): AsyncGenerator<Found> {
    try {
      for (let at = 0; this.#arrived < this.#zip.length; ) {
        const record = readLocalRecord(this.#zip, at, this.#arrived);
        if (record === 'other') return;
        if (record === null) {
          // It may have failed while nobody waited here: no change would be told any more.
          if (!this.#failed) await this.#moved.wait();
          if (this.#failed) return;
          continue;
        }
        at = record.end;
        const file = listEntry(this.#zip, record, this.#arrived, this.#budget.limits);
        if (file.isFolder) continue;
        this.#ahead.push(file);
        const found = readEntry(this.#zip, file, OUTERMOST, this.#budget);
        if ('innerZip' in found) yield* readZip(found.innerZip, found.standing, this.#budget);
        else yield found;
      }
    } catch (error) {
      // Of which zip it is said depends on the directory, which pays for its entries first.
      throw error instanceof BudgetSpent ? new Misread('the budget was spent', { cause: error }) : error;
    }
  }

  async #confirm(): Promise<Directory> {
    const directory = await readDirectory(this.#zip, OUTERMOST, this.#budget).catch((cause: unknown) => {
      throw new Misread('the directory cannot be read', { cause });
    });
    const files = directory.entries.filter(isFile);
    const same = this.#ahead.every((file, at) => isSame(file, files[at]));
    if (!same) throw new Misread('the directory tells of other entries');
    return directory;
  }
}

function isSame(ahead: ListedEntry, listed: ListedEntry | undefined): boolean {
  return listed !== undefined && signOf(ahead) === signOf(listed);
}

/** All that reading an entry goes by. */
function signOf({ label, verdict, place }: ListedEntry): string {
  return JSON.stringify([label, verdict, place]);
}
