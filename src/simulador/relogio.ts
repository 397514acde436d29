/** A clock that is moved by hand. It may go along with the real one in between. */
import { type Clock, systemClock } from '../platform/clock.ts';

export class RelogioVirtual implements Clock {
  #diferenca: number;
  readonly #base: Clock;

  /** @param em ms; default: as late as `base` says @param base what goes on by itself; null: nothing does */
  constructor(em?: number, base: Clock | null = null) {
    this.#base = base ?? { now: () => 0 };
    this.#diferenca = em === undefined ? 0 : em - this.#base.now();
  }

  /** One that starts now and goes on. */
  static going(): RelogioVirtual {
    return new RelogioVirtual(undefined, systemClock);
  }

  now(): number {
    return this.#base.now() + this.#diferenca;
  }

  advance(ms: number): void {
    this.#diferenca += ms;
  }

  set(em: number): void {
    this.#diferenca = em - this.#base.now();
  }
}
