/**
 * Whether XML of no name that is known is a municipal note all the same. Asked only of what nothing else knows, and
 * answered carefully: what is taken for a note is kept, shown to people and waits for them.
 */
import { isCnpj, isCpf } from '../../cpf-cnpj.ts';
import { walk, type XmlElement, type XmlTree } from '../../xml/tree.ts';
import { normalise } from '../nomes.ts';
import { readMunicipalDate } from '../valores.ts';
import { isInRequest } from './reconhecer.ts';

/** What is said in names of every note of a service, in some word: who rendered it, who took it, and that it is one. */
const PALAVRAS: readonly RegExp[] = [
  /prestador|emitente|emissor/,
  /tomador|destinatario|contratante|cliente/,
  /nfse|notafiscal|issqn|^iss$|^(?:v|vl|vlr|valor|base|aliquota|aliq)iss|servico/,
];
/** What is published under these is read, or known to be something else. */
const DE_OUTROS = /portalfiscal|sped\.fazenda|esocial|reinf|openxml|office|opendocument/i;

const OLHADOS = 3_000;
/** A time with all that programs write behind its seconds. */
const TEXTO_MAX = 40;
const VALOR = /^(?:R\$ ?)?\d[\d.]*[.,]\d{2,4}$/;
/** Without cents, only a name tells an amount from any other number. */
const INTEIRO = /^[1-9]\d{0,11}$/;
const NOME_DE_VALOR = /^vlr?|valor|preco|total/;
const DATA =
  /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?=$|[ T])|^\d{8}(?=$|[ T])|^[A-Z][a-z]{2} {1,2}\d{1,2} \d{4}\b/;

interface Visto {
  palavras: Set<RegExp>;
  cpfCnpj: boolean;
  data: boolean;
  valor: boolean;
}

const isCpfCnpj = (text: string): boolean => isCpf(text) || isCnpj(text);

function seeText(visto: Visto, name: string, text: string): void {
  visto.valor ||= INTEIRO.test(text) && NOME_DE_VALOR.test(normalise(name));
  if (text.length < 4 || text.length > TEXTO_MAX) return;
  visto.cpfCnpj ||= isCpfCnpj(text.replace(/[./\-\s]/g, ''));
  visto.valor ||= VALOR.test(text);
  visto.data ||= DATA.test(text) && readMunicipalDate({ texto: text, municipio: null }) !== null;
}

function seeName(visto: Visto, name: string): void {
  const word = normalise(name);
  for (const palavra of PALAVRAS) if (palavra.test(word)) visto.palavras.add(palavra);
}

function see(visto: Visto, tree: XmlTree, element: XmlElement): void {
  seeName(visto, element.localName);
  if (element.children.length === 0) seeText(visto, element.localName, tree.text(element).trim());
  for (const { localName, value } of element.attributes) {
    seeName(visto, localName);
    seeText(visto, localName, value.trim());
  }
}

const temValores = ({ cpfCnpj, data, valor }: Visto): boolean => cpfCnpj && data && valor;

/** Looks until it is seen what was asked for. @returns false for a request, and for documents of others */
function look(tree: XmlTree, root: XmlElement, isEnough: (visto: Visto) => boolean): boolean {
  const visto: Visto = { palavras: new Set(), cpfCnpj: false, data: false, valor: false };
  let looked = 0;
  for (const element of walk(root)) {
    if (++looked > OLHADOS || DE_OUTROS.test(element.namespace) || isInRequest(element)) return false;
    see(visto, tree, element);
    if (isEnough(visto)) return true;
  }
  return false;
}

/**
 * Whether what stands in an element looks like a note, or several: it has a CPF or CNPJ with its check digits, a date and
 * an amount, and the words for two of prestador, tomador and service; and is no request.
 */
export function pareceNota(tree: XmlTree, root: XmlElement): boolean {
  return look(tree, root, (visto) => visto.palavras.size >= 2 && temValores(visto));
}

/** Whether what has the name of a note has the values of one too, so that somebody could point at them. */
export function temValoresDeNota(tree: XmlTree): boolean {
  return temTodosOsValores(tree, tree.root);
}

const CAMPOS_MIN = 4;

/** Whether an element may be one note of a list, whose prestador may stand around it: it has a date, an amount and more. */
export function pareceUmaDeVarias(tree: XmlTree, element: XmlElement): boolean {
  const fields = element.children.length + element.attributes.length;
  return fields >= CAMPOS_MIN && look(tree, element, ({ data, valor }) => data && valor);
}

/** Whether all values that a note has stand in an element. */
export function temTodosOsValores(tree: XmlTree, element: XmlElement): boolean {
  return look(tree, element, temValores);
}
