/** Places in a tree, short to write: most fields of a layout are read by where they stand. */
import { attribute, descend, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { readDecimal } from './decimal.ts';

export interface Lugar {
  tree: XmlTree;
  /** Null where the document has no such part: everything below it is null then. */
  em: XmlElement | null;
}

/** The part at the end of a path such as `total/ICMSTot`. */
export function parte({ tree, em }: Lugar, caminho: string): Lugar {
  return { tree, em: descend(em, ...caminho.split('/')) };
}

/** Text at the end of a path, null where there is none. */
export function texto({ tree, em }: Lugar, caminho: string): string | null {
  return em === null ? null : textAt(tree, em, ...caminho.split('/'));
}

/** Amount at the end of the first of these paths that has one. */
export function valor(lugar: Lugar, ...caminhos: readonly string[]): string | null {
  for (const caminho of caminhos) {
    const found = readDecimal(texto(lugar, caminho));
    if (found !== null) return found;
  }
  return null;
}

/** The one group inside a tax, whatever its name: `ICMS/ICMS00`, `PIS/PISAliq`. */
export function grupo(lugar: Lugar, nome: string): Lugar {
  const tributo = parte(lugar, nome);
  const dentro = tributo.em?.children.find((each) => each.children.length > 0) ?? null;
  return { tree: lugar.tree, em: dentro };
}

export const atributo = ({ em }: Lugar, nome: string) => attribute(em, nome);

/** Each of them once, in their order. */
export function semRepetir(textos: readonly (string | null)[]): string[] {
  return [...new Set(textos.filter((text) => text !== null))];
}
