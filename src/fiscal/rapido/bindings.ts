import type { Names } from './names.ts';

/**
 * Bindings in scope; more are left to the slow tier, which looks them up in another way, and refuses what is too long: with
 * the longest names that are read here, these are not.
 */
export const MAX_BINDINGS = 24;

/** Namespace bindings in scope: a stack, of which each element takes off what it declared. */
export class Bindings {
  readonly #prefix = new Int32Array(MAX_BINDINGS);
  readonly #namespace = new Int32Array(MAX_BINDINGS);
  readonly #depth = new Int32Array(MAX_BINDINGS);
  #count = 0;
  /** Namespace of names without prefix. */
  defaultNamespace = 0;
  /** Prefixes that cannot be bound here: `xml` is built in, `xmlns` is none. */
  #xml = -1;
  #xmlns = -1;

  restart(names: Names): void {
    this.#count = 0;
    this.defaultNamespace = 0;
    this.#xml = names.addPrefix('xml');
    this.#xmlns = names.addPrefix('xmlns');
  }

  isDeclaration(prefix: number): boolean {
    return prefix === this.#xmlns;
  }

  /** Number of an element's name: its local part in the namespace that its prefix is bound to; -1 when not mine. */
  expand(names: Names, prefix: number, local: number): number {
    const namespace = prefix === 0 ? this.defaultNamespace : this.of(prefix);
    if (namespace < 0) return -1;
    const known = (names.expandedIn[namespace] as Int32Array)[local] as number;
    return known > 0 ? known : names.expand(namespace, local);
  }

  /** Namespace bound to a prefix; -1 where none is, or the prefix is left to the slow tier. */
  of(prefix: number): number {
    if (prefix === 0) return this.defaultNamespace;
    if (prefix === this.#xml || prefix === this.#xmlns) return -1;
    for (let i = this.#count - 1; i >= 0; i--)
      if (this.#prefix[i] === prefix) return this.#namespace[i] as number;
    return -1;
  }

  /** @returns false when there are too many */
  bind(prefix: number, namespace: number, depth: number): boolean {
    const at = this.#count;
    if (at >= MAX_BINDINGS || prefix === this.#xml || prefix === this.#xmlns) return false;
    this.#prefix[at] = prefix;
    this.#namespace[at] = namespace;
    this.#depth[at] = depth;
    this.#count++;
    if (prefix === 0) this.defaultNamespace = namespace;
    return true;
  }

  /** Takes back what the element at this depth declared. */
  leave(depth: number): void {
    let changed = false;
    while (this.#count > 0 && this.#depth[this.#count - 1] === depth) {
      this.#count--;
      changed = true;
    }
    if (changed) this.defaultNamespace = this.#findDefault();
  }

  #findDefault(): number {
    for (let i = this.#count - 1; i >= 0; i--) if (this.#prefix[i] === 0) return this.#namespace[i] as number;
    return 0;
  }
}
