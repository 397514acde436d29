/**
 * The readable view of a document, made from its bytes by the one parser of `fiscal/`. What the layouts of a family
 * have is put in order and named; everything else is shown too, under its own name: nothing of a document is hidden.
 * Runs in a thread of its own (`tarefa.ts`): the bytes are anybody's.
 */
import type { Codificacao } from '../../fiscal/tipos.ts';
import { decodeXml, textOf } from '../../fiscal/xml/decode.ts';
import { scanXml } from '../../fiscal/xml/scan.ts';
import { child, childrenNamed, walk, type XmlElement, type XmlTree } from '../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from './codigos.ts';
import { rotuloDe, type TipoDoCampo, tipoDoCampo, tituloDe } from './rotulos.ts';

export interface Campo {
  rotulo: string;
  valor: string;
  tipo: TipoDoCampo;
}

export interface Tabela {
  colunas: { rotulo: string; tipo: TipoDoCampo }[];
  linhas: string[][];
  /** Rows that the document has; the first of them are here. */
  total: number;
}

export interface Grupo {
  titulo: string;
  campos: Campo[];
  tabela?: Tabela;
}

export interface ItemLegivel {
  numero: number;
  campos: Campo[];
}

/** Longer texts are cut on the screen; the XML has them whole. */
const TEXTO_MAX = 5_000;
const CAMPOS_POR_GRUPO = 300;
const LINHAS_POR_TABELA = 200;
const GRUPOS_MAX = 80;

/** Elements that carry the document's own data, the first that is found; around it stand envelope, protocol, signature. */
const ANCORAS = [
  'infNFe',
  'infCte',
  'infCTe',
  'infCFe',
  'infNFSe',
  'InfNfse',
  'infEvento',
  'infInut',
  'infCanc',
] as const;
/** Of no use to people, and shown by other means. */
const OMITIDOS = new Set(['Signature', 'PAASignature', 'signAC', 'assinaturaQRCODE']);
/** Elements that hold a document of their own: each of their parts is a group. */
const ABERTOS = new Set([
  'DPS',
  'infDPS',
  'DeclaracaoPrestacaoServico',
  'InfDeclaracaoPrestacaoServico',
  'infCTeNorm',
]);
/** Elements that stand for one row each, where there are several. */
const LINHAS_DE_TABELA = new Set([
  'dup',
  'detPag',
  'MP',
  'vol',
  'obsCont',
  'obsFisco',
  'autXML',
  'Comp',
  'infQ',
  'infNFe',
  'infNF',
  'infOutros',
  'NFref',
  'infCorrecao',
  'procRef',
  'lacres',
]);

/** The tree of kept bytes, or null for what is no XML (a note in TXT layout). */
export function arvoreDe(bytes: Uint8Array): XmlTree | null {
  const decoded = decodeXml(bytes);
  if ('rejeicao' in decoded) return null;
  const scanned = scanXml(decoded.bytes);
  return scanned.ok ? scanned.tree : null;
}

/** Everything that a document says, in groups; its items stand apart (`itensDe`). */
export function gruposDe(bytes: Uint8Array, codificacao: Codificacao): Grupo[] {
  const tree = arvoreDe(bytes);
  if (!tree) return [textoPuro(bytes, codificacao)];
  const anchor = ancoraDe(tree);
  const grupos: Grupo[] = [];
  const own = camposDiretos(tree, anchor);
  if (own.length > 0) grupos.push({ titulo: 'Dados', campos: own });
  for (const part of anchor.children) {
    if (part.localName === 'det' || OMITIDOS.has(part.localName) || part.children.length === 0) continue;
    grupos.push(...gruposDoElemento(tree, part, anchor));
  }
  for (const outside of foraDaAncora(anchor)) grupos.push(...gruposDoElemento(tree, outside, null));
  return juntar(grupos).slice(0, GRUPOS_MAX);
}

/** `det` of the document in their order, a page of them. */
export function itensDe(
  bytes: Uint8Array,
  input: { pagina: number; tamanho: number },
): { total: number; itens: ItemLegivel[] } {
  const tree = arvoreDe(bytes);
  if (!tree) return { total: 0, itens: [] };
  const all = childrenNamed(ancoraDe(tree), 'det');
  const first = (input.pagina - 1) * input.tamanho;
  return {
    total: all.length,
    itens: all.slice(first, first + input.tamanho).map((det, index) => ({
      numero: Number(det.attributes.find((one) => one.localName === 'nItem')?.value) || first + index + 1,
      campos: distintos(folhas(tree, det, null)).slice(0, CAMPOS_POR_GRUPO),
    })),
  };
}

export interface Diferenca {
  campo: string;
  elemento: string;
  servida: string | null;
  outra: string | null;
}

const DIFERENCAS_MAX = 200;

