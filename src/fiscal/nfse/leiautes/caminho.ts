/**
 * Places inside a note, as descriptions of layouts name them: a small part of XPath over names that are compared in
 * lower case and without anything but letters and digits (`numero_nfse`, `NumeroNFSe` and `numeroNfse` are one), whatever
 * their prefix and namespace. Cities write the names of one layout in many ways, in wrappers of their own, and what one
 * has as an element another has as an attribute.
 *
 * `//a/b` is a b directly in an a that stands anywhere in what is kept; `.//a` anywhere in the note itself; `./a`
 * directly in it; `a|b` is either name, the first before the second. Groups that stand for something else (a party, an
 * item, the RPS) are not gone into unless the path names them.
 */
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { normalise } from '../nomes.ts';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';

interface Passo {
  nomes: readonly string[];
  /** Anywhere below the step before, and not only directly in it. */
  fundo: boolean;
}

/** A path of a description, taken apart. */
export interface Caminho {
  texto: string;
  /** From the note itself, not from all that is kept with it. */
  daNota: boolean;
  passos: readonly Passo[];
  /** All names in it: groups of these names are gone into. */
  nomes: ReadonlySet<string>;
}

/** Longest path and most names that a description may have; what is published has a third of these. */
export const CAMINHO_MAX = { letras: 400, passos: 5, nomes: 40, fundos: 3 } as const;

const NOME = /^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/;

/**
 * Takes a path apart.
 *
 * @returns in words what is wrong with it, where something is
 */
export function readCaminho(texto: string): Caminho | { falta: string } {
  if (texto.length > CAMINHO_MAX.letras) return { falta: `passa de ${CAMINHO_MAX.letras} letras` };
  const daNota = texto.startsWith('./');
  const rest = daNota ? texto.slice(1) : texto;
  if (!rest.startsWith('/')) return { falta: 'não começa por //, ./ ou .//' };
  if (!daNota && !rest.startsWith('//')) return { falta: 'não começa por //, ./ ou .//' };
  const passos: Passo[] = [];
  for (const [, barras = '', nomes = ''] of rest.matchAll(/(\/{1,2})([^/]*)/g)) {
    const names = nomes.split('|');
    if (!names.every((name) => NOME.test(name))) return { falta: `tem um nome que não vale em "${nomes}"` };
    passos.push({ nomes: names.map(normalise), fundo: barras === '//' });
  }
  if (/\/{3}/.test(rest)) return { falta: 'tem mais de duas barras juntas' };
  // Each goes through all that stand around an element, for each of those that the one before it found.
  if (passos.filter(({ fundo }) => fundo).length > CAMINHO_MAX.fundos)
    return { falta: `passa de ${CAMINHO_MAX.fundos} passos com //` };
  if (passos.length > CAMINHO_MAX.passos) return { falta: `passa de ${CAMINHO_MAX.passos} passos` };
  const nomes = new Set(passos.flatMap((passo) => passo.nomes));
  if (nomes.size > CAMINHO_MAX.nomes) return { falta: `passa de ${CAMINHO_MAX.nomes} nomes` };
  return { texto, daNota, passos, nomes };
}

/** An element or attribute of a note, known by its name. */
export interface No {
  nome: string;
  /** The element, or the one that has the attribute. */
  element: XmlElement;
  /** Value of an attribute; null for elements. */
  atributo: string | null;
  pai: No | null;
  /** How many elements stand around it, in what is kept. */
  nivel: number;
}

/** All that a note holds, by name, the outermost first. */
export interface Indice {
  tree: XmlTree;
  nota: No;
  /** What is kept with the note; the note itself where nothing is. */
  raiz: No;
  elementos: ReadonlyMap<string, readonly No[]>;
  atributos: ReadonlyMap<string, readonly No[]>;
  fechados: ReadonlySet<string>;
}

function add(map: Map<string, No[]>, no: No): void {
  const known = map.get(no.nome);
  if (known) known.push(no);
  else map.set(no.nome, [no]);
}

/**
 * Makes the index of a note: breadth first, so that what stands further out comes first, whatever order siblings are in.
 *
 * @param input.root what is kept @param input.nota the element of the note, `root` or below it
 * @param input.fechados normalised names of the groups that stand for something else @param input.max elements looked at
 */
