import type { XmlElement, XmlTree } from './tree.ts';

/** One step of an xpath as libxml2 writes it: `*[3]`, `nome`, `ds:Signature[2]`. */
const STEP = /^(?:([^:[\]()@]+):)?([^:[\]()@]+)(?:\[([0-9]+)\])?$/;

/**
 * Finds what a positional xpath of libxml2 points at, such as `/a/b[2]`. An element of a default namespace stands
 * there as `*`, counted among all siblings. Stops at the last element that it knows (before `@c`, `text()`).
 */
export function elementFromXPath(tree: XmlTree, xpath: string | null): XmlElement | null {
  let element: XmlElement | null = null;
  for (const step of xpath?.startsWith('/') ? xpath.slice(1).split('/') : []) {
    const [, prefix = '', name, position = '1'] = STEP.exec(step) ?? [];
    const candidates: readonly XmlElement[] = element ? element.children : [tree.root];
    const alike =
      name === '*' ? candidates : candidates.filter((c) => c.localName === name && c.prefix === prefix);
    const next: XmlElement | undefined = alike[Number(position) - 1];
    if (!next) break;
    element = next;
  }
  return element;
}
