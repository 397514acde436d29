import { directText, normalizeAttribute, positioner } from '../xml/text.ts';
import type { NamespaceDeclaration, XmlAttribute, XmlElement, XmlTree } from '../xml/tree.ts';
import type { Tape } from './tape.ts';
import * as tapeConsts from './tape.ts';

const { ATTRIBUTE, ATTRIBUTE_ROW, DECLARATION_ROW, ELEMENT, ELEMENT_ROW, FLAG, NOT_PLAIN } = tapeConsts;

const { NAME, PREFIX, FLAGS, START, CONTENT, CONTENT_END, END, PARENT, NEXT, ATTRIBUTES, DECLARATIONS } =
  ELEMENT;

const NO_ELEMENTS: XmlElement[] = [];

/** The tree over a tape: what `scanXml` would give for the same bytes, its elements made when they are asked for. */
export class TapeTree implements XmlTree {
  readonly tape: Tape;
  readonly bytes: Buffer;
  readonly root: TapeElement;
  readonly position: XmlTree['position'];
  readonly #elements: (TapeElement | undefined)[];
  #latin1: string | null = null;

  /** @param position where an offset stands; by default line and column in these bytes */
  constructor(tape: Tape, position: XmlTree['position'] = positioner(tape.bytes)) {
    this.tape = tape;
    this.bytes = tape.bytes;
    this.position = position;
    this.#elements = new Array(tape.count);
    this.root = this.at(0);
  }

  /** The document with one character per byte, made once. */
  get latin1(): string {
    const known = this.#latin1 ?? this.bytes.toString('latin1');
    this.#latin1 = known;
    return known;
  }

  /** The element of a row; always the same object. */
  at(index: number): TapeElement {
    let element = this.#elements[index];
    if (element === undefined) {
      element = new TapeElement(this, index);
      this.#elements[index] = element;
    }
    return element;
  }

  /** Value of the attribute whose row begins here. */
  valueAt(row: number): string {
    const { attributes, bytes } = this.tape;
    const from = attributes[row + ATTRIBUTE.FROM] as number;
    const to = attributes[row + ATTRIBUTE.TO] as number;
    if (attributes[row + ATTRIBUTE.CODED] === 0) return this.latin1.slice(from, to);
    return normalizeAttribute(bytes.toString('utf8', from, to));
  }

  text(element: XmlElement): string {
    return element instanceof TapeElement
      ? this.textOf(element.index)
      : directText(this.bytes, this.latin1, element);
  }

  childText(element: XmlElement, localName: string): string | null {
    const child =
      element instanceof TapeElement ? this.firstChild(element.index, this.tape.names.local(localName)) : 0;
    return child === 0 ? null : this.textOf(child);
  }

  /** Row of the first child with this local name, by number; 0 when there is none. */
  firstChild(index: number, local: number): number {
    const { elements, names } = this.tape;
    if (local < 0 || ((elements[index * ELEMENT_ROW + FLAGS] as number) & FLAG.HAS_CHILDREN) === 0) return 0;
    const { expandedLocal } = names;
    for (let i = index + 1; i !== 0; i = elements[i * ELEMENT_ROW + NEXT] as number)
      if (expandedLocal[elements[i * ELEMENT_ROW] as number] === local) return i;
    return 0;
  }

  /** Character data directly in the element of a row. */
  textOf(index: number): string {
    const { elements } = this.tape;
    const row = index * ELEMENT_ROW;
    const flags = elements[row + FLAGS] as number;
    if ((flags & NOT_PLAIN) !== 0) return directText(this.bytes, this.latin1, this.at(index));
    const from = elements[row + CONTENT] as number;
    const to = elements[row + CONTENT_END] as number;
    return (flags & FLAG.NOT_ASCII) === 0
      ? this.latin1.slice(from, to)
      : this.bytes.toString('utf8', from, to);
  }
}

/** One element of a tape. Looking for children, attributes and text compares numbers; lists are made on demand. */
export class TapeElement implements XmlElement {
  readonly tree: TapeTree;
  readonly index: number;
  #children: XmlElement[] | null = null;
  #attributes: XmlAttribute[] | null = null;
  #declarations: NamespaceDeclaration[] | null = null;

  constructor(tree: TapeTree, index: number) {
    this.tree = tree;
    this.index = index;
  }

