/**
 * Names of elements, attributes, prefixes and namespaces as small numbers, found by their bytes: a document is read
 * without making a string for any of its tags. One table serves many documents; it is given up for a fresh one when
 * it is full, so that no sender can make it grow or keep others out of it.
 */

/** Names as written (`ds:Signature`), and pairs of namespace and local name. All layouts together have some 3,000. */
const MAX_NAMES = 8192;
const MAX_NAMESPACES = 128;
/** Longer names are left to the slow tier; layouts stay below 50. */
export const MAX_NAME_BYTES = 128;
const HASH_SLOTS = 1 << 15;
/** Names that are chosen to have one hash would be compared with each other, thousands for each tag: so many are, and no more. */
const MAX_PROBES = 64;
const ASKED = 1024;
const COLON = 0x3a;

/** Numbers for names, prefixes and namespaces as they are met, kept from document to document: equal names have equal numbers. */
export class Names {
  /** Slot → number of the name + 1; 0 is empty. */
  readonly #slots = new Int32Array(HASH_SLOTS);
  /** Bytes of all names, one behind the other, and where each begins. */
  readonly bytes: Uint8Array = new Uint8Array(MAX_NAMES * MAX_NAME_BYTES);
  readonly from: Int32Array = new Int32Array(MAX_NAMES + 1);
  #count = 0;

  /** Local part and prefix (0: none) of a name as written. */
  readonly localOf = new Int32Array(MAX_NAMES);
  readonly prefixOf = new Int32Array(MAX_NAMES);

  readonly locals: string[] = [];
  readonly #localIds = new Map<string, number>();
  /** What was asked for lately, by a number made of the name. */
  readonly #asked: string[] = new Array<string>(ASKED).fill('');
  readonly #askedIds = new Int32Array(ASKED);
  readonly prefixes: string[] = [''];
  readonly #prefixIds = new Map<string, number>([['', 0]]);
  /** 0 is "in no namespace". */
  readonly namespaces: string[] = [''];
  readonly #namespaceIds = new Map<string, number>([['', 0]]);
  readonly #namespaceBytes: Uint8Array[] = [new Uint8Array(0)];

  /** By namespace: local part → number of the pair, 0 while it has none. */
  readonly expandedIn: Int32Array[] = [new Int32Array(MAX_NAMES)];
  /** Parts of a pair (from 1). */
  readonly expandedLocal = new Int32Array(MAX_NAMES);
  readonly expandedNamespace = new Int32Array(MAX_NAMES);
  expandedCount = 1;

  /** Set when something had to be turned away: the next document gets a fresh table. */
  isFull = false;

  /** The number of the name in `bytes[from..to)`, whose hash the caller has made on the way; -1 when it is turned away. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const length = to - from;
    let slot = (hash ^ (hash >>> 15)) & (HASH_SLOTS - 1);
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const id = (this.#slots[slot] as number) - 1;
      if (id < 0) return this.#add(bytes, from, to, slot);
      const start = this.from[id] as number;
      if ((this.from[id + 1] as number) - start === length) {
        let at = 0;
        while (at < length && this.bytes[start + at] === bytes[from + at]) at++;
        if (at === length) return id;
      }
      slot = (slot + 1) & (HASH_SLOTS - 1);
    }
    return this.#turnAway();
  }

  #add(bytes: Uint8Array, from: number, to: number, slot: number): number {
    if (to - from > MAX_NAME_BYTES) return -1;
    const text = String.fromCharCode(...bytes.subarray(from, to));
    const colon = bytes.subarray(from, to).indexOf(COLON);
    const local = text.slice(colon + 1);
    // A second colon, an empty part, or a local part that cannot begin a name.
    if (colon === 0 || !/^[A-Za-z_][\w.-]*$/.test(local)) return -1;
    if (this.#count >= MAX_NAMES) {
      this.isFull = true;
      return -1;
    }
    const id = this.#count++;
    const start = this.from[id] as number;
    this.bytes.set(bytes.subarray(from, to), start);
    this.from[id + 1] = start + (to - from);
    this.#slots[slot] = id + 1;
    this.localOf[id] = idIn(this.#localIds, this.locals, local);
    this.prefixOf[id] = colon < 0 ? 0 : idIn(this.#prefixIds, this.prefixes, text.slice(0, colon));
    return id;
  }

  /** The number of a local part that was met before, or -1. Readers ask for some hundred names, again and again. */
  local(name: string): number {
    const { length } = name;
    const slot =
      (length * 37 +
        name.charCodeAt(0) * 5 +
        name.charCodeAt(length >> 1) * 11 +
        name.charCodeAt(length - 1)) &
      (ASKED - 1);
    if (this.#asked[slot] === name) return this.#askedIds[slot] as number;
    const id = this.#localIds.get(name);
    if (id === undefined) return -1;
    this.#asked[slot] = name;
    this.#askedIds[slot] = id;
    return id;
  }

  /** The number of a prefix that was met before, or -1. */
  prefix(name: string): number {
    return this.#prefixIds.get(name) ?? -1;
  }

  /** The number of a prefix, new or known; -1 when it is turned away. It is bounded by the names it stood in. */
  addPrefix(name: string): number {
    if (this.prefixes.length >= MAX_NAMES && !this.#prefixIds.has(name)) return this.#turnAway();
    return idIn(this.#prefixIds, this.prefixes, name);
  }

  /** The number of the namespace whose name stands in `bytes[from..to)`, if it was met before; else -1. */
  namespaceAt(bytes: Uint8Array, from: number, to: number): number {
    for (let i = 1; i < this.#namespaceBytes.length; i++) {
      const known = this.#namespaceBytes[i] as Uint8Array;
      if (known.length !== to - from) continue;
      let at = 0;
      while (at < known.length && known[at] === bytes[from + at]) at++;
      if (at === known.length) return i;
    }
    return -1;
  }

  /** The number of a namespace, new or known; -1 when it is turned away. */
  namespace(uri: string): number {
    const known = this.#namespaceIds.get(uri);
    if (known !== undefined) return known;
    if (this.namespaces.length >= MAX_NAMESPACES) return this.#turnAway();
    this.expandedIn.push(new Int32Array(MAX_NAMES));
    this.#namespaceBytes.push(Uint8Array.from(Buffer.from(uri, 'latin1')));
    return idIn(this.#namespaceIds, this.namespaces, uri);
  }

  /** The number of a namespace and local part together; -1 when it is turned away. */
  expand(namespace: number, local: number): number {
    const table = this.expandedIn[namespace];
    if (!table) return -1;
    const known = table[local] as number;
    if (known > 0) return known;
    if (this.expandedCount >= MAX_NAMES) return this.#turnAway();
    const id = this.expandedCount++;
    table[local] = id;
    this.expandedLocal[id] = local;
    this.expandedNamespace[id] = namespace;
    return id;
  }

  #turnAway(): -1 {
    this.isFull = true;
    return -1;
  }
}

function idIn(ids: Map<string, number>, list: string[], text: string): number {
  const known = ids.get(text);
  if (known !== undefined) return known;
  ids.set(text, list.length);
  list.push(text);
  return list.length - 1;
}
