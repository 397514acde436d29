/** Finds the notes of the layouts in a file: what one element is, by its name and what stands in it. */
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { normalise } from '../nomes.ts';
import { type Caminho, findTodos, type Indice, indexar, type No } from './caminho.ts';
import type { LeiauteCompilado } from './compilar.ts';

/** Requests carry the same names in what they ask for. Answers are named for them (`ConsultarNfseResposta`). */
const REQUEST = /envio|^req|^pedido|^consultar|^cancelar/i;
const ANSWER = /^retorno|(?:resposta|response|result|return)$/i;

/** Whether it stands in what somebody asked for, not in what the city wrote. */
export function isInRequest(element: XmlElement): boolean {
  for (let current: XmlElement | null = element; current; current = current.parent) {
    if (REQUEST.test(current.localName) && !ANSWER.test(current.localName)) return true;
  }
  return false;
}

function isAround(element: XmlElement, isOne: (around: XmlElement) => boolean): boolean {
  for (let current: XmlElement | null = element; current; current = current.parent)
    if (isOne(current)) return true;
  return false;
}

/** Whether the element stands where its layout says. */
function isInPlace(layout: LeiauteCompilado, element: XmlElement): boolean {
  const { namespace = [], norma } = layout.descrito.nota;
  if (layout.dentroDe.size > 0) {
    const around = element.parent ? normalise(element.parent.localName) : '';
    if (!layout.dentroDe.has(around)) return false;
  }
  if (namespace.length > 0) {
    const fits = (around: XmlElement): boolean =>
      namespace.some((part) => around.namespace.toLowerCase().includes(part.toLowerCase()));
    if (!isAround(element, fits)) return false;
  }
  return norma === true || !isInRequest(element);
}

function hasContent({ element, atributo }: No): boolean {
  if (atributo !== null) return atributo.trim() !== '';
  return element.children.length > 0 || element.contentEnd > element.contentStart;
}

function isThere(indice: Indice, caminho: Caminho): boolean {
  return findTodos(indice, caminho).some(hasContent);
}

/** No text is asked of it: a note is told by names. */
const SEM_TEXTOS = { text: () => '' } as unknown as XmlTree;

/** Rows by the name of an element: of the note itself, and of what may stand around one. */
interface PorNome {
  notas: ReadonlyMap<string, readonly number[]>;
  envoltorios: ReadonlyMap<string, readonly number[]>;
  aoLado: ReadonlyMap<string, readonly number[]>;
}

function byName(
  layouts: readonly LeiauteCompilado[],
  namesOf: (layout: LeiauteCompilado) => ReadonlySet<string>,
): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  layouts.forEach((layout, row) => {
    for (const name of namesOf(layout)) rows.set(name, [...(rows.get(name) ?? []), row]);
  });
  return rows;
}

/** None of the elements below is a note. */
const NENHUMA = Number.POSITIVE_INFINITY;

/**
 * Tells which elements are notes, by a table of layouts of which the first that fits counts. What was found out about an
 * element is remembered: each is asked about from all that stand around it.
 */
export class Reconhecedor {
  readonly #layouts: readonly LeiauteCompilado[];
  readonly #porNome: PorNome;
  readonly #rowOf = new WeakMap<XmlElement, number>();
  readonly #lowestBelow = new WeakMap<XmlElement, number>();

