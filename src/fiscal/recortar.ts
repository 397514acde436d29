import type { NamespaceDeclaration, XmlElement, XmlTree } from './xml/tree.ts';

/** The prefix `xml` is bound without a declaration, and may not need one. */
const BUILT_IN_PREFIX = 'xml';

/** Namespaces in scope at the element that stand on its ancestors only: the nearest declaration of a prefix wins. */
function inheritedDeclarations(element: XmlElement): NamespaceDeclaration[] {
  const seen = new Set(element.declarations.map((d) => d.prefix));
  const inherited: NamespaceDeclaration[] = [];
  for (let current = element.parent; current; current = current.parent) {
    for (const declaration of current.declarations) {
      if (seen.has(declaration.prefix) || declaration.prefix === BUILT_IN_PREFIX) continue;
      seen.add(declaration.prefix);
      // `xmlns=""` undoes an outer one; at the root of a document there is nothing to undo.
      if (declaration.uri !== '') inherited.push(declaration);
    }
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

/** Whether a prefix is used in the bytes of an element: in a name, or in a value such as `xsi:type="p:Nome"`. */
function isUsed(own: Uint8Array, prefix: string): boolean {
  const bytes = Buffer.from(own.buffer, own.byteOffset, own.byteLength);
  return prefix === '' || bytes.includes(`${prefix}:`);
}

/**
 * Cuts an element out so that it stands alone: its own bytes, untouched, with namespace declarations it inherits
 * put right behind the tag name. Nothing else of its canonical form depends on its ancestors (documents carry no
 * `xml:` attributes on wrappers).
 *
 * `usados` adds only the prefixes that it uses: a note that was signed by itself and then put into a SOAP envelope
 * verifies again once the envelope's prefixes are gone from its scope. `todos` adds all of them, for what was
 * signed where it stands.
 * @fonte domain 12 (canonicalisation trap); Canonical XML 1.0, 2.3 (namespace axis)
 */
export function recortar(
  tree: XmlTree,
  element: XmlElement,
  prefixos: 'usados' | 'todos' = 'usados',
): Recorte {
  const own = tree.bytes.subarray(element.start, element.end);
  const inherited = inheritedDeclarations(element);
  const kept = prefixos === 'todos' ? inherited : inherited.filter((d) => isUsed(own, d.prefix));
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
