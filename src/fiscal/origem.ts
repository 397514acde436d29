import type { XmlElement, XmlTree } from './xml/tree.ts';

/** Where a document stood in the file that it was found in. */
export interface Origem {
  tree: XmlTree;
  element: XmlElement;
  /** What is malformed around it; nothing where this is not said. */
  dano?: Dano;
}

/** Faults that stand around documents, and in none of them. */
export interface Dano {
  /** Nobody knows any more which elements stand around it: nothing is read of them. */
  semCampos: boolean;
  /** The tag of an element around it is damaged: a namespace may be missing there. */
  nasMarcas: boolean;
}
