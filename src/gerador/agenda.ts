/** A queue of things to happen, taken in order of time; equal times in order of scheduling. */
export class Agenda<T> {
  readonly #heap: { em: number; ordem: number; valor: T }[] = [];
  #next = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Schedules a value for a moment (milliseconds since 1970). */
  schedule(em: number, valor: T): void {
    const heap = this.#heap;
    heap.push({ em, ordem: this.#next++, valor });
    let i = heap.length - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (this.#isBefore(parent, i)) break;
      this.#swap(parent, i);
      i = parent;
    }
  }

  /** Takes the earliest value that is due at the moment; null when none is. */
  take(until: number): { em: number; valor: T } | null {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.em > until) return null;
    const last = heap.pop();
    if (heap.length > 0 && last) {
      heap[0] = last;
      this.#sink();
    }
    return { em: first.em, valor: first.valor };
  }

  #sink(): void {
    const n = this.#heap.length;
    for (let i = 0; ; ) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < n && !this.#isBefore(least, child)) least = child;
      if (least === i) return;
      this.#swap(i, least);
      i = least;
    }
  }

  #isBefore(i: number, j: number): boolean {
    const a = this.#heap[i];
    const b = this.#heap[j];
    return !!a && !!b && (a.em < b.em || (a.em === b.em && a.ordem <= b.ordem));
  }

  #swap(i: number, j: number): void {
    const a = this.#heap[i];
    const b = this.#heap[j];
    if (!a || !b) return;
    this.#heap[i] = b;
    this.#heap[j] = a;
  }
}
