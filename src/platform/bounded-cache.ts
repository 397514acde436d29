import { LRUCache } from 'lru-cache';

/**
 * Remembers the `entries` that were used last. Bounded by size, each entry counting as one: for a number of entries
 * lru-cache takes the memory of all of them at once, which a service at rest would keep for nothing.
 */
export function boundedCache<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>(
  entries: number,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: entries, sizeCalculation: () => 1 });
}
