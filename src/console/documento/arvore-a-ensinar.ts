/** A file whose layout nobody knows, as a tree in which people point at things. Runs in a thread of its own (`tarefa.ts`). */

import { type Lugar, passoDe } from '../../fiscal/nfse/leiautes/apontar.ts';
import { descida } from '../../fiscal/nfse/leiautes/forma.ts';
import { normalise } from '../../fiscal/nfse/nomes.ts';
import { treeOf } from '../../fiscal/xml/scan.ts';
import type { XmlElement, XmlTree } from '../../fiscal/xml/tree.ts';

/** One line of the tree. */
export interface Ramo {
  nivel: number;
  nome: string;
  /** Names from the root down; null for what no path can name. */
  lugar: string[] | null;
  /** Of a field; null of a group. */
  texto: string | null;
  /** How many of its name stand beside each other: the first is shown. */
  vezes: number;
}

export interface ArvoreAEnsinar {
  ramos: Ramo[];
  /** There is more in the file than is shown. */
  cortada: boolean;
  /** Where a note seems to begin. */
  sugestao: string[];
}

const RAMOS_MAX = 1_500;
const TEXTO_MAX = 80;
const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** The tree of kept bytes; null for what is no XML any more. */
export function arvoreAEnsinar(bytes: Uint8Array): ArvoreAEnsinar | null {
  const tree = treeOf(bytes);
  if (!tree) return null;
  const arvore: ArvoreAEnsinar = { ramos: [], cortada: false, sugestao: sugestaoDe(tree) };
  addRamo(arvore, { tree, element: tree.root, acima: [], nivel: 0, vezes: 1 });
  return arvore;
}

interface ARamificar {
  tree: XmlTree;
  element: XmlElement;
  acima: Lugar | null;
  nivel: number;
  vezes: number;
}

function addRamo(arvore: ArvoreAEnsinar, { tree, element, acima, nivel, vezes }: ARamificar): void {
  if (element.namespace === XMLDSIG) return;
  if (arvore.ramos.length >= RAMOS_MAX) {
    arvore.cortada = true;
    return;
  }
  const lugar = below(acima, passoDe(element.localName));
  const isField = element.children.length === 0;
  const texto = isField ? tree.text(element).trim().slice(0, TEXTO_MAX) : null;
  arvore.ramos.push({ nivel, nome: element.localName.slice(0, TEXTO_MAX), lugar, texto, vezes });
  for (const { localName, value } of element.attributes) {
    const passo = passoDe(localName);
    arvore.ramos.push({
      nivel: nivel + 1,
      nome: `@${localName.slice(0, TEXTO_MAX)}`,
      lugar: below(lugar, passo && `@${passo}`),
      texto: value.trim().slice(0, TEXTO_MAX),
      vezes: 1,
    });
  }
  for (const [first, ...twins] of Map.groupBy(element.children, nameOf).values())
    if (first)
      addRamo(arvore, { tree, element: first, acima: lugar, nivel: nivel + 1, vezes: 1 + twins.length });
}

function below(acima: Lugar | null, passo: string | null): string[] | null {
  return acima && passo ? [...acima, passo] : null;
}

function nameOf({ localName }: XmlElement): string {
  return normalise(localName) || localName;
}

/** The group that repeats where fields begin, or what stands there itself. */
function sugestaoDe(tree: XmlTree): string[] {
  const way = descida(tree);
  const last = way.at(-1) ?? tree.root;
  const groups = [...Map.groupBy(last.children, nameOf).values()];
  const [list] = groups
    .filter((twins) => twins.length > 1 && twins.every(({ children }) => children.length > 0))
    .sort((a, b) => b.length - a.length);
  const [first] = list ?? [];
  return [...way, ...(first ? [first] : [])].map(({ localName }) => passoDe(localName) ?? '_');
}
