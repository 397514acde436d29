import { isCnpj, isCpf } from '../../cpf-cnpj.ts';
import type { Origem } from '../../origem.ts';
import type { CpfCnpj } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import type { Parte } from '../montar.ts';
import { normalise } from '../nomes.ts';
import { semNada } from '../situacao.ts';
import { readParty } from '../valores.ts';
import { type Campo, campos, type Indice, type No, primeiro, textoDe } from './caminho.ts';
import { compilarParte, type LeiauteCompilado, type ParteCompilada } from './compilar.ts';
import { PARTES_DE_TODOS } from './leiaute.ts';

/** A party, with the text of its id where that could not be read. */
export interface ParteLida extends Parte {
  ilegivel: string | null;
  /** Field that the id was read from, or could not be. */
  campo: Campo | null;
}

/** `tipo` J or F beside the number says what it is (IPM); else the field's own name may. */
function dicaDe({ no }: Campo, indice: Indice): 'cpf' | 'cnpj' | null {
  if (no.nome.includes('cnpj') !== no.nome.includes('cpf')) return no.nome.includes('cnpj') ? 'cnpj' : 'cpf';
  const tipo = no.pai?.element.children.find(({ localName }) => /^tipo(?:pessoa)?$/i.test(localName));
  const text = tipo ? indice.tree.text(tipo).trim() : '';
  if (/^(?:j|jur[ií]dica)$/i.test(text)) return 'cnpj';
  return /^(?:f|f[ií]sica)$/i.test(text) ? 'cpf' : null;
}

const NO_TEXTO = /\b(?:CNPJ|CPF)[^0-9A-Z]{1,4}([0-9A-Z][0-9A-Z./-]{9,17})/i;

const DE_TODOS = {
  prestador: compilarParte(PARTES_DE_TODOS.prestador),
  tomador: compilarParte(PARTES_DE_TODOS.tomador),
  intermediario: compilarParte(PARTES_DE_TODOS.intermediario),
} as const;

/** A party as its layout has it, else by the names that all layouts have for it: whom a note names is not lost. */
export function readParte(indice: Indice, layout: LeiauteCompilado, qual: keyof typeof DE_TODOS): ParteLida {
  return orByAnyName(indice, qual, readEm(indice, layout[qual]));
}

function orByAnyName(indice: Indice, qual: keyof typeof DE_TODOS, own: ParteLida): ParteLida {
  if (own.cpfCnpj !== null || own.ilegivel !== null) return own;
  const other = readEm(indice, DE_TODOS[qual]);
  if (other.cpfCnpj !== null || other.ilegivel !== null || qual === 'prestador')
    return { ...other, nome: own.nome ?? other.nome };
  const nome = own.nome ?? other.nome;
  return { ...readPeloNome(indice, qual), nome };
}

/** Whose the numbers are in a group, or in a field, of such a name; the nearest counts. */
const DE_QUEM =
  /tomador|contratante|intermediario|prestador|emitente|orgao|obra|fornecedor|destinatario|contato|endereco|responsavel|representante|procurador|contador/;
const DA_PARTE = { tomador: /tomador|contratante/, intermediario: /intermediario/ } as const;
const OUTRO_NUMERO = /fone|^tel|^cel|fax|cep|municipal|estadual|conta|^im$|^ie$/;

function isDaParte(no: No | null, parte: RegExp): boolean {
  if (no === null) return false;
  return DE_QUEM.test(no.nome) ? parte.test(no.nome) : isDaParte(no.pai, parte);
}

const NINGUEM = { cpfCnpj: null, ilegivel: null, campo: null };

/** Most notes name no intermediario at all. */
function isNamed({ elementos, atributos }: Indice, parte: RegExp): boolean {
  for (const nome of elementos.keys()) if (parte.test(nome)) return true;
  for (const nome of atributos.keys()) if (parte.test(nome)) return true;
  return false;
}

/**
 * A party by the words in the names alone, where neither its layout nor any other has its place: the one CPF or CNPJ, with
 * its check digits, that stands under its name. Two are told.
 */
function readPeloNome(indice: Indice, qual: keyof typeof DA_PARTE): Omit<ParteLida, 'nome'> {
  const found = new Set<CpfCnpj>();
  if (!isNamed(indice, DA_PARTE[qual])) return NINGUEM;
  for (const named of [...indice.elementos.values(), ...indice.atributos.values()])
    for (const no of named) {
      if (OUTRO_NUMERO.test(no.nome) || !isDaParte(no, DA_PARTE[qual])) continue;
      const id = readParty(textoDe(indice, no));
      if (id !== null && (isCnpj(id) || isCpf(id))) found.add(id);
    }
  const [one = null, other] = found;
  if (other === undefined) return { cpfCnpj: one, ilegivel: null, campo: null };
  return { cpfCnpj: null, ilegivel: `${one} e ${other}`, campo: null };
}

