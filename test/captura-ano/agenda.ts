/** What is going to happen, by time. */
type Ato = () => void | Promise<void>;

export class Agenda {
  /** A heap: each stands behind its parent. */
  readonly #heap: { em: number; ordem: number; ato: Ato }[] = [];
  #ordem = 0;

  get next(): number | null {
    return this.#heap[0]?.em ?? null;
  }

  add(em: number, ato: Ato): void {
    this.#heap.push({ em, ordem: this.#ordem++, ato });
    let at = this.#heap.length - 1;
    while (at > 0 && this.#before(at, (at - 1) >> 1)) {
      this.#swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  async runUntil(agora: number): Promise<void> {
    while ((this.next ?? Number.POSITIVE_INFINITY) <= agora) await this.#take()?.();
  }

  #take(): Ato | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (!first || !last || first === last) return first?.ato;
    this.#heap[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < this.#heap.length && this.#before(left, least)) least = left;
      if (right < this.#heap.length && this.#before(right, least)) least = right;
      if (least === at) return first.ato;
      this.#swap(at, least);
      at = least;
    }
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other) return false;
    return one.em < other.em || (one.em === other.em && one.ordem < other.ordem);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}
