/** How canonical form writes and orders things. @fonte Canonical XML 1.0, 2.3 */
import type { XmlAttribute, XmlElement } from './tree.ts';

const TEXT_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
const ATTRIBUTE_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Character data as canonical form writes it. */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (char) => TEXT_ESCAPES[char] ?? char);
}

/** Value of an attribute as canonical form writes it. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, (char) => ATTRIBUTE_ESCAPES[char] ?? char);
}

/** Order of UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16 units: wrong beyond the BMP. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (/[\ud800-\udfff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Canonical order: by namespace, then by local name. */
export function compareAttributes(a: XmlAttribute, b: XmlAttribute): number {
  return compareCodePoints(a.namespace, b.namespace) || compareCodePoints(a.localName, b.localName);
}

/** As it stands in a tag: `ds:Signature`. */
export function qualifiedName(node: { prefix: string; localName: string }): string {
  return node.prefix === '' ? node.localName : `${node.prefix}:${node.localName}`;
}

export interface C14nOptions {
  /** Exclusive C14N 1.0 instead of Canonical XML 1.0. */
  exclusive: boolean;
  withComments: boolean;
  /** Exclusive only: prefixes treated as in Canonical XML; '' stands for `#default`. */
  inclusivePrefixes?: readonly string[];
  /** Element to leave out: the enveloped Signature. */
  omit?: XmlElement;
}
