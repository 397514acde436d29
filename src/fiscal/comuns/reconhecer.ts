/** Tells documents of which the common parts are read, and their events, in whatever they are wrapped. */
import { isNamed } from '../dfe/reconhecer.ts';
import { child, type XmlElement } from '../xml/tree.ts';
import { COMUNS, especieDe } from './nomes.ts';

/** The document among the children of its wrapper. */
export function documentoEm(root: XmlElement): XmlElement | null {
  if (especieDe(root) !== null) return root;
  return root.children.find((inner) => especieDe(inner) !== null) ?? null;
}

/** A bare document; a wrapper that is called a processed one; or one of any name that holds it and its protocol alone. */
export function isComum(element: XmlElement): boolean {
  if (especieDe(element) !== null) return true;
  const documents = element.children.filter((inner) => especieDe(inner) !== null);
  const [documento] = documents;
  if (!documento || documents.length > 1) return false;
  const protocolo = `prot${documento.localName}`;
  if (isNamed(element, `${documento.localName}Proc`)) return true;
  return element.children.length === 2 && element.children.some((inner) => isNamed(inner, protocolo));
}

const NOMES = COMUNS.flatMap(({ nomes }) => nomes);

/** The name of the document whose event, registered or only asked for, an element is; null of anything else. */
export function nomeDoEventoComum(element: XmlElement): string | null {
  return (
    NOMES.find((nome) => isNamed(element, `procEvento${nome}`) || isNamed(element, `evento${nome}`)) ?? null
  );
}

/** A registered event, or what looks like one. */
export function isProcessedComumEvent(element: XmlElement): boolean {
  return NOMES.some(
    (nome) =>
      isNamed(element, `procEvento${nome}`) &&
      element.children.some((inner) => isNamed(inner, `evento${nome}`)),
  );
}

/** The request of an event, without the answer that registers it. */
export function isComumEvent(element: XmlElement): boolean {
  return NOMES.some((nome) => isNamed(element, `evento${nome}`)) && child(element, 'infEvento') !== null;
}
