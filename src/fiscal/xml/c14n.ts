import {
  type C14nOptions,
  compareAttributes,
  compareCodePoints,
  escapeAttribute,
  escapeText,
  qualifiedName,
} from './c14n-text.ts';
import { XML_NAMESPACE } from './namespaces.ts';
import { ScopedMap } from './scoped-map.ts';
import { resolveReferences } from './text.ts';
import type { XmlAttribute, XmlElement, XmlTree } from './tree.ts';

export type { C14nOptions };

/**
 * Canonical form (UTF-8) of an element and all that it contains, in the namespace context of its ancestors.
 * What is canonical already is copied from the document as it stands; only what differs is written anew. The bytes
 * hold until the next call: digest them, or copy them.
 * @throws CanonicalFormTooLong when the exclusive form is many times what the element is
 * @fonte Canonical XML 1.0 (REC-xml-c14n-20010315); Exclusive XML Canonicalization 1.0 (REC-xml-exc-c14n)
 */
export function canonicalize(tree: XmlTree, element: XmlElement, options: C14nOptions): Uint8Array {
  return new Canonicalizer(tree.bytes, element, options).run();
}

/**
 * The exclusive form writes the namespace of a prefix at each element that uses it, where none around it does: thousands of
 * bytes for `<p:a/>`. Of documents that are signed so it is hardly longer than they are.
 */
const MAX_GROWTH = 8;
const MAX_GROWTH_FROM = 65_536;

/** A canonical form that no honest signer has made. */
export class CanonicalFormTooLong extends Error {
  constructor() {
    super(`A forma canônica (C14N) do conteúdo assinado passa de ${MAX_GROWTH} vezes o seu tamanho.`);
    this.name = 'CanonicalFormTooLong';
  }
}

const LF = 0x0a;
const CR = 0x0d;
const BANG = 0x21;
const AMPERSAND = 0x26;
const DASH = 0x2d;
const SEMICOLON = 0x3b;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION = 0x3f;

/** Bytes of character data that are not canonical as they stand, or start something else. */
const SPECIAL = new Uint8Array(256);
for (const code of [CR, AMPERSAND, LESS_THAN, GREATER_THAN]) SPECIAL[code] = 1;

class Canonicalizer {
  readonly #bytes: Uint8Array;
  readonly #apex: XmlElement;
  readonly #options: C14nOptions;
  readonly #inclusive: ReadonlySet<string>;
  readonly #maxLength: number;
  /** Bindings in scope, and those that the output has declared so far on the way to the current element. */
  readonly #inScope = new ScopedMap();
  readonly #rendered = new ScopedMap();
  #out: Buffer;
  #length = 0;
  /** Stretch of the document that is to be copied next; neighbouring stretches are joined. */
  #copyFrom = 0;
  #copyTo = 0;

  constructor(bytes: Uint8Array, apex: XmlElement, options: C14nOptions) {
    this.#bytes = bytes;
    this.#apex = apex;
    this.#options = options;
    this.#inclusive = new Set(options.inclusivePrefixes);
    this.#maxLength = MAX_GROWTH_FROM + MAX_GROWTH * (apex.end - apex.start);
    this.#out = Buffer.allocUnsafe(apex.end - apex.start + 512);
    for (const [prefix, uri] of inheritedBindings(apex)) this.#inScope.set(prefix, uri);
  }

  /** Walks with its own stack: depth never costs call frames. */
  run(): Uint8Array {
    const apex = this.#apex;
    const nextChild = [0];
    let current = apex;
    this.#startTag(apex);
    let at = apex.contentStart;
    for (;;) {
      const index = nextChild.at(-1) ?? 0;
      const child = current.children[index];
      this.#content(at, child ? child.start : current.contentEnd);
      if (child) {
        nextChild[nextChild.length - 1] = index + 1;
        if (child === this.#options.omit) {
          at = child.end;
          continue;
        }
        this.#startTag(child);
        current = child;
        nextChild.push(0);
        at = child.contentStart;
      } else {
        this.#endTag(current);
        if (current === apex || !current.parent) break;
        at = current.end;
        current = current.parent;
        nextChild.pop();
      }
    }
    this.#flush();
    return this.#out.subarray(0, this.#length);
  }

