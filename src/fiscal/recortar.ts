import type { NamespaceDeclaration, XmlElement, XmlTree } from './xml/tree.ts';

/** The prefix `xml` is bound without a declaration, and may not need one. */
const BUILT_IN_PREFIX = 'xml';

/** The namespaces that hold inside an element. */
interface Scope {
  /** By prefix: the nearest declaration counts, and stands before those of the elements around. */
  declarations: ReadonlyMap<string, NamespaceDeclaration>;
  endings: Ending;
}

/** Prefixes as they end before a colon, the last byte first: one look from each colon back finds all that fit there. */
interface Ending {
  /** Ends with the colon and begins here. */
  prefix: string | null;
  before: Map<number, Ending>;
}

const NOTHING: Scope = { declarations: new Map(), endings: { prefix: null, before: new Map() } };
/** Found once for all that stands in an element, which may be thousands of documents. */
const scopes = new WeakMap<XmlElement, Scope>();

function scopeIn(element: XmlElement | null): Scope {
  if (element === null) return NOTHING;
  const known = scopes.get(element);
  if (known) return known;
  const outer = scopeIn(element.parent);
  const own = element.declarations.filter(({ prefix }) => prefix !== BUILT_IN_PREFIX);
  const scope = own.length === 0 ? outer : withDeclarations(own, outer);
  scopes.set(element, scope);
  return scope;
}

function withDeclarations(own: readonly NamespaceDeclaration[], outer: Scope): Scope {
  const declarations = new Map(own.map((declaration) => [declaration.prefix, declaration]));
  for (const [prefix, declaration] of outer.declarations)
    if (!declarations.has(prefix)) declarations.set(prefix, declaration);
  const endings: Ending = { prefix: null, before: new Map() };
  for (const prefix of declarations.keys()) addEnding(endings, prefix);
  return { declarations, endings };
}

function addEnding(endings: Ending, prefix: string): void {
  if (prefix === '') return;
  let ending = endings;
  for (const byte of Buffer.from(prefix).reverse()) {
    const known = ending.before.get(byte) ?? { prefix: null, before: new Map() };
    ending.before.set(byte, known);
    ending = known;
  }
  ending.prefix = prefix;
}

/** Namespaces in scope at the element that stand on its ancestors only. */
function inheritedDeclarations(element: XmlElement): NamespaceDeclaration[] {
  const own = new Set(element.declarations.map(({ prefix }) => prefix));
  const inherited: NamespaceDeclaration[] = [];
  for (const declaration of scopeIn(element.parent).declarations.values()) {
    // `xmlns=""` undoes an outer one; at the root of a document there is nothing to undo.
    if (declaration.uri !== '' && !own.has(declaration.prefix)) inherited.push(declaration);
  }
  return inherited;
}

function escapeAttribute(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}

function declarationText({ prefix, uri }: NamespaceDeclaration): string {
  return ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`;
}

export interface Recorte {
  bytes: Uint8Array;
  /** Whether inherited prefixes that the element does not use were left out. */
  deixouPrefixos: boolean;
  /** Offset in the tree's bytes of an offset in the slice; an offset within the added declarations maps to the tag name. */
  offsetNoArquivo(offset: number): number;
}

const COLON = 0x3a;

/**
 * Which prefixes are used in the bytes of an element: in a name, or in a value such as `xsi:type="p:Nome"`. One pass over the
 * bytes, however many prefixes there are.
 */
function usedPrefixes(own: Uint8Array, endings: Ending): Set<string> {
  // The default namespace is used without being named.
  const used = new Set(['']);
  const bytes = Buffer.from(own.buffer, own.byteOffset, own.byteLength);
  for (let colon = bytes.indexOf(COLON); colon >= 0; colon = bytes.indexOf(COLON, colon + 1)) {
    let at = colon;
    for (
      let ending = endings.before.get(bytes[--at] ?? 0);
      ending;
      ending = ending.before.get(bytes[--at] ?? 0)
    )
      if (ending.prefix !== null) used.add(ending.prefix);
  }
  return used;
}

/**
 * Cuts an element out so that it stands alone: its own bytes, untouched, with namespace declarations it inherits
 * put right behind the tag name. Nothing else of its canonical form depends on its ancestors (documents carry no
 * `xml:` attributes on wrappers).
 *
 * `usados` adds only the prefixes that it uses: a note that was signed by itself and then put into a SOAP envelope
 * verifies again once the envelope's prefixes are gone from its scope. `todos` adds all of them, for what was
 * signed where it stands.
 * @fonte XMLDSig Core (canonicalisation trap); Canonical XML 1.0, 2.3 (namespace axis)
 */
export function recortar(
  tree: XmlTree,
  element: XmlElement,
  prefixos: 'usados' | 'todos' = 'usados',
): Recorte {
  const own = tree.bytes.subarray(element.start, element.end);
  const inherited = inheritedDeclarations(element);
  const used = prefixos === 'todos' ? null : usedPrefixes(own, scopeIn(element.parent).endings);
  const kept = used ? inherited.filter(({ prefix }) => used.has(prefix)) : inherited;
  const added = new TextEncoder().encode(kept.map(declarationText).join(''));
  const name = element.prefix === '' ? element.localName : `${element.prefix}:${element.localName}`;
  const nameEnd = 1 + new TextEncoder().encode(name).length;
  const bytes = new Uint8Array(own.length + added.length);
  bytes.set(own.subarray(0, nameEnd), 0);
  bytes.set(added, nameEnd);
  bytes.set(own.subarray(nameEnd), nameEnd + added.length);
  return {
    bytes,
    deixouPrefixos: kept.length < inherited.length,
    offsetNoArquivo: (offset) =>
      element.start + (offset <= nameEnd ? offset : Math.max(nameEnd, offset - added.length)),
  };
}