export function indexar(input: {
  tree: XmlTree;
  root: XmlElement;
  nota: XmlElement;
  fechados: ReadonlySet<string>;
  max?: number;
}): Indice {
  const { tree, root, nota, fechados, max = Number.POSITIVE_INFINITY } = input;
  const elementos = new Map<string, No[]>();
  const atributos = new Map<string, No[]>();
  const raiz: No = { nome: normalise(root.localName), element: root, atributo: null, pai: null, nivel: 0 };
  let daNota = raiz;
  const queue: No[] = [raiz];
  for (let at = 0; at < queue.length; at++) {
    const no = queue[at] as No;
    const { element } = no;
    add(elementos, no);
    if (element === nota) daNota = no;
    for (const { localName, value } of element.attributes)
      add(atributos, { nome: normalise(localName), element, atributo: value, pai: no, nivel: no.nivel + 1 });
    for (const inner of queue.length < max ? element.children : [])
      if (inner.namespace !== XMLDSIG)
        queue.push({
          nome: normalise(inner.localName),
          element: inner,
          atributo: null,
          pai: no,
          nivel: no.nivel + 1,
        });
  }
  return { tree, nota: daNota, raiz, elementos, atributos, fechados };
}

/** So many of one name are looked at for a path: a note has some twenty, and what repeats more often is no field of it. */
const OLHADOS = 200;

function isClosed(indice: Indice, caminho: Caminho, no: No): boolean {
  if (no === indice.raiz || no === indice.nota) return false;
  return indice.fechados.has(no.nome) && !caminho.nomes.has(no.nome);
}

/** Whether all above an element, up to where the path begins, may be gone into. */
function isOpenAbove(indice: Indice, caminho: Caminho, from: No): boolean {
  const end = caminho.daNota ? indice.nota : null;
  for (let no = from.pai; no !== end; no = no.pai) {
    if (no === null) return false;
    if (isClosed(indice, caminho, no)) return false;
  }
  return true;
}

/** Whether an element that has the name of a step stands where the path up to there leads. */
function fits(indice: Indice, caminho: Caminho, no: No, at: number): boolean {
  const passo = caminho.passos[at] as Passo;
  if (at === 0) return passo.fundo ? isOpenAbove(indice, caminho, no) : no.pai === indice.nota;
  const outer = (caminho.passos[at - 1] as Passo).nomes;
  for (let above = no.pai; above; above = above.pai) {
    if (outer.includes(above.nome) && fits(indice, caminho, above, at - 1)) return true;
    if (!passo.fundo || isClosed(indice, caminho, above)) return false;
  }
  return false;
}

/** Everything that a path leads to; attributes only where no element is found. @param max of one name that are looked at */
export function findTodos(indice: Indice, caminho: Caminho, max = OLHADOS): No[] {
  const last = caminho.passos.length - 1;
  const { nomes } = caminho.passos[last] as Passo;
  const foundIn = (map: ReadonlyMap<string, readonly No[]>): No[] => {
    const found: No[] = [];
    for (const nome of nomes) {
      const named = map.get(nome);
      if (!named) continue;
      for (let at = 0; at < named.length && at < max; at++) {
        const no = named[at] as No;
        if (fits(indice, caminho, no, last)) found.push(no);
      }
    }
    return found;
  };
  const found = foundIn(indice.elementos);
  return found.length > 0 ? found : foundIn(indice.atributos);
}

/** Trimmed text of a field; null for what has none. */
export function textoDe(indice: Indice, no: No): string | null {
  const text = (no.atributo ?? (no.element.children.length > 0 ? '' : indice.tree.text(no.element))).trim();
  return text === '' ? null : text;
}

/** A field with its text, and the path that led to it. */
export interface Campo {
  no: No;
  texto: string;
  caminho: Caminho;
}

/** All fields that the paths lead to and that have a text, in the order of the paths. */
export function campos(indice: Indice, caminhos: readonly Caminho[], max = OLHADOS): Campo[] {
  return caminhos.flatMap((caminho) =>
    findTodos(indice, caminho, max).flatMap((no) => {
      const texto = textoDe(indice, no);
      return texto === null ? [] : [{ no, texto, caminho }];
    }),
  );
}

/** Text of the first of the fields that the paths lead to. */
export function primeiro(indice: Indice, caminhos: readonly Caminho[]): string | null {
  for (const caminho of caminhos)
    for (const no of findTodos(indice, caminho)) {
      const texto = textoDe(indice, no);
      if (texto !== null) return texto;
    }
  return null;
}
