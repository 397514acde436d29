import { LRUCache } from 'lru-cache';

/** Where the bytes that lead to a certificate are taken from: its own signature, near the end. */
const SAMPLES = [40, 80, 120, 160, 200, 240] as const;

/** The number that leads to bytes only has to be different most of the time. */
function numberOf(content: Uint8Array): number {
  let number = content.length;
  for (const back of SAMPLES) number = (Math.imul(number, 131) + (content[content.length - back] ?? 0)) | 0;
  return number;
}

/**
 * What was made of certificates, found again by the very bytes of the elements that they stand in: one issuer signs
 * thousands of documents.
 */
export class KnownContents<T> {
  readonly #known: LRUCache<number, { content: Uint8Array; made: T }>;

  /** @param max how many are kept, those that were asked for last */
  constructor(max: number) {
    this.#known = new LRUCache({ max });
  }

  get(content: Uint8Array): T | null {
    const known = this.#known.get(numberOf(content));
    return known && Buffer.compare(known.content, content) === 0 ? known.made : null;
  }

  set(content: Uint8Array, made: T): void {
    this.#known.set(numberOf(content), { content: Uint8Array.from(content), made });
  }
}