  constructor(layouts: readonly LeiauteCompilado[]) {
    this.#layouts = layouts;
    this.#porNome = {
      notas: byName(layouts, ({ elemento }) => elemento),
      envoltorios: byName(layouts, ({ envoltorio }) => envoltorio),
      aoLado: byName(layouts, ({ aoLado }) => aoLado),
    };
  }

  /** The layout of the note that an element is, with what is kept of it; null where it is none. */
  reconhecer(element: XmlElement): LeiauteCompilado | null {
    const name = normalise(element.localName);
    for (const row of this.#porNome.envoltorios.get(name) ?? [])
      if (this.#onlyNoteIn(row, element)) return this.#layouts[row] ?? null;
    for (const row of this.#rowsBeside(element))
      if (this.#onlyNoteIn(row, element)) return this.#layouts[row] ?? null;
    const row = this.#rowOfNote(element);
    // The innermost is the note, unless the one around it is of a layout that is told more surely.
    return row === NENHUMA || this.#lowest(element) <= row ? null : (this.#layouts[row] ?? null);
  }

  /** Rows of which something that stands beside a note is a child of the element. */
  #rowsBeside(element: XmlElement): readonly number[] {
    if (this.#porNome.aoLado.size === 0) return [];
    const rows = new Set<number>();
    for (const { localName } of element.children)
      for (const row of this.#porNome.aoLado.get(normalise(localName)) ?? []) rows.add(row);
    return [...rows];
  }

  #onlyNoteIn(row: number, element: XmlElement): boolean {
    const layout = this.#layouts[row];
    const nota = layout ? notaEm(layout, element) : null;
    return nota !== null && nota !== element && this.#rowOfNote(nota) === row && this.#lowest(nota) > row;
  }

  /** The first row that fits the element as a note, whatever stands in it. */
  #rowOfNote(element: XmlElement): number {
    const rows = this.#porNome.notas.get(normalise(element.localName));
    if (!rows || (element.children.length === 0 && element.attributes.length === 0)) return NENHUMA;
    const known = this.#rowOf.get(element);
    if (known !== undefined) return known;
    const indice = indexar({
      tree: SEM_TEXTOS,
      root: element,
      nota: element,
      fechados: new Set(),
      max: OLHADOS,
    });
    const row = rows.find((at) => this.#fits(at, element, indice)) ?? NENHUMA;
    this.#rowOf.set(element, row);
    return row;
  }

  #fits(row: number, element: XmlElement, indice: Indice): boolean {
    const layout = this.#layouts[row] as LeiauteCompilado;
    const own = { ...indice, fechados: layout.fechados };
    return (
      layout.tem.every((caminho) => isThere(own, caminho)) &&
      !layout.naoTem.some((caminho) => isThere(own, caminho)) &&
      isInPlace(layout, element)
    );
  }

  /** The lowest row of a note below the element. */
  #lowest(element: XmlElement): number {
    const known = this.#lowestBelow.get(element);
    if (known !== undefined) return known;
    let lowest = NENHUMA;
    for (const inner of element.children)
      lowest = Math.min(lowest, this.#rowOfNote(inner), this.#lowest(inner));
    this.#lowestBelow.set(element, lowest);
    return lowest;
  }
}

/** A note says what it is within its first elements; the rest are items. */
const OLHADOS = 2_000;

/** So many elements of names that nobody knows may stand between a note and what is kept with it. */
const DESCONHECIDOS_MAX = 2;

/** What may be the note, or around it, in an element: right in it, else below elements of names that nobody knows. */
function innerOf(layout: LeiauteCompilado, element: XmlElement): XmlElement[] {
  const isNamedIn = (names: ReadonlySet<string>, { localName }: XmlElement): boolean =>
    names.has(normalise(localName));
  let around = [element];
  for (let between = 0; between <= DESCONHECIDOS_MAX; between++) {
    const inner = around.flatMap(({ children }) => children);
    const found = inner.filter((one) => isNamedIn(layout.elemento, one) || isNamedIn(layout.envoltorio, one));
    if (found.length > 0) return found;
    around = inner.filter((one) => !isNamedIn(layout.aoLado, one));
  }
  return [];
}

/**
 * The element of the note in what is kept of it: itself, or the only one that stands in it, one in another.
 *
 * @returns null where there is none, or more than one
 */
export function notaEm(layout: LeiauteCompilado, root: XmlElement): XmlElement | null {
  let current = root;
  for (;;) {
    const name = normalise(current.localName);
    if (layout.elemento.has(name) && !layout.envoltorio.has(name)) return current;
    const isAroundNote = layout.envoltorio.has(name) || current === root;
    const [only, other] = isAroundNote ? innerOf(layout, current) : [];
    if (!only || other) return layout.elemento.has(name) ? current : null;
    current = only;
  }
}
