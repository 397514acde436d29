/** The documents that wait for one party, numbered without gaps. */

export interface Item {
  nsu: number;
  /** `procNFe_v4.00.xsd`; in the ADN `NFSE` or `EVENTO`; `NENHUM` for a number that was given up. */
  schema: string;
  chave: string;
  xml: string;
  /** ms */
  em: number;
}

export class Fila {
  #itens: Item[] = [];
  #max = 0;

  /** Greatest number given; 0 for none. */
  get max(): number {
    return this.#max;
  }

  /** First number that is still kept. */
  get primeiro(): number {
    return this.#itens[0]?.nsu ?? this.#max + 1;
  }

  add(item: Omit<Item, 'nsu'>): Item {
    const added = { ...item, nsu: ++this.#max };
    this.#itens.push(added);
    return added;
  }

  /** Numbers that nothing will ever stand under. */
  skip(quantos: number): void {
    this.#max += quantos;
  }

  get(nsu: number): Item | null {
    const item = this.#itens[this.#indexAfter(nsu - 1)];
    return item?.nsu === nsu ? item : null;
  }

  /** Up to `limite` entries with numbers above `nsu`. */
  after(nsu: number, limite: number): Item[] {
    const from = this.#indexAfter(nsu);
    return this.#itens.slice(from, from + limite);
  }

  has(chave: string): boolean {
    return this.#itens.some((item) => item.chave === chave);
  }

  /** Forgets what came before `antesDe`. */
  expire(antesDe: number): void {
    let gone = 0;
    while ((this.#itens[gone]?.em ?? Number.POSITIVE_INFINITY) < antesDe) gone++;
    if (gone > 0) this.#itens = this.#itens.slice(gone);
  }

  /** Index of the first entry whose number is above `nsu`. */
  #indexAfter(nsu: number): number {
    let [low, high] = [0, this.#itens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#itens[middle]?.nsu ?? 0) > nsu) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
