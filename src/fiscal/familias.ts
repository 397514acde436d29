/**
 * The one list of what is read: how each kind is told, and who reads it. A new family adds its rows here, its
 * folder beside `nfe/`, and takes its names out of `especies.ts`.
 */
import { parseEvento } from './eventos/parse.ts';
import { parseInutilizacao } from './inutilizacao/parse.ts';
import type { Leitura } from './leitura.ts';
import { parseNfe } from './nfe/parse.ts';
import { isNfe, isNfeInutilizacao, isProcessedNfeEvent } from './nfe/reconhecer.ts';
import type { Registro } from './tipos.ts';
import type { XmlElement, XmlTree } from './xml/tree.ts';

/** Reads one document that is the root of its own tree. */
export type Leitor = (input: {
  tree: XmlTree;
  root: XmlElement;
  /** Identity of the signed content, asked once the document is known to be readable. */
  digest: (signed: XmlElement) => string;
}) => Leitura<Registro>;

/** The reader of an element, or null when it is of another kind; the first that answers counts. */
export type Reconhecedor = (element: XmlElement) => Leitor | null;

function family(isOne: (element: XmlElement) => boolean, ler: Leitor): Reconhecedor {
  return (element) => (isOne(element) ? ler : null);
}

export const FAMILIAS: readonly Reconhecedor[] = [
  family(isNfe, parseNfe),
  family(isProcessedNfeEvent, parseEvento),
  family(isNfeInutilizacao, parseInutilizacao),
];
