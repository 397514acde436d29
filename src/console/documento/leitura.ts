/**
 * The readable view of a document, made from its bytes by the one parser of `fiscal/`. What the layouts of a family
 * have is put in order and named; everything else is shown too, under its own name: nothing of a document is hidden.
 * Runs in a thread of its own (`tarefa.ts`): the bytes are anybody's.
 */
import type { Codificacao } from '../../fiscal/tipos.ts';
import { textOf } from '../../fiscal/xml/decode.ts';
import { treeOf } from '../../fiscal/xml/scan.ts';
import { child, childrenNamed, walk, type XmlElement, type XmlTree } from '../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from './codigos.ts';
import { Espaco } from './espaco.ts';
import { rotuloDe, type TipoDoCampo, tipoDoCampo, tituloDe, valorNormal } from './rotulos.ts';

export interface Campo {
  rotulo: string;
  valor: string;
  tipo: TipoDoCampo;
}

interface Tabela {
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

const CAMPOS_POR_GRUPO = 300;
const LINHAS_POR_TABELA = 200;
const GRUPOS_MAX = 80;
/** Characters of one answer, of groups and of items: a note of 990 items with everything in it has some 600,000. */
const CARACTERES_MAX = 1_000_000;
const HA_MAIS: Campo = {
  rotulo: 'Há mais no XML',
  valor: 'O documento diz mais do que cabe aqui; o XML tem tudo.',
  tipo: 'texto',
};

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
/** Elements that are of no use to people, or are shown by other means. */
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

/** A document that is being read for an answer. */
interface Aberto {
  tree: XmlTree;
  espaco: Espaco;
}

/** Everything that a document says, in groups; its items stand apart (`itensDe`). @param caracteres of all of it */
export function gruposDe(bytes: Uint8Array, codificacao: Codificacao, caracteres = CARACTERES_MAX): Grupo[] {
  const tree = treeOf(bytes);
  const espaco = new Espaco(caracteres);
  if (!tree) return [textoPuro(espaco, bytes, codificacao)];
  const doc = { tree, espaco };
  const anchor = ancoraDe(tree);
  const grupos = new Grupos(espaco);
  const own = camposDiretos(doc, anchor);
  if (own.length > 0) grupos.add({ titulo: 'Dados', campos: own });
  const parts = anchor.children.filter(
    (part) => part.localName !== 'det' && !OMITIDOS.has(part.localName) && part.children.length > 0,
  );
  grupos.addAll(parts, (part) => gruposDoElemento(doc, part, anchor));
  grupos.addAll(foraDaAncora(anchor), (outside) => gruposDoElemento(doc, outside, null));
  return grupos.todos();
}

/** `det` of the document in their order, a page of them. @param input.caracteres of all of it */
export function itensDe(
  bytes: Uint8Array,
  input: { pagina: number; tamanho: number; caracteres?: number },
): { total: number; itens: ItemLegivel[] } {
  const tree = treeOf(bytes);
  if (!tree) return { total: 0, itens: [] };
  const doc = { tree, espaco: new Espaco(input.caracteres ?? CARACTERES_MAX) };
  const all = childrenNamed(ancoraDe(tree), 'det');
  const first = (input.pagina - 1) * input.tamanho;
  return {
    total: all.length,
    itens: all.slice(first, first + input.tamanho).map((det, index) => ({
      numero: Number(det.attributes.find((one) => one.localName === 'nItem')?.value) || first + index + 1,
      campos: camposDe(folhas(doc, det, null)),
    })),
  };
}

function textoPuro(espaco: Espaco, bytes: Uint8Array, codificacao: Codificacao): Grupo {
  const linhas = textOf(bytes, codificacao)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return {
    titulo: 'Texto do arquivo',
    campos: linhas.slice(0, CAMPOS_POR_GRUPO).map((line) => ({
      rotulo: line.split('|')[0]?.slice(0, 20) ?? '',
      valor: espaco.texto(line),
      tipo: 'texto',
    })),
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

/** The children of an element by their names, in document order: found once for all that is asked of them. */
const irmaos = new WeakMap<XmlElement, ReadonlyMap<string, readonly XmlElement[]>>();

function irmaosDe(parent: XmlElement, name: string): readonly XmlElement[] {
  let porNome = irmaos.get(parent);
  if (!porNome) {
    porNome = Map.groupBy(parent.children, ({ localName }) => localName);
    irmaos.set(parent, porNome);
  }
  return porNome.get(name) ?? [];
}

/** An element as a group: its leaves, and a table of what repeats in it. */
function gruposDoElemento(doc: Aberto, element: XmlElement, anchor: XmlElement | null): Grupo[] {
  if (ABERTOS.has(element.localName)) return gruposAbertos(doc, element);
  const titulo = tituloDe(doc.espaco.nome(nomeDeFora(element, anchor)));
  const twins = anchor ? irmaosDe(anchor, element.localName) : [];
  if (twins.length > 1 || (anchor && LINHAS_DE_TABELA.has(element.localName))) {
    // All of them are one table, told where the first one stands.
    return twins[0] === element ? [{ titulo, campos: [], tabela: tabelaDe(doc, twins) }] : [];
  }
  const repeated = repetidos(element);
  const omit = new Set(repeated.flat());
  const campos = camposDe(folhas(doc, element, omit));
  const grupos: Grupo[] = campos.length > 0 ? [{ titulo, campos }] : [];
  for (const rows of repeated.slice(0, GRUPOS_MAX)) {
    if (doc.espaco.cheio) break;
    const name = tituloDe(doc.espaco.nome(rows[0]?.localName ?? '')).toLowerCase();
    grupos.push({ titulo: `${titulo}: ${name}`, campos: [], tabela: tabelaDe(doc, rows) });
  }
  return grupos;
}

/** The authority's answer is called by its own name, not by that of the part that repeats the request. */
function nomeDeFora(element: XmlElement, anchor: XmlElement | null): string {
  const parent = element.parent?.localName ?? '';
  return anchor === null && parent.startsWith('ret') ? parent : element.localName;
}

function gruposAbertos(doc: Aberto, element: XmlElement): Grupo[] {
  const own = camposDiretos(doc, element);
  const grupos: Grupo[] = own.length > 0 ? [{ titulo: tituloDe(element.localName), campos: own }] : [];
  for (const part of element.children) {
    if (part.children.length === 0 || OMITIDOS.has(part.localName)) continue;
    // One more than are shown, so that it is told that there are more.
    if (grupos.length > GRUPOS_MAX || doc.espaco.cheio) break;
    grupos.push(...gruposDoElemento(doc, part, element));
  }
  return grupos;
}

/** Lists inside an element, however deep: siblings of one name, or one of a name that is always a list. */
function repetidos(element: XmlElement): (readonly XmlElement[])[] {
  const lists: (readonly XmlElement[])[] = [];
  for (const next of element.children) {
    if (OMITIDOS.has(next.localName)) continue;
    const twins = irmaosDe(element, next.localName);
    if (twins.length > 1 || (LINHAS_DE_TABELA.has(next.localName) && next.children.length > 0)) {
      if (twins[0] === next) lists.push(twins);
    } else {
      lists.push(...repetidos(next));
    }
  }
  return lists;
}

function tabelaDe(doc: Aberto, rows: readonly XmlElement[]): Tabela {
  const colunas = new Map<string, { rotulo: string; tipo: TipoDoCampo }>();
  const linhas: Map<string, string>[] = [];
  for (const row of rows.slice(0, LINHAS_POR_TABELA)) {
    if (doc.espaco.cheio) break;
    const values = new Map<string, string>();
    const all =
      row.children.length === 0 ? [campoDe(doc, row)] : folhas(doc, row, null).map(({ campo }) => campo);
    for (const { rotulo, valor, tipo } of all) {
      if (!colunas.has(rotulo) && colunas.size < 12) colunas.set(rotulo, { rotulo, tipo });
      if (!values.has(rotulo)) values.set(rotulo, valor);
    }
    linhas.push(values);
  }
  const names = [...colunas.keys()];
  return {
    colunas: [...colunas.values()],
    linhas: linhas.map((values) => names.map((name) => values.get(name) ?? '')),
    total: rows.length,
  };
}

/** Leaves of the anchor itself. */
function camposDiretos(doc: Aberto, anchor: XmlElement): Campo[] {
  const leaves = anchor.children.filter(
    (part) => part.children.length === 0 && !OMITIDOS.has(part.localName),
  );
  const campos = leaves
    .slice(0, CAMPOS_POR_GRUPO)
    .map((part) => campoDe(doc, part))
    .filter((campo) => campo.valor !== '');
  return leaves.length > CAMPOS_POR_GRUPO ? [...campos, HA_MAIS] : campos;
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

/** As many fields as a group has; the last tells where there are more. */
function camposDe(found: readonly Folha[]): Campo[] {
  const campos = distintos(found);
  return campos.length > CAMPOS_POR_GRUPO ? [...campos.slice(0, CAMPOS_POR_GRUPO), HA_MAIS] : campos;
}

/** Leaves below an element, and attributes that say something: all of them, or one more than a group shows. */
function folhas(doc: Aberto, element: XmlElement, omit: ReadonlySet<XmlElement> | null): Folha[] {
  const { espaco } = doc;
  const found: Folha[] = [];
  const add = (campo: Campo, { at, group }: { at: XmlElement | null; group: string | null }) => {
    const rotulo = group && group !== campo.rotulo ? `${campo.rotulo} (${group})` : campo.rotulo;
    const parte = tituloDe(espaco.nome(at?.localName ?? ''));
    found.push({ campo: { ...campo, rotulo }, nome: campo.rotulo, parte });
  };
  const visit = (at: XmlElement, group: string | null) => {
    if (OMITIDOS.has(at.localName) || omit?.has(at)) return;
    if (found.length > CAMPOS_POR_GRUPO || espaco.cheio) return;
    for (const { localName, value } of at.attributes) {
      if (/^(xCampo|nVol|Numero)$/.test(localName))
        add({ rotulo: rotuloDe(localName), valor: espaco.texto(value), tipo: 'texto' }, { at, group: null });
    }
    if (at.children.length === 0) {
      const campo = campoDe(doc, at);
      if (campo.valor !== '') add(campo, { at: at.parent, group });
      return;
    }
    const inside = at === element ? null : nomeDoGrupo(doc, at, element);
    for (const next of at.children) visit(next, inside ?? group);
  };
  visit(element, null);
  return found;
}

/** Groups whose fields would be mistaken for others without them. */
function nomeDoGrupo({ espaco }: Aberto, at: XmlElement, top: XmlElement): string | null {
  const tax = /^(ICMS|IPI|PIS|COFINS|ISSQN|II|IS|IBSCBS|PISST|COFINSST)/.exec(at.localName)?.[1];
  if (tax && !at.localName.endsWith('Tot') && child(at, at.localName) === null)
    return tax.replace('IBSCBS', 'IBS/CBS');
  if (/Tot$|^(ender|Endereco|end|prod$|imposto$|infProt|Identificacao|CpfCnpj)/.test(at.localName))
    return null;
  return at.parent === top ? tituloDe(espaco.nome(at.localName)) : null;
}

function campoDe({ tree, espaco }: Aberto, element: XmlElement): Campo {
  const name = espaco.nome(element.localName);
  const valor = espaco.texto(tree.text(element).trim());
  const palavras = descricaoDoCodigo(name, valor, element.parent?.localName ?? '');
  const normal = valorNormal(name, valor);
  return palavras === null
    ? { rotulo: rotuloDe(name), valor: normal, tipo: tipoDoCampo(name, normal) }
    : { rotulo: rotuloDe(name), valor: `${valor} – ${palavras}`, tipo: 'codigo' };
}

/** Groups as they are shown: those of one title that come from several places are one. */
class Grupos {
  readonly #espaco: Espaco;
  readonly #grupos: Grupo[] = [];
  readonly #porTitulo = new Map<string, Grupo>();
  #haMais = false;

  constructor(espaco: Espaco) {
    this.#espaco = espaco;
  }

  add(grupo: Grupo): void {
    if (grupo.campos.length === 0 && !grupo.tabela) return;
    const twin = grupo.tabela ? undefined : this.#porTitulo.get(grupo.titulo);
    if (twin && twin.campos.length < CAMPOS_POR_GRUPO) twin.campos.push(...grupo.campos);
    else if (twin || this.#grupos.length >= GRUPOS_MAX) this.#haMais = true;
    else {
      this.#grupos.push(grupo);
      if (!grupo.tabela) this.#porTitulo.set(grupo.titulo, grupo);
    }
  }

  /** Elements are made into groups as long as there is room for more. */
  addAll(elements: readonly XmlElement[], make: (element: XmlElement) => Grupo[]): void {
    for (const element of elements) {
      this.#haMais ||= this.#espaco.cheio;
      if (this.#haMais) return;
      for (const grupo of make(element)) this.add(grupo);
    }
  }

  todos(): Grupo[] {
    this.#haMais ||= this.#espaco.cheio;
    return this.#haMais ? [...this.#grupos, { titulo: HA_MAIS.rotulo, campos: [HA_MAIS] }] : this.#grupos;
  }
}