/** Reads a party by the first of its places that has a CPF or CNPJ. */
function readEm(indice: Indice, parte: ParteCompilada): ParteLida {
  const nome = primeiro(indice, parte.nome);
  const fields = campos(indice, parte.cpfCnpj);
  for (const field of fields) {
    const cpfCnpj = readParty(field.texto, dicaDe(field, indice));
    if (cpfCnpj) return { cpfCnpj, nome, ilegivel: null, campo: field };
  }
  for (const field of campos(indice, parte.noTexto)) {
    const cpfCnpj = readParty(NO_TEXTO.exec(field.texto)?.[1] ?? null);
    if (cpfCnpj) return { cpfCnpj, nome, ilegivel: null, campo: field };
  }
  const unreadable = fields.find(({ texto }) => !semNada(texto)) ?? null;
  return { cpfCnpj: null, nome, ilegivel: unreadable?.texto ?? null, campo: unreadable };
}

/** What a note leaves to what stands around it is the same for all notes there, of which a lot has thousands: it is read once. */
const AO_REDOR = new WeakMap<XmlElement, Map<string, string | null>>();

/** Text at `a/b` from the nearest of the elements around that has it. */
function textAround(tree: XmlTree, inside: XmlElement, place: string): string | null {
  const { parent } = inside;
  if (!parent) return null;
  const known = AO_REDOR.get(parent) ?? new Map<string, string | null>();
  AO_REDOR.set(parent, known);
  const before = known.get(place);
  if (before !== undefined) return before;
  const text = textBelow(tree, parent, place.split('/').map(normalise)) ?? textAround(tree, parent, place);
  known.set(place, text);
  return text;
}

/**
 * The one text at these names below an element, the last of which may be that of an attribute: two that differ would be read
 * in two ways, and are none.
 */
function textBelow(tree: XmlTree, element: XmlElement, [name, ...rest]: readonly string[]): string | null {
  const texts = new Set<string>();
  if (rest.length === 0)
    for (const { localName, value } of element.attributes)
      if (normalise(localName) === name && value.trim() !== '') texts.add(value.trim());
  for (const inner of element.children) {
    if (normalise(inner.localName) !== name) continue;
    const text = rest.length > 0 ? textBelow(tree, inner, rest) : tree.text(inner).trim();
    if (text !== null && text !== '') texts.add(text);
  }
  const [only] = texts;
  return texts.size === 1 ? (only ?? null) : null;
}

export function firstAround(lugar: Origem | undefined, places: readonly string[] = []): string | null {
  if (!lugar || lugar.dano?.semCampos) return null;
  for (const place of places) {
    const text = textAround(lugar.tree, lugar.element, place);
    if (text !== null) return text;
  }
  return null;
}

const same = (a: string, b: string): boolean => normalise(a) === normalise(b);

/** Whether the one who is named around is the prestador of the note, not somebody who only transmits or asks. */
function isPrestador(
  input: { indice: Indice; layout: LeiauteCompilado; lugar: Origem | undefined },
  cpfCnpj: CpfCnpj,
): boolean {
  const { indice, layout, lugar } = input;
  const { confere } = layout;
  if (!confere) return true;
  const { aoRedor } = layout.descrito;
  const nome = firstAround(lugar, aoRedor?.nome);
  const own = primeiro(indice, confere.nome);
  if (nome !== null && own !== null) return same(nome, own);
  const inscricao = firstAround(lugar, aoRedor?.inscricao);
  const ownInscricao = primeiro(indice, confere.inscricao);
  const isOther = inscricao !== null && ownInscricao !== null && Number(inscricao) !== Number(ownInscricao);
  return cpfCnpj.length === 14 && !isOther;
}

/** What stands there and is no CPF or CNPJ; in a damaged file nobody knows what it was. */
function toldAround(text: string | null, lugar: Origem | undefined): string | null {
  return text === null || semNada(text) || lugar?.dano ? null : text;
}

/** The prestador: by the note itself, else by what the file says around its notes. */
export function readPrestador(input: {
  indice: Indice;
  layout: LeiauteCompilado;
  lugar: Origem | undefined;
}): ParteLida & { aviso: string | null } {
  const { indice, layout, lugar } = input;
  const own = readEm(indice, layout.prestador);
  const { aoRedor } = layout.descrito;
  const around = own.cpfCnpj ? null : firstAround(lugar, aoRedor?.cpfCnpj);
  const cpfCnpj = readParty(around);
  if (!aoRedor || !cpfCnpj || !isPrestador(input, cpfCnpj)) {
    const named = orByAnyName(indice, 'prestador', own);
    const isNobody = named.cpfCnpj === null && named.ilegivel === null && cpfCnpj === null;
    return { ...named, ilegivel: isNobody ? toldAround(around, lugar) : named.ilegivel, aviso: null };
  }
  const aviso = 'A NFS-e não traz o CNPJ ou CPF do prestador; foi lido do que o arquivo diz ao redor dela.';
  return { ...own, cpfCnpj, nome: own.nome ?? firstAround(lugar, aoRedor.nome), ilegivel: null, aviso };
}
