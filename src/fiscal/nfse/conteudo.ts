import { createHash } from 'node:crypto';
import type { XmlElement, XmlTree } from '../xml/tree.ts';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';

/**
 * Identity of the content of a municipal note, Base64 SHA-1 of its names and texts. One note is exported by many
 * services in many forms (with and without signature, prefixes, indentation, in other namespaces), which all give
 * the same identity; what changes after issuing (cancellation, payment) is left out by name, so that a copy taken
 * after the cancellation is known for the same note. The national note and DF-e use the digest of the signature.
 *
 * @param mutaveis local names, in lower case and without `_`, that are no part of it
 */
export function contentDigest(
  tree: XmlTree,
  element: XmlElement,
  mutaveis: ReadonlySet<string> = new Set(),
): string {
  const hash = createHash('sha1');
  const visit = (current: XmlElement): void => {
    const name = current.localName.toLowerCase();
    if (current.namespace === XMLDSIG || mutaveis.has(name.replaceAll('_', ''))) return;
    const text = tree.text(current).replace(/\s+/g, ' ').trim();
    // Empty elements come and go with the service that exports.
    if (current.children.length === 0 && text === '') return;
    hash.update(`<${name}>${JSON.stringify(text)}`);
    current.children.forEach(visit);
    hash.update('</>');
  };
  visit(element);
  return hash.digest('base64');
}
