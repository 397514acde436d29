/** Tells wrappers by what stands in them: their names differ in case from vendor to vendor. */
import type { XmlElement } from '../xml/tree.ts';

/** By its local name, in any case; most are written as the schema has them. */
export function isNamed(element: XmlElement, name: string): boolean {
  const { localName } = element;
  if (localName === name) return true;
  return localName.length === name.length && localName.toLowerCase() === name.toLowerCase();
}

/** The same for several names. */
export function isNamedOneOf(element: XmlElement, names: readonly string[]): boolean {
  return names.some((name) => isNamed(element, name));
}

/** Whether a direct child has this name, in any case. */
export function hasChildNamed(element: XmlElement, name: string): boolean {
  return element.children.some((candidate) => isNamed(candidate, name));
}

/**
 * Whether an element of any name holds one request with its answer and nothing else. Several requests are documents
 * of their own, each to be brought together with its answer.
 */
export function holdsOnePair(
  element: XmlElement,
  pair: { requests: readonly string[]; answer: string },
): boolean {
  const requests = element.children.filter((c) => isNamedOneOf(c, pair.requests));
  const answers = element.children.filter((c) => isNamed(c, pair.answer));
  return (
    requests.length === 1 &&
    answers.length > 0 &&
    requests.length + answers.length === element.children.length
  );
}