  // ---- tags ----

  #startTag(element: XmlElement): void {
    this.#inScope.enter();
    this.#rendered.enter();
    if (this.#isCanonicalTag(element)) {
      this.#copy(element.start, element.contentStart);
      return;
    }
    for (const { prefix, uri } of element.declarations) this.#inScope.set(prefix, uri);
    const namespaces = this.#options.exclusive ? this.#utilised(element) : this.#newBindings(element);
    let tag = `<${qualifiedName(element)}`;
    for (const [prefix, uri] of namespaces.sort(([a], [b]) => compareCodePoints(a, b))) {
      this.#rendered.set(prefix, uri);
      tag += ` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escapeAttribute(uri)}"`;
    }
    for (const attribute of this.#attributes(element)) {
      tag += ` ${qualifiedName(attribute)}="${escapeAttribute(attribute.value)}"`;
    }
    this.#write(`${tag}>`);
  }

  /** `<name>` without anything to add: the commonest tag by far. */
  #isCanonicalTag(element: XmlElement): boolean {
    const { attributes, declarations, prefix, localName, start, contentStart, end } = element;
    if (attributes.length > 0 || declarations.length > 0 || element === this.#apex) return false;
    const nameLength = localName.length + (prefix === '' ? 0 : prefix.length + 1);
    if (contentStart - start !== nameLength + 2 || contentStart === end) return false;
    return !this.#options.exclusive || this.#isRendered(prefix, element.namespace);
  }

  #endTag(element: XmlElement): void {
    const name = qualifiedName(element);
    if (element.end - element.contentEnd === name.length + 3) this.#copy(element.contentEnd, element.end);
    else this.#write(`</${name}>`);
    this.#inScope.leave();
    this.#rendered.leave();
  }

  #isRendered(prefix: string, uri: string): boolean {
    return prefix === 'xml' || (this.#rendered.get(prefix) ?? '') === uri;
  }

  /** Canonical XML: every binding that differs from the parent's; on the apex, the inherited ones too. */
  #newBindings(element: XmlElement): [string, string][] {
    const candidates = element === this.#apex ? inheritedBindings(element) : new Map<string, string>();
    for (const { prefix, uri } of element.declarations) candidates.set(prefix, uri);
    return [...candidates].filter(([prefix, uri]) => !this.#isRendered(prefix, uri));
  }

  /** Exclusive: bindings that the element's name or attributes use, and those of the inclusive list. */
  #utilised(element: XmlElement): [string, string][] {
    const candidates = new Map<string, string>([[element.prefix, element.namespace]]);
    for (const { prefix, namespace } of element.attributes)
      if (prefix !== '') candidates.set(prefix, namespace);
    for (const prefix of this.#inclusiveOf(element)) {
      const uri = this.#inScope.get(prefix);
      if (uri !== undefined) candidates.set(prefix, uri);
    }
    return [...candidates].filter(([prefix, uri]) => !this.#isRendered(prefix, uri));
  }

  /** Prefixes of the inclusive list that this element may have to write: all of them on the apex, then where declared anew. */
  #inclusiveOf(element: XmlElement): Iterable<string> {
    if (element === this.#apex) return this.#inclusive;
    return element.declarations.map(({ prefix }) => prefix).filter((prefix) => this.#inclusive.has(prefix));
  }

  /** Sorted; with the xml:* attributes of the ancestors on the apex of Canonical XML 1.0. */
  #attributes(element: XmlElement): XmlAttribute[] {
    const attributes = [...element.attributes];
    if (element === this.#apex && !this.#options.exclusive) {
      const present = new Set(
        attributes.filter((a) => a.namespace === XML_NAMESPACE).map((a) => a.localName),
      );
      for (let above = element.parent; above; above = above.parent) {
        for (const attribute of above.attributes) {
          if (attribute.namespace !== XML_NAMESPACE || present.has(attribute.localName)) continue;
          present.add(attribute.localName);
          attributes.push(attribute);
        }
      }
    }
    return attributes.length > 1 ? attributes.sort(compareAttributes) : attributes;
  }

  // ---- content between tags ----

  #content(from: number, to: number): void {
    const bytes = this.#bytes;
    let start = from;
    for (let at = from; at < to; ) {
      if (SPECIAL[bytes[at] ?? 0] === 0) {
        at++;
        continue;
      }
      this.#copy(start, at);
      at = this.#special(at);
      start = at;
    }
    this.#copy(start, to);
  }

  /** Writes what stands at `at` in canonical form and returns the offset behind it. */
  #special(at: number): number {
    const code = this.#bytes[at];
    if (code === GREATER_THAN) {
      this.#write('&gt;');
      return at + 1;
    }
    if (code === CR) {
      // CRLF is one LF, which the next step copies; a lone CR becomes LF.
      if (this.#bytes[at + 1] !== LF) this.#write('\n');
      return at + 1;
    }
    return code === AMPERSAND ? this.#reference(at) : this.#markup(at);
  }

  #reference(at: number): number {
    const end = this.#bytes.indexOf(SEMICOLON, at) + 1;
    this.#write(escapeText(resolveReferences(this.#slice(at, end))));
    return end;
  }

  /** CDATA section, comment or processing instruction; the scanner has proven that it ends. */
  #markup(at: number): number {
    if (this.#bytes[at + 1] === QUESTION) return this.#processingInstruction(at);
    if (this.#bytes[at + 1] === BANG && this.#bytes[at + 2] === DASH) {
      const end = this.#find('-->', at + '<!--'.length);
      if (this.#options.withComments) this.#write(`<!--${this.#lines(at + '<!--'.length, end)}-->`);
      return end + '-->'.length;
    }
    const end = this.#find(']]>', at);
    this.#write(escapeText(this.#lines(at + '<![CDATA['.length, end)));
    return end + ']]>'.length;
  }

  #processingInstruction(at: number): number {
    const end = this.#find('?>', at);
    const body = this.#lines(at + '<?'.length, end);
    const [target = ''] = body.split(/[ \t\n]/, 1);
    const data = body.slice(target.length).replace(/^[ \t\n]+/, '');
    this.#write(data === '' ? `<?${target}?>` : `<?${target} ${data}?>`);
    return end + '?>'.length;
  }

  /** Text with its line ends normalised. */
  #lines(from: number, to: number): string {
    return this.#slice(from, to).replace(/\r\n?/g, '\n');
  }

  #slice(from: number, to: number): string {
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset + from, to - from).toString('utf8');
  }

  #find(text: string, from: number): number {
    const { buffer, byteOffset, byteLength } = this.#bytes;
    return Buffer.from(buffer, byteOffset, byteLength).indexOf(text, from, 'latin1');
  }

  // ---- output ----

  #copy(from: number, to: number): void {
    if (from === to) return;
    if (from !== this.#copyTo) {
      this.#flush();
      this.#copyFrom = from;
    }
    this.#copyTo = to;
  }

  #flush(): void {
    const size = this.#copyTo - this.#copyFrom;
    if (size > 0) {
      this.#reserve(size);
      this.#out.set(this.#bytes.subarray(this.#copyFrom, this.#copyTo), this.#length);
      this.#length += size;
    }
    this.#copyFrom = this.#copyTo = -1;
  }

  #write(text: string): void {
    this.#flush();
    this.#reserve(text.length * 3);
    this.#length += this.#out.write(text, this.#length, 'utf8');
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#out.length) return;
    if (this.#length > this.#maxLength) throw new CanonicalFormTooLong();
    const larger = Buffer.allocUnsafe((this.#length + size) * 2);
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
  }
}

/** Bindings that the ancestors give to an element, without its own declarations; the nearest wins. */
function inheritedBindings(element: XmlElement): Map<string, string> {
  const bindings = new Map<string, string>();
  for (let above = element.parent; above; above = above.parent) {
    for (const { prefix, uri } of above.declarations) if (!bindings.has(prefix)) bindings.set(prefix, uri);
  }
  return bindings;
}
