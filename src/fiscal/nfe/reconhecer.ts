/** Tells the elements of NF-e and NFC-e by what stands in them, in whatever they are wrapped. */
import { hasChildNamed, holdsOnePair, isNamed } from '../dfe/reconhecer.ts';
import { child, type XmlElement } from '../xml/tree.ts';

function isNote(element: XmlElement): boolean {
  return isNamed(element, 'NFe') && child(element, 'infNFe') !== null;
}

/** A bare note; `nfeProc` in any case; a wrapper of any name that holds a note and its protocol and nothing else. */
export function isNfe(element: XmlElement): boolean {
  if (isNote(element)) return true;
  if (!element.children.some(isNote)) return false;
  if (isNamed(element, 'nfeProc')) return true;
  return holdsOnePair(element, { requests: ['NFe'], answer: 'protNFe' });
}

/** The request of an event, without the answer that registers it. */
export function isNfeEvent(element: XmlElement): boolean {
  return isNamed(element, 'evento') && child(child(element, 'infEvento'), 'chNFe') !== null;
}

/** An event with the answer that registers it, in its wrapper or in one of any name. */
export function isProcessedNfeEvent(element: XmlElement): boolean {
  if (isNamed(element, 'procEventoNFe')) return hasChildNamed(element, 'evento');
  if (!element.children.some(isNfeEvent)) return false;
  return holdsOnePair(element, { requests: ['evento'], answer: 'retEvento' });
}

/** The answer alone says enough. */
export function isNfeInutilizacao(element: XmlElement): boolean {
  return isNamed(element, 'procInutNFe') || isNamed(element, 'retInutNFe');
}
