/** Tells CF-e SAT and its cancellation, in any namespace or none, in whatever they are wrapped. */
import { isNamed } from '../dfe/reconhecer.ts';
import { child, type XmlElement } from '../xml/tree.ts';

/** A CF-e SAT, authorised by its own signature: nothing wraps it with an answer. */
export function isCfe(element: XmlElement): boolean {
  return isNamed(element, 'CFe') && child(element, 'infCFe') !== null;
}

/** The cancellation of one, which names it by its key. */
export function isCfeCancelamento(element: XmlElement): boolean {
  return isNamed(element, 'CFeCanc') && child(element, 'infCFe') !== null;
}
