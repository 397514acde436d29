/** Tells the elements of the CT-e family by what stands in them, in whatever they are wrapped. */
import { hasChildNamed, holdsOnePair, isNamed, isNamedOneOf } from '../dfe/reconhecer.ts';
import { child, type XmlElement } from '../xml/tree.ts';
import { CTE, PROCESSADOS_CTE } from './nomes.ts';

function isDocument(element: XmlElement): boolean {
  return isNamedOneOf(element, CTE.documentos) && child(element, CTE.inf) !== null;
}

/** A bare document, its wrapper in any case, or a wrapper of any name that holds it, its protocol and nothing else. */
export function isCte(element: XmlElement): boolean {
  if (isDocument(element)) return true;
  if (!element.children.some(isDocument)) return false;
  if (isNamedOneOf(element, PROCESSADOS_CTE)) return true;
  return holdsOnePair(element, { requests: CTE.documentos, answer: CTE.protocolo });
}

/** The request of an event, without the answer that registers it. */
export function isCteEvent(element: XmlElement): boolean {
  return isNamed(element, 'eventoCTe') && child(child(element, 'infEvento'), CTE.chave) !== null;
}

/** An event with the answer that registers it, in its wrapper or in one of any name. */
export function isProcessedCteEvent(element: XmlElement): boolean {
  if (isNamed(element, 'procEventoCTe')) return hasChildNamed(element, 'eventoCTe');
  if (!element.children.some(isCteEvent)) return false;
  return holdsOnePair(element, { requests: ['eventoCTe'], answer: 'retEventoCTe' });
}

/** Only up to layout 3.00: 4.00 abolished it. */
export function isCteInutilizacao(element: XmlElement): boolean {
  return isNamedOneOf(element, ['procInutCTe', 'retInutCTe']);
}
