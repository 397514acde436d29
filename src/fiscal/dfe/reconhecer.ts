/** Tells wrappers by what stands in them: their names differ in case from vendor to vendor (domain 1.0, 1.1). */
import type { XmlElement } from '../xml/tree.ts';

export function isNamed(element: XmlElement, name: string): boolean {
  return element.localName.toLowerCase() === name.toLowerCase();
}

export function isNamedOneOf(element: XmlElement, names: readonly string[]): boolean {
  return names.some((name) => isNamed(element, name));
}

export function hasChildNamed(element: XmlElement, name: string): boolean {
  return element.children.some((candidate) => isNamed(candidate, name));
}

export function hasOnlyChildren(element: XmlElement, names: readonly string[]): boolean {
  return element.children.every((c) => isNamedOneOf(c, names));
}
