import type { SimpleType } from './simple-type.ts';

/** An attribute that a type knows. */
export interface AttributeRule {
  /** Number of its name in {@link Automaton.symbols}. */
  symbol: number;
  required: boolean;
  /** The only value it may have, in UTF-8. */
  fixed: Uint8Array | null;
  type: SimpleType;
}

/** What an element of a complex or simple type may hold. */
export interface TypeRule {
  /** State before the first child; -1 where no children may stand. */
  start: number;
  /** Type of the text; null where there may be none but white space between children. */
  text: SimpleType | null;
  /** Whether text may stand between children. */
  mixed: boolean;
  attributes: readonly AttributeRule[];
  /** Attributes beyond these may stand too, unlooked at. */
  anyAttribute: boolean;
}

/** Of a state whose element may hold anything, unlooked at. */
export const TYPE_SKIP = -1;
/** Of an element that the fast tier does not know for certain: the document is not mine. */
export const TYPE_UNKNOWN = -2;
/** No state. */
export const NOWHERE = -1;

/**
 * A schema for documents of one root, as tables. States are places of content models: "the child before stood here";
 * the number of a state says of what type that child is, and how often in a row it may and must stand there.
 */
export interface Automaton {
  /** Names (`namespace local`) that the schema knows, numbered. */
  symbols: ReadonlyMap<string, number>;
  root: { symbol: number; type: number; unique: readonly Unique[] };
  types: readonly TypeRule[];
  /** By state. */
  stateType: Int32Array;
  stateMin: Int32Array;
  stateMax: Int32Array;
  /** 1 where content may end. */
  stateAccepts: Uint8Array;
  /** Where a child of a name unknown to the state leads, or NOWHERE; and the namespace that it must not have. */
  stateWild: Int32Array;
  wildOtherThan: readonly (string | null)[];
  /** Constraints on the element that stands at a state. */
  stateUnique: ReadonlyMap<number, readonly Unique[]>;
  steps: StepTable;
}

/** No two children may have the same value of an attribute (`xs:unique` with `./*` and `@name`). */
export interface Unique {
  attribute: number;
}

/** State and symbol → state: an open hash table in one array, filled once. */
export class StepTable {
  #keys = new Float64Array(64);
  #targets = new Int32Array(64);
  #mask = 63;
  #count = 0;

  set(state: number, symbol: number, target: number): void {
    if (this.#count * 3 > this.#mask) this.#grow();
    this.#put(keyOf(state, symbol), target);
    this.#count++;
  }

  get(state: number, symbol: number): number {
    const key = keyOf(state, symbol);
    const keys = this.#keys;
    const mask = this.#mask;
    let slot = slotOf(state, symbol) & mask;
    for (;;) {
      const found = keys[slot] as number;
      if (found === key) return this.#targets[slot] as number;
      if (found === 0) return NOWHERE;
      slot = (slot + 1) & mask;
    }
  }

  #put(key: number, target: number): void {
    const state = Math.floor(key / SYMBOLS) - 1;
    let slot = slotOf(state, key % SYMBOLS) & this.#mask;
    while (this.#keys[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#keys[slot] = key;
    this.#targets[slot] = target;
  }

  #grow(): void {
    const keys = this.#keys;
    const targets = this.#targets;
    this.#keys = new Float64Array(keys.length * 2);
    this.#targets = new Int32Array(keys.length * 2);
    this.#mask = keys.length * 2 - 1;
    for (const [i, key] of keys.entries()) if (key !== 0) this.#put(key, targets[i] ?? NOWHERE);
  }
}

const SYMBOLS = 1 << 16;

function keyOf(state: number, symbol: number): number {
  return (state + 1) * SYMBOLS + symbol;
}

function slotOf(state: number, symbol: number): number {
  return (Math.imul(state, 0x9e3779b1) >>> 12) + Math.imul(symbol, 0x85ebca6b);
}