  #cell(column: number): number {
    return this.tree.tape.elements[this.index * ELEMENT_ROW + column] as number;
  }

  get prefix(): string {
    return this.tree.tape.names.prefixes[this.#cell(PREFIX)] as string;
  }

  get localName(): string {
    const { names } = this.tree.tape;
    return names.locals[names.expandedLocal[this.#cell(NAME)] as number] as string;
  }

  get namespace(): string {
    const { names } = this.tree.tape;
    return names.namespaces[names.expandedNamespace[this.#cell(NAME)] as number] as string;
  }

  get start(): number {
    return this.#cell(START);
  }

  get contentStart(): number {
    return this.#cell(CONTENT);
  }

  get contentEnd(): number {
    return this.#cell(CONTENT_END);
  }

  get end(): number {
    return this.#cell(END);
  }

  get parent(): XmlElement | null {
    const parent = this.#cell(PARENT);
    return parent < 0 ? null : this.tree.at(parent);
  }

  get children(): XmlElement[] {
    this.#children ??= this.#listChildren(-1);
    return this.#children;
  }

  /** Child elements whose local name has this number; all of them for -1. */
  #listChildren(local: number): XmlElement[] {
    if ((this.#cell(FLAGS) & FLAG.HAS_CHILDREN) === 0) return NO_ELEMENTS;
    const { elements, names } = this.tree.tape;
    const list: XmlElement[] = [];
    for (let i = this.index + 1; i !== 0; i = elements[i * ELEMENT_ROW + NEXT] as number) {
      if (local < 0 || names.expandedLocal[elements[i * ELEMENT_ROW] as number] === local)
        list.push(this.tree.at(i));
    }
    return list;
  }

  firstNamed(localName: string): XmlElement | null {
    const { tree } = this;
    const child = tree.firstChild(this.index, tree.tape.names.local(localName));
    return child === 0 ? null : tree.at(child);
  }

  namedChildren(localName: string): XmlElement[] {
    const local = this.tree.tape.names.local(localName);
    return local < 0 ? NO_ELEMENTS : this.#listChildren(local);
  }

  namedWithin(localName: string): XmlElement[] {
    const { tree, index } = this;
    const { elements, names } = tree.tape;
    const local = names.local(localName);
    if (local < 0) return NO_ELEMENTS;
    const { expandedLocal } = names;
    const behind = this.#rowBehind() * ELEMENT_ROW;
    let list = NO_ELEMENTS;
    for (let row = index * ELEMENT_ROW; row < behind; row += ELEMENT_ROW) {
      if (expandedLocal[elements[row] as number] !== local) continue;
      if (list === NO_ELEMENTS) list = [];
      list.push(tree.at(row / ELEMENT_ROW));
    }
    return list;
  }

  /** Number of the row behind all that the element contains. */
  #rowBehind(): number {
    const { elements, count } = this.tree.tape;
    if (this.index === 0) return count;
    const next = this.#cell(NEXT);
    if (next !== 0) return next;
    const end = this.end;
    let behind = this.index + 1;
    while (behind < count && (elements[behind * ELEMENT_ROW + START] as number) < end) behind++;
    return behind;
  }

  get attributes(): XmlAttribute[] {
    this.#attributes ??= this.#listAttributes();
    return this.#attributes;
  }

  #listAttributes(): XmlAttribute[] {
    const { attributes, names } = this.tree.tape;
    const list: XmlAttribute[] = [];
    const end = this.#cell(ELEMENT_ROW + ATTRIBUTES);
    for (let i = this.#cell(ATTRIBUTES); i < end; i++) {
      const row = i * ATTRIBUTE_ROW;
      const expanded = attributes[row] as number;
      list.push({
        prefix: names.prefixes[attributes[row + ATTRIBUTE.PREFIX] as number] as string,
        localName: names.locals[names.expandedLocal[expanded] as number] as string,
        namespace: names.namespaces[names.expandedNamespace[expanded] as number] as string,
        value: this.tree.valueAt(row),
      });
    }
    return list;
  }

  attributeValue(localName: string): string | null {
    const { attributes, names } = this.tree.tape;
    const local = names.local(localName);
    const end = this.#cell(ELEMENT_ROW + ATTRIBUTES);
    for (let i = this.#cell(ATTRIBUTES); i < end; i++) {
      const expanded = attributes[i * ATTRIBUTE_ROW] as number;
      if (names.expandedLocal[expanded] !== local || names.expandedNamespace[expanded] !== 0) continue;
      return this.tree.valueAt(i * ATTRIBUTE_ROW);
    }
    return null;
  }

  countAttributes(localNames: readonly string[], value: string): number {
    const { elements, attributes, names } = this.tree.tape;
    const last = elements[this.#rowBehind() * ELEMENT_ROW + ATTRIBUTES] as number;
    let count = 0;
    for (let i = this.#cell(ATTRIBUTES); i < last; i++) {
      if (!this.#hasValue(i * ATTRIBUTE_ROW, value)) continue;
      const local = names.expandedLocal[attributes[i * ATTRIBUTE_ROW] as number] as number;
      if (localNames.includes(names.locals[local] as string)) count++;
    }
    return count;
  }

  #hasValue(row: number, value: string): boolean {
    const { attributes } = this.tree.tape;
    const size = (attributes[row + ATTRIBUTE.TO] as number) - (attributes[row + ATTRIBUTE.FROM] as number);
    // Values that stand as they are have a byte for each character.
    if (attributes[row + ATTRIBUTE.CODED] === 0 && size !== value.length) return false;
    return this.tree.valueAt(row) === value;
  }

  get declarations(): NamespaceDeclaration[] {
    this.#declarations ??= this.#listDeclarations();
    return this.#declarations;
  }

  #listDeclarations(): NamespaceDeclaration[] {
    const { declarations, names } = this.tree.tape;
    const list: NamespaceDeclaration[] = [];
    const end = this.#cell(ELEMENT_ROW + DECLARATIONS);
    for (let i = this.#cell(DECLARATIONS); i < end; i++) {
      list.push({
        prefix: names.prefixes[declarations[i * DECLARATION_ROW] as number] as string,
        uri: names.namespaces[declarations[i * DECLARATION_ROW + 1] as number] as string,
      });
    }
    return list;
  }
}
