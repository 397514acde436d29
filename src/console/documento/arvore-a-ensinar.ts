/** A file whose layout nobody knows, as a tree in which people point at things. Runs in a thread of its own (`tarefa.ts`). */

import { type Lugar, passoDe } from '../../fiscal/nfse/leiautes/apontar.ts';
import { descida } from '../../fiscal/nfse/leiautes/forma.ts';
import { pareceUmaDeVarias, temTodosOsValores } from '../../fiscal/nfse/leiautes/parece-nota.ts';
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

/** An element with those of its name beside it, and those above it. */
interface Candidato {
  element: XmlElement;
  vezes: number;
  acima: readonly XmlElement[];
}

/** Elements of names that are known tell no more of where a note begins. */
const CANDIDATOS_MAX = 500;

/** The first of each name in each group, the outermost first. */
function candidatos({ root }: XmlTree): Candidato[] {
  const queue: Candidato[] = [{ element: root, vezes: 1, acima: [] }];
  for (let at = 0; at < queue.length && queue.length < CANDIDATOS_MAX; at++) {
    const { element, acima } = queue[at] as Candidato;
    for (const [first, ...twins] of Map.groupBy(element.children, nameOf).values())
      if (first && first.namespace !== XMLDSIG)
        queue.push({ element: first, vezes: 1 + twins.length, acima: [...acima, element] });
  }
  return queue;
}

/**
 * Where a note seems to begin: in what repeats and has a date and an amount, the outermost; else in the innermost element
 * that has all values of a note; else where fields begin.
 */
function sugestaoDe(tree: XmlTree): string[] {
  const all = candidatos(tree);
  const found =
    all.find(({ element, vezes }) => vezes > 1 && pareceUmaDeVarias(tree, element)) ??
    all.findLast(({ element }) => element.children.length > 0 && temTodosOsValores(tree, element));
  const way = found ? [...found.acima, found.element] : descida(tree);
  return way.map(({ localName }) => passoDe(localName) ?? '_');
}