/** What two versions of a document say differently, element by element. */
export function diferencas(servida: Uint8Array, outra: Uint8Array): Diferenca[] {
  const [a, b] = [valoresDe(servida), valoresDe(outra)];
  const found: Diferenca[] = [];
  for (const elemento of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(elemento) ?? null, b.get(elemento) ?? null];
    if (left === right) continue;
    const name =
      elemento
        .split('/')
        .at(-1)
        ?.replace(/\[\d+\]$/, '') ?? '';
    found.push({ campo: rotuloDe(name), elemento, servida: left, outra: right });
    if (found.length === DIFERENCAS_MAX) break;
  }
  return found;
}

function valoresDe(bytes: Uint8Array): Map<string, string> {
  const tree = arvoreDe(bytes);
  const found = new Map<string, string>();
  if (!tree) return found;
  const visit = (element: XmlElement, path: string) => {
    if (element.localName === 'Signature') return;
    const counts = new Map<string, number>();
    for (const next of element.children) {
      const nth = (counts.get(next.localName) ?? 0) + 1;
      counts.set(next.localName, nth);
      visit(next, `${path}/${next.localName}${nth > 1 ? `[${nth}]` : ''}`);
    }
    if (element.children.length === 0) found.set(path, cut(tree.text(element).trim()));
  };
  visit(tree.root, tree.root.localName);
  return found;
}

function textoPuro(bytes: Uint8Array, codificacao: Codificacao): Grupo {
  const linhas = textOf(bytes, codificacao)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return {
    titulo: 'Texto do arquivo',
    campos: linhas
      .slice(0, CAMPOS_POR_GRUPO)
      .map((line) => ({ rotulo: line.split('|')[0]?.slice(0, 20) ?? '', valor: cut(line), tipo: 'texto' })),
  };
}

/** The element that holds the document's own data; the root where none is known. */
export function ancoraDe(tree: XmlTree): XmlElement {
  for (const element of walk(tree.root)) {
    if ((ANCORAS as readonly string[]).includes(element.localName)) return element;
  }
  return tree.root;
}

/** Siblings of the anchor and of its ancestors: protocol, answer, supplement. */
function foraDaAncora(anchor: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  for (let at: XmlElement | null = anchor; at?.parent; at = at.parent) {
    for (const sibling of at.parent.children) {
      if (sibling !== at && !OMITIDOS.has(sibling.localName)) found.push(sibling);
    }
  }
  return found.map(opened).filter((element) => element !== null);
}

/** `protNFe` → `infProt`: an envelope of a single part is not worth a group. */
function opened(element: XmlElement): XmlElement | null {
  let at = element;
  for (;;) {
    const parts = at.children.filter((part) => !OMITIDOS.has(part.localName));
    const [only] = parts;
    if (parts.length !== 1 || !only || only.children.length === 0)
      return at.children.length === 0 ? null : at;
    at = only;
  }
}

/** An element as a group: its leaves, and a table of what repeats in it. */
function gruposDoElemento(tree: XmlTree, element: XmlElement, anchor: XmlElement | null): Grupo[] {
  if (ABERTOS.has(element.localName)) return gruposAbertos(tree, element);
  const titulo = tituloDe(nomeDeFora(element, anchor));
  const twins = anchor ? childrenNamed(anchor, element.localName) : [];
  if (twins.length > 1 || (anchor && LINHAS_DE_TABELA.has(element.localName))) {
    // All of them are one table, told where the first one stands.
    return twins[0] === element ? [{ titulo, campos: [], tabela: tabelaDe(tree, twins) }] : [];
  }
  const repeated = repetidos(element);
  const omit = new Set(repeated.flat());
  const campos = distintos(folhas(tree, element, omit)).slice(0, CAMPOS_POR_GRUPO);
  const grupos: Grupo[] = campos.length > 0 ? [{ titulo, campos }] : [];
  for (const rows of repeated) {
    const name = rows[0]?.localName ?? '';
    grupos.push({
      titulo: `${titulo}: ${tituloDe(name).toLowerCase()}`,
      campos: [],
      tabela: tabelaDe(tree, rows),
    });
  }
  return grupos;
}

/** The authority's answer is called by its own name, not by that of the part that repeats the request. */
function nomeDeFora(element: XmlElement, anchor: XmlElement | null): string {
  const parent = element.parent?.localName ?? '';
  return anchor === null && parent.startsWith('ret') ? parent : element.localName;
}

function gruposAbertos(tree: XmlTree, element: XmlElement): Grupo[] {
  const own = camposDiretos(tree, element);
  const grupos: Grupo[] = own.length > 0 ? [{ titulo: tituloDe(element.localName), campos: own }] : [];
  for (const part of element.children) {
    if (part.children.length === 0 || OMITIDOS.has(part.localName)) continue;
    grupos.push(...gruposDoElemento(tree, part, element));
  }
  return grupos;
}

/** Lists inside an element, however deep: siblings of one name, or one of a name that is always a list. */
function repetidos(element: XmlElement): XmlElement[][] {
  const lists: XmlElement[][] = [];
  for (const next of element.children) {
    if (OMITIDOS.has(next.localName)) continue;
    const twins = childrenNamed(element, next.localName);
    if (twins.length > 1 || (LINHAS_DE_TABELA.has(next.localName) && next.children.length > 0)) {
      if (twins[0] === next) lists.push(twins);
    } else {
      lists.push(...repetidos(next));
    }
  }
  return lists;
}

