import type { XmlElement } from '../../xml/tree.ts';
import { childLike } from '../nomes.ts';
import { GRUPOS, NOMES, normalise } from './campos.ts';

/** Names that notes of municipal layouts have as elements; `nota` is also the name of a mere field elsewhere. */
const CANDIDATES: ReadonlySet<string> = new Set([
  'nfse',
  'nfs',
  'nfd',
  'nota',
  'notafiscal',
  'notafiscalservico',
  'notafiscaleletronica',
  'notafiscalservicoeletronica',
  'tcnfse',
  'notasfiscais',
  'reg20item',
  'retorno',
  'xmlnfpse',
  'xmlnfse',
]);
/** Requests carry the same names in what they ask for. Answers are named for them (`ConsultarNfseResposta`). */
const REQUEST = /envio|^req|^pedido|^consultar|^cancelar/i;
const ANSWER = /^retorno|(?:resposta|response|result|return)$/i;

const NUMERO: ReadonlySet<string> = new Set(NOMES.numero);
const DATA: ReadonlySet<string> = new Set(NOMES.data);
/** A field that only the issuing city fills: without it, the same names are of a request. */
const DA_PREFEITURA: ReadonlySet<string> = new Set([
  ...NOMES.numero.filter((nome) => nome !== 'numero' && nome !== 'cod'),
  ...NOMES.codigo.filter((nome) => nome !== 'codigo'),
  // Assessor Público: its requests do not say who asks.
  'prestcpfcnpj',
]);

/** Florianópolis, whose number is called `numeroSerie`: elsewhere that is a series. */
export function isNfpse(element: XmlElement): boolean {
  return /^xmlnfp?se$/i.test(element.localName);
}

function isCandidate(element: XmlElement): boolean {
  if (element.children.length === 0) return false;
  const name = normalise(element.localName);
  return CANDIDATES.has(name) || (name === 'item' && normalise(element.parent?.localName ?? '') === 'notas');
}

function isInRequest(element: XmlElement): boolean {
  for (let current: XmlElement | null = element; current; current = current.parent) {
    if (REQUEST.test(current.localName) && !ANSWER.test(current.localName)) return true;
  }
  return false;
}

/** A note says what it is within its first elements; the rest are items. */
const LOOKED_AT = 2_000;

/** Names of the fields of an element that have a text, those of its groups included. */
function fieldNames(element: XmlElement): Set<string> {
  const names = new Set<string>();
  let looked = 0;
  const visit = (current: XmlElement): void => {
    for (const inner of current.children) {
      if (++looked > LOOKED_AT) return;
      if (inner.children.length > 0) visit(inner);
      else if (inner.contentEnd > inner.contentStart) names.add(normalise(inner.localName));
    }
  };
  visit(element);
  return names;
}

function hasOneOf(names: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const name of wanted) if (names.has(name)) return true;
  return false;
}

function holdsNotes(element: XmlElement): boolean {
  return element.children.some((inner) => isNote(inner) || holdsNotes(inner));
}

/** Its own fields stand in a group of the same name, with the parties beside that (Equiplano). */
function wrapsItsFields(element: XmlElement): boolean {
  const [inner, ...others] = element.children.filter((child) => isNote(child) || holdsNotes(child));
  return (
    inner !== undefined &&
    others.length === 0 &&
    normalise(inner.localName) === normalise(element.localName) &&
    !holdsNotes(inner) &&
    element.children.some((child) => GRUPOS[normalise(child.localName)] === 'prestador')
  );
}

/** Elements stand one inside the other, and each is asked about from all that are around it. */
const NOTAS = new WeakMap<XmlElement, boolean>();

function isNote(element: XmlElement): boolean {
  if (!isCandidate(element)) return false;
  const known = NOTAS.get(element) ?? hasFieldsOfANote(element);
  NOTAS.set(element, known);
  return known;
}

function hasFieldsOfANote(element: XmlElement): boolean {
  const names = fieldNames(element);
  const isNumbered = hasOneOf(names, NUMERO) || (isNfpse(element) && names.has('numeroserie'));
  // E&L: a request identifies an RPS, only a note its own number.
  const isGiven = hasOneOf(names, DA_PREFEITURA) || childLike(element, 'IdentificacaoNfse') !== null;
  return isNumbered && isGiven && hasOneOf(names, DATA);
}

/**
 * A note of a municipal layout by its name and its fields: a number that a city gave, and a date. Of elements one
 * inside the other the innermost is the note, unless it leaves its parties to the one around it.
 */
export function isNfseMunicipal(element: XmlElement): boolean {
  if (!isNote(element) || isInRequest(element)) return false;
  return !holdsNotes(element) || wrapsItsFields(element);
}
