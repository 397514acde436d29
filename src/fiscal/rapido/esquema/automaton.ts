import type { PatternTables } from './dfa.ts';
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
  /** How many of them have to be there. */
  required: number;
  /** Attributes beyond these may stand too, unlooked at. */
  anyAttribute: boolean;
}

/** Type of an element that may hold anything, unlooked at. */
export const TYPE_SKIP = -1;
/** Type of an element that the fast tier does not know for certain: it leaves the document. */
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
  stateUnique: readonly (readonly Unique[] | null)[];
  steps: StepTable;
  /** Memory of the patterns of all types. */
  patterns: PatternTables;
}

/** No two children may have the same value of an attribute (`xs:unique` with `./*` and `@name`). */
export interface Unique {
  attribute: number;
}

/** Symbols and states that fit into one key. */
export const MAX_SYMBOLS = 1 << 11;
export const MAX_STATES = 1 << 19;
const EMPTY = -1;

/** State and symbol → state: an open hash table in one array, filled once. */
export class StepTable {
  /** Key and target, side by side. */
  #cells = new Int32Array(128).fill(EMPTY);
  #mask = 63;
  #count = 0;

  set(state: number, symbol: number, target: number): void {
    if (this.#count * 2 > this.#mask) this.#grow();
    this.#put(keyOf(state, symbol), target);
    this.#count++;
  }

  get(state: number, symbol: number): number {
    const key = keyOf(state, symbol);
    const cells = this.#cells;
    const mask = this.#mask;
    let slot = slotOf(key) & mask;
    for (;;) {
      const found = cells[slot * 2] as number;
      if (found === key) return cells[slot * 2 + 1] as number;
      if (found === EMPTY) return NOWHERE;
      slot = (slot + 1) & mask;
    }
  }

  #put(key: number, target: number): void {
    let slot = slotOf(key) & this.#mask;
    while (this.#cells[slot * 2] !== EMPTY) slot = (slot + 1) & this.#mask;
    this.#cells[slot * 2] = key;
    this.#cells[slot * 2 + 1] = target;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(old.length * 2).fill(EMPTY);
    this.#mask = old.length - 1;
    for (let i = 0; i < old.length; i += 2)
      if (old[i] !== EMPTY) this.#put(old[i] as number, old[i + 1] as number);
  }
}

function keyOf(state: number, symbol: number): number {
  return state * MAX_SYMBOLS + symbol;
}

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 15;
}