function tabelaDe(tree: XmlTree, rows: readonly XmlElement[]): Tabela {
  const colunas = new Map<string, { rotulo: string; tipo: TipoDoCampo }>();
  const linhas = rows.slice(0, LINHAS_POR_TABELA).map((row) => {
    const values = new Map<string, string>();
    const all =
      row.children.length === 0 ? [campoDe(tree, row)] : folhas(tree, row, null).map(({ campo }) => campo);
    for (const { rotulo, valor, tipo } of all) {
      if (!colunas.has(rotulo) && colunas.size < 12) colunas.set(rotulo, { rotulo, tipo });
      if (!values.has(rotulo)) values.set(rotulo, valor);
    }
    return values;
  });
  const names = [...colunas.keys()];
  return {
    colunas: [...colunas.values()],
    linhas: linhas.map((values) => names.map((name) => values.get(name) ?? '')),
    total: rows.length,
  };
}

/** Leaves of the anchor itself. */
function camposDiretos(tree: XmlTree, anchor: XmlElement): Campo[] {
  return anchor.children
    .filter((part) => part.children.length === 0 && !OMITIDOS.has(part.localName))
    .map((part) => campoDe(tree, part))
    .filter((campo) => campo.valor !== '');
}

interface Folha {
  campo: Campo;
  /** Label without the group's name, and title of the element that holds it. */
  nome: string;
  parte: string;
}

/** Fields of one label are told apart by the part that they stand in: the deferral of IBS and that of CBS. */
function distintos(found: readonly Folha[]): Campo[] {
  const partes = new Map<string, Set<string>>();
  for (const { campo, parte } of found)
    partes.set(campo.rotulo, (partes.get(campo.rotulo) ?? new Set()).add(parte));
  return found.map(({ campo, nome, parte }) =>
    (partes.get(campo.rotulo)?.size ?? 0) > 1 ? { ...campo, rotulo: `${nome} (${parte})` } : campo,
  );
}

/** Every leaf below an element, and attributes that say something. */
function folhas(tree: XmlTree, element: XmlElement, omit: ReadonlySet<XmlElement> | null): Folha[] {
  const found: Folha[] = [];
  const add = (campo: Campo, { at, group }: { at: XmlElement | null; group: string | null }) => {
    const rotulo = group && group !== campo.rotulo ? `${campo.rotulo} (${group})` : campo.rotulo;
    found.push({ campo: { ...campo, rotulo }, nome: campo.rotulo, parte: tituloDe(at?.localName ?? '') });
  };
  const visit = (at: XmlElement, group: string | null) => {
    if (OMITIDOS.has(at.localName) || omit?.has(at) || found.length > CAMPOS_POR_GRUPO) return;
    for (const { localName, value } of at.attributes) {
      if (/^(xCampo|nVol|Numero)$/.test(localName))
        add({ rotulo: rotuloDe(localName), valor: cut(value), tipo: 'texto' }, { at, group: null });
    }
    if (at.children.length === 0) {
      const campo = campoDe(tree, at);
      if (campo.valor !== '') add(campo, { at: at.parent, group });
      return;
    }
    const inside = at === element ? null : nomeDoGrupo(at, element);
    for (const next of at.children) visit(next, inside ?? group);
  };
  visit(element, null);
  return found;
}

/** Groups whose fields would be mistaken for others without them. */
function nomeDoGrupo(at: XmlElement, top: XmlElement): string | null {
  const tax = /^(ICMS|IPI|PIS|COFINS|ISSQN|II|IS|IBSCBS|PISST|COFINSST)/.exec(at.localName)?.[1];
  if (tax && !at.localName.endsWith('Tot') && child(at, at.localName) === null)
    return tax.replace('IBSCBS', 'IBS/CBS');
  if (/Tot$|^(ender|Endereco|end|prod$|imposto$|infProt|Identificacao|CpfCnpj)/.test(at.localName))
    return null;
  return at.parent === top ? tituloDe(at.localName) : null;
}

function campoDe(tree: XmlTree, element: XmlElement): Campo {
  const name = element.localName;
  const valor = cut(tree.text(element).trim());
  const palavras = descricaoDoCodigo(name, valor, element.parent?.localName ?? '');
  return palavras === null
    ? { rotulo: rotuloDe(name), valor, tipo: tipoDoCampo(name, valor) }
    : { rotulo: rotuloDe(name), valor: `${valor} – ${palavras}`, tipo: 'codigo' };
}

/** Groups of one title that come from several places are one. */
function juntar(grupos: readonly Grupo[]): Grupo[] {
  const found: Grupo[] = [];
  for (const grupo of grupos) {
    const twin = found.find((one) => one.titulo === grupo.titulo && !one.tabela && !grupo.tabela);
    if (twin) twin.campos.push(...grupo.campos);
    else found.push(grupo);
  }
  return found.filter((grupo) => grupo.campos.length > 0 || grupo.tabela);
}

const cut = (text: string) => (text.length > TEXTO_MAX ? `${text.slice(0, TEXTO_MAX)}…` : text);
