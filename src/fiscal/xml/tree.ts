/**
 * A light tree over the very bytes of a document. It is the only thing that extraction, slicing and signature
 * checking read: what is verified and what is shown come from the same positions (OWASP ASVS 5.0, 1.5.3).
 * `scan.ts` builds it (slow tier) or `../rapido/scanner.ts` a tape with the same face; libxml2 (`libxml.ts`) judges
 * well-formedness and schema of the same bytes where the fast tier does not accept them.
 */

import { cutTexto } from '../limites-de-texto.ts';

export interface XmlAttribute {
  prefix: string;
  localName: string;
  /** '' when it has none (an unprefixed attribute never inherits the default namespace). */
  namespace: string;
  /** Normalised as XML 1.0 §3.3.3 asks, entities resolved. */
  value: string;
}

export interface NamespaceDeclaration {
  /** '' for the default namespace. */
  prefix: string;
  uri: string;
}

export interface XmlElement {
  prefix: string;
  localName: string;
  /** '' when in no namespace. */
  namespace: string;
  parent: XmlElement | null;
  /** Child elements in document order. */
  children: XmlElement[];
  /** Without xmlns declarations. */
  attributes: XmlAttribute[];
  /** xmlns declarations that stand on this very element. */
  declarations: NamespaceDeclaration[];
  /** Byte offset of `<` of the start tag. */
  start: number;
  /** Byte offset behind `>` of the start tag. */
  contentStart: number;
  /** Byte offset of `</` of the end tag; equals contentStart for an empty-element tag. */
  contentEnd: number;
  /** Byte offset behind the element. */
  end: number;
  /** First child element with this local name, in any namespace. */
  firstNamed(localName: string): XmlElement | null;
  /** All child elements with this local name, in document order. */
  namedChildren(localName: string): XmlElement[];
  /** Itself and all elements below with this local name, in document order. */
  namedWithin(localName: string): XmlElement[];
  /** Value of the attribute with this name in no namespace. */
  attributeValue(localName: string): string | null;
  /** Attributes, here and below, that have one of these local names (in any namespace) and this value. */
  countAttributes(localNames: readonly string[], value: string): number;
}

export interface XmlTree {
  /** UTF-8, without byte order mark. Offsets count from here. */
  bytes: Uint8Array;
  root: XmlElement;
  /** Line and column (from 1, in characters) of a byte offset. */
  position(offset: number): { linha: number; coluna: number };
  /** Character data that stands directly in the element: entities resolved, CDATA included, comments left out. */
  text(element: XmlElement): string;
  /** {@link text} of the first child element with this local name, in any namespace; null when there is none. */
  childText(element: XmlElement, localName: string): string | null;
}

/** First child element with this local name, in any namespace. */
export function child(element: XmlElement | null | undefined, localName: string): XmlElement | null {
  return element ? element.firstNamed(localName) : null;
}

/** All child elements with this local name, in document order. */
export function childrenNamed(element: XmlElement | null | undefined, localName: string): XmlElement[] {
  return element ? element.namedChildren(localName) : [];
}

/** Walks down by local names, the first child at each step. */
export function descend(element: XmlElement | null | undefined, ...localNames: string[]): XmlElement | null {
  let current = element ?? null;
  for (const name of localNames) current = child(current, name);
  return current;
}

/** Trimmed text at the end of a path of local names; null when an element is missing or the text is empty. */
export function textAt(
  tree: XmlTree,
  element: XmlElement | null | undefined,
  ...localNames: string[]
): string | null {
  let parent = element ?? null;
  const last = localNames.length - 1;
  for (let i = 0; i < last && parent !== null; i++) parent = parent.firstNamed(localNames[i] as string);
  const text = parent === null ? null : tree.childText(parent, localNames[last] as string);
  return text === null ? null : text.trim() || null;
}

/** Value of an attribute in no namespace, or null. */
export function attribute(element: XmlElement | null | undefined, localName: string): string | null {
  return element ? element.attributeValue(localName) : null;
}

/** Room for a few steps more than a path has that goes on in what was opened inside an element. */
const PATH_MAX = 240;
/** Layouts have names of some 30 characters. */
const NAME_MAX = 60;

/** The children of an element by name: how many there are of each, and which of them a child is, from 1. */
interface Twins {
  count: Map<string, number>;
  nth: Map<XmlElement, number>;
}
/** By parent: its children are gone through once, however many paths are asked for. */
const twinsBelow = new WeakMap<XmlElement, Twins>();

/**
 * Readable path from the root, with an index only where siblings share the name: `nfeProc/NFe/infNFe/det[3]/prod`. It has
 * a length, whatever the document is made of: long names are cut, and of deep paths the outer steps are left out (`…`).
 */
export function elementPath(element: XmlElement): string {
  const steps: string[] = [];
  let current: XmlElement | null = element;
  for (; current; current = current.parent) steps.push(stepOf(current));
  return pathOf(steps.reverse());
}

/** A path of these steps, from the root. */
export function pathOf(steps: readonly string[]): string {
  let first = steps.length;
  for (let length = 0; first > 0; first--) {
    length += 1 + (steps[first - 1] as string).length;
    if (length > PATH_MAX) break;
  }
  const shown = steps.slice(first).join('/');
  return first > 0 ? `…/${shown}` : shown;
}

function stepOf(element: XmlElement): string {
  const { parent, localName } = element;
  const twins = parent ? twinsOf(parent) : null;
  const isAlone = (twins?.count.get(localName) ?? 1) === 1;
  return isAlone ? shownName(localName) : `${shownName(localName)}[${twins?.nth.get(element)}]`;
}

function twinsOf(parent: XmlElement): Twins {
  const known = twinsBelow.get(parent);
  if (known) return known;
  const twins: Twins = { count: new Map(), nth: new Map() };
  for (const element of parent.children) {
    const nth = (twins.count.get(element.localName) ?? 0) + 1;
    twins.count.set(element.localName, nth);
    twins.nth.set(element, nth);
  }
  twinsBelow.set(parent, twins);
  return twins;
}

/** The name of an element in a path. */
export function shownName(name: string): string {
  return cutTexto(name, NAME_MAX);
}

/** Every element from this one on, depth first, in document order. */
export function* walk(element: XmlElement): Generator<XmlElement> {
  const open: { children: readonly XmlElement[]; next: number }[] = [];
  yield element;
  open.push({ children: element.children, next: 0 });
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const inner = last.children[last.next++];
    if (!inner) open.pop();
    else {
      yield inner;
      if (inner.children.length > 0) open.push({ children: inner.children, next: 0 });
    }
  }
}
