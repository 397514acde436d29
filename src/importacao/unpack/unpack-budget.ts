import { type FalhaDeZip, razaoSuspeitaNoTotal, zipGrandeDemais } from './unpack-faults.ts';
import { inflatedBytesAllowed, type UnpackLimits } from './unpack-limits.ts';

/** The one purse that the upload and every zip inside it are paid from. */
export class UnpackBudget {
  readonly limits: UnpackLimits;
  readonly #allowedByRatio: number;
  #entriesLeft: number;
  #bytesUsed = 0;

  /** `uploadBytes`: the size of the outermost zip. */
  constructor(limits: UnpackLimits, uploadBytes: number) {
    this.limits = limits;
    this.#entriesLeft = limits.entries;
    this.#allowedByRatio = inflatedBytesAllowed(limits, uploadBytes);
  }

  /** Pays for the records of one directory; false, and nothing is paid, when there are not enough left. */
  takeEntries(count: number): boolean {
    if (count > this.#entriesLeft) return false;
    this.#entriesLeft -= count;
    return true;
  }

  /** Records what was inflated, also when the result is thrown away: it is the work that costs. */
  charge(bytes: number): void {
    this.#bytesUsed += bytes;
  }

  /** How many bytes may still be inflated, and what makes the fault to report when they are not enough. */
  remaining(): { bytes: number; falha: () => FalhaDeZip } {
    const byTotal = this.limits.totalBytes - this.#bytesUsed;
    const byRatio = this.#allowedByRatio - this.#bytesUsed;
    return byTotal <= byRatio
      ? { bytes: Math.max(0, byTotal), falha: () => zipGrandeDemais(this.limits) }
      : { bytes: Math.max(0, byRatio), falha: () => razaoSuspeitaNoTotal(this.limits) };
  }
}
