import type { NamespaceDeclaration, XmlAttribute, XmlElement } from './tree.ts';

/** Most elements have none of these: they share one empty list, replaced when the first member comes. */
const NO_CHILDREN: XmlElement[] = [];
const NO_ATTRIBUTES: XmlAttribute[] = [];
const NO_DECLARATIONS: NamespaceDeclaration[] = [];

/** End of an element that is not closed yet: beyond any document, so that a fault inside it finds it. */
const STILL_OPEN = 0x3fffffff;

/** An element of the slow tier's tree: an object with lists, made while the document is scanned. */
export class TreeElement implements XmlElement {
  prefix: string;
  localName: string;
  namespace = '';
  parent: TreeElement | null;
  children: XmlElement[] = NO_CHILDREN;
  attributes: XmlAttribute[] = NO_ATTRIBUTES;
  declarations: NamespaceDeclaration[] = NO_DECLARATIONS;
  start: number;
  contentStart = 0;
  contentEnd = 0;
  end: number = STILL_OPEN;

  constructor(name: { prefix: string; localName: string }, parent: TreeElement | null, start: number) {
    this.prefix = name.prefix;
    this.localName = name.localName;
    this.parent = parent;
    this.start = start;
    if (parent === null) return;
    if (parent.children === NO_CHILDREN) parent.children = [this];
    else parent.children.push(this);
  }

  declare(declaration: NamespaceDeclaration): void {
    if (this.declarations === NO_DECLARATIONS) this.declarations = [];
    this.declarations.push(declaration);
  }

  firstNamed(localName: string): XmlElement | null {
    return this.children.find((candidate) => candidate.localName === localName) ?? null;
  }

  namedChildren(localName: string): XmlElement[] {
    return this.children.filter((candidate) => candidate.localName === localName);
  }

  namedWithin(localName: string): XmlElement[] {
    const found: XmlElement[] = [];
    const visit = (element: XmlElement): void => {
      if (element.localName === localName) found.push(element);
      element.children.forEach(visit);
    };
    visit(this);
    return found;
  }

  attributeValue(localName: string): string | null {
    const found = this.attributes.find((a) => a.localName === localName && a.namespace === '');
    return found ? found.value : null;
  }

  countAttributes(localNames: readonly string[], wanted: string): number {
    let count = 0;
    const pending: XmlElement[] = [this];
    for (let element = pending.pop(); element; element = pending.pop()) {
      for (const { localName, value } of element.attributes)
        if (value === wanted && localNames.includes(localName)) count++;
      for (const inner of element.children) pending.push(inner);
    }
    return count;
  }
}
