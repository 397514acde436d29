import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { normalise } from '../nomes.ts';

const FORMA_MAX = 200;

/** Elements in it that hold others, of one name: what is around a list, or around one note, has no fields of its own. */
function onlyGroupIn(element: XmlElement): XmlElement | null {
  const [first, ...others] = element.children;
  if (!first || first.children.length === 0) return null;
  const name = normalise(first.localName);
  return others.every(({ localName }) => normalise(localName) === name) ? first : null;
}

/** From the root down to the first element that has fields. */
export function descida(tree: XmlTree): XmlElement[] {
  const way = [tree.root];
  for (let next = onlyGroupIn(tree.root); next; next = onlyGroupIn(next)) way.push(next);
  return way;
}

/**
 * By which files of one layout are found together before anybody knows the layout: the names from the root to where fields
 * begin, whatever fields there are, and the namespace. At most 200 letters.
 */
export function formaDe(tree: XmlTree): string {
  const names = descida(tree).map(({ localName }) => normalise(localName) || '_');
  const { namespace } = tree.root;
  const forma = `${names.join('/')}${namespace === '' ? '' : ` ${namespace}`}`;
  return forma.length <= FORMA_MAX ? forma : `${forma.slice(0, FORMA_MAX - 1)}…`.toWellFormed();
}
