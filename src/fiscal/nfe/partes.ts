import type { Protocolo } from '../tipos.ts';
import type { XmlElement, XmlTree } from '../xml/tree.ts';

/** The parts of a note that the rules look at. */
export interface PartesDaNota {
  tree: XmlTree;
  /** The kept element: `nfeProc`, or a bare `NFe`. */
  root: XmlElement;
  nfe: XmlElement;
  infNFe: XmlElement;
  ide: XmlElement | null;
  emit: XmlElement | null;
  infProt: XmlElement | null;
  protocolo: Protocolo | null;
}
