/**
 * Walking by local names without regard to case: municipal systems write the names of one layout in many ways,
 * with prefixes, in namespaces of their own or in none.
 */
import type { XmlElement, XmlTree } from '../xml/tree.ts';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** Names that were met: layouts have some hundred, and documents ask for them again and again. */
let normalised = new Map<string, string>();
const MAX_NORMALISED = 5_000;

/** `Data_Emissao`, `dataEmissao` → `dataemissao`. */
export function normalise(name: string): string {
  const known = normalised.get(name);
  if (known !== undefined) return known;
  const made = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (normalised.size >= MAX_NORMALISED) normalised = new Map();
  normalised.set(name, made);
  return made;
}

/** Whether an element has this local name, in any case. */
export function isLike(element: XmlElement, name: string): boolean {
  return element.localName.toLowerCase() === name.toLowerCase();
}

/** All child elements with this local name, in any case. */
export function childrenLike(element: XmlElement | null, name: string): XmlElement[] {
  const wanted = name.toLowerCase();
  return element?.children.filter((c) => c.localName.toLowerCase() === wanted) ?? [];
}

/** First child element with one of these local names, in any case; the first name that is there counts. */
export function childLike(element: XmlElement | null, ...names: string[]): XmlElement | null {
  for (const name of names) {
    const [found] = childrenLike(element, name);
    if (found) return found;
  }
  return null;
}

/** First element below (not including) one, in document order, with this local name; signatures are passed over. */
export function below(element: XmlElement | null, name: string): XmlElement | null {
  const wanted = name.toLowerCase();
  const pending = [...(element?.children ?? [])].reverse();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.namespace === XMLDSIG) continue;
    if (next.localName.toLowerCase() === wanted) return next;
    for (let i = next.children.length - 1; i >= 0; i--) {
      const inner = next.children[i];
      if (inner) pending.push(inner);
    }
  }
  return null;
}

/** Trimmed text of an element; null when it is missing or empty. */
export function textOf(tree: XmlTree, element: XmlElement | null): string | null {
  const text = element ? tree.text(element).trim() : '';
  return text === '' ? null : text;
}

/** Trimmed text of the first child with one of these names. */
export function textLike(tree: XmlTree, element: XmlElement | null, ...names: string[]): string | null {
  for (const name of names) {
    for (const found of childrenLike(element, name)) {
      const text = textOf(tree, found);
      if (text !== null) return text;
    }
  }
  return null;
}

/** Trimmed text of the first element below with this name that has one. */
export function textBelow(tree: XmlTree, element: XmlElement | null, name: string): string | null {
  return textOf(tree, below(element, name));
}
