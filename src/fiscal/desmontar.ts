import { parseChave44 } from './chave.ts';
import { isComumEvent } from './comuns/reconhecer.ts';
import { isCteEvent } from './cte/reconhecer.ts';
import { isNamed, isNamedOneOf } from './dfe/reconhecer.ts';
import { isProtocolo, readProtocoloAvulso } from './envelopes/avulso.ts';
import { isListaDeChaves, readListaDeChaves } from './envelopes/lista-de-chaves.ts';
import { readMetade } from './envelopes/metades.ts';
import { commonAncestor, isAnswer, type Pareado, parear } from './envelopes/parear.ts';
import { isResumo, readResumo } from './envelopes/resumo.ts';
import { type Conhecido, MENSAGENS, OUTROS_DOCUMENTOS } from './especies.ts';
import { isConsulta, isConsultaCancelada, parseConsultaCancelada } from './eventos/consulta.ts';
import { FAMILIAS, type Leitor, leitorDe, type Reconhecedor } from './familias.ts';
import { chaveDoPedido } from './inutilizacao/parse.ts';
import { isNfeEvent } from './nfe/reconhecer.ts';
import { nomearNfseDesconhecida } from './nfse/leiautes/nomear.ts';
import { pareceNota } from './nfse/leiautes/parece-nota.ts';
import { falhaDita } from './nfse/resposta.ts';
import { piecesIn, tooManyText } from './pecas.ts';
import { type CodigoRejeicao, type Recusa, rejectAt } from './rejeicoes.ts';
import { tabela } from './tabela.ts';
import {
  type Chave,
  ESPECIE,
  type Especie,
  type MetadeDeEvento,
  type OrigemDoEsperado,
  type ProtocoloAvulso,
} from './tipos.ts';
import type { Falha, Falhas } from './xml/mend.ts';
import { attribute, textAt, walk, type XmlElement, type XmlTree } from './xml/tree.ts';

/** Something found in a file. */
export type Achado =
  /** A document: the element that is kept, and the reader of its family. */
  | { tipo: 'lido'; element: XmlElement; ler: Leitor }
  /** A request whose answer stands elsewhere in the file: `guardar` is kept, the two are read together. */
  | ({ tipo: 'pareado'; pedido: XmlElement; guardar: XmlElement; sozinho: () => Achado } & Pareado)
  /** The key of a document that a summary announces. */
  | { tipo: 'anunciado'; chave: Chave; origem: OrigemDoEsperado; mensagem: string }
  /** Keys of a list, each with the document that it awaits, or refused. */
  | { tipo: 'listado'; chaves: readonly (Chave | Recusa)[] }
  /** Text that is a compressed document (docZip). */
  | { tipo: 'compactado'; element: XmlElement }
  /** An answer about a document that the file does not hold, beside documents that it does. */
  | { tipo: 'avulso'; mensagem: string; protocolos: readonly ProtocoloAvulso[] }
  /** A document, or an answer to one, in which the file is malformed. */
  | { tipo: 'quebrado'; element: XmlElement; ler: Leitor | null; falha: Falha }
  /** `protocolos`: what it brings all the same. */
  | { tipo: 'recusado'; recusa: Recusa; protocolos?: readonly ProtocoloAvulso[]; metade?: MetadeDeEvento };

/**
 * Protocols that one piece brings: an answer to a lot has 50. Of a file with more there are several pieces, for a piece is
 * stored whole, and its documents with it.
 */
const PROTOCOLS_OF_A_PIECE = 100;

/** How many elements are looked at to name a message: its name stands near the top. */
const NAMED_WITHIN = 1_000;

/** `H4sI`, how gzip begins in Base64. */
const GZIP_BASE64 = [0x48, 0x34, 0x73, 0x49] as const;

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** Text for people about an element that is known but not read. */
function describe(known: Conhecido, element: XmlElement): string {
  return `${known.oQueE} (elemento ${element.localName}) ${known.oQueFazer}.`;
}

/** `CTe` + key and its like; the Id of an event (`ID` + code + key + sequence) is none. */
const ID_WITH_KEY = /^(?:NFe|CTe|CFe|MDFe|BPe|NFCom|NF3e|DCe|NFGas|NFAg)([0-9A-Z]{44})$/;

/** A key that stands near the top of a document, to help a person find it: its own, or the one it speaks of. */
function keyInside(tree: XmlTree, element: XmlElement): Recusa['chave'] {
  const near = [element, ...element.children, ...element.children.flatMap((c) => c.children)];
  for (const candidate of near) {
    const fromId = ID_WITH_KEY.exec(attribute(candidate, 'Id') ?? '')?.[1];
    const key = parseChave44(
      fromId ?? textAt(tree, candidate, 'chNFe') ?? textAt(tree, candidate, 'chCTe') ?? '',
    );
    if (key) return key;
  }
  return null;
}

function refuse(
  tree: XmlTree,
  element: XmlElement,
  why: { codigo: CodigoRejeicao; especie: Especie; mensagem: string; missing?: string },
): Achado {
  return {
    tipo: 'recusado',
    recusa: {
      ok: false,
      especie: why.especie,
      chave: keyInside(tree, element),
      rejeicao: rejectAt(why.codigo, why.mensagem, {
        tree,
        element,
        ...(why.missing ? { missing: why.missing } : {}),
      }),
    },
  };
}

function refuseKnown(tree: XmlTree, element: XmlElement, known: Conhecido): Achado {
  return refuse(tree, element, { ...known, mensagem: describe(known, element) });
}

/** A request of its own that has no effect without an answer of SEFAZ. */
interface PedidoSemResposta {
  isOne: (element: XmlElement) => boolean;
  codigo: 'evento_sem_registro' | 'inutilizacao_sem_registro';
  especie: Especie;
  oQueE: string;
  falta: string;
  processado: string;
}

const PEDIDOS: readonly PedidoSemResposta[] = [
  eventRequest(isNfeEvent, { oQueE: 'O evento', falta: 'retEvento', processado: 'procEventoNFe' }),
  eventRequest(isCteEvent, { oQueE: 'O evento de CT-e', falta: 'retEventoCTe', processado: 'procEventoCTe' }),
  eventRequest(isComumEvent, { oQueE: 'O evento', falta: 'retEvento', processado: 'procEvento' }),
  eventRequest((element) => isNamed(element, 'cancNFe'), {
    oQueE: 'O cancelamento (cancNFe)',
    falta: 'retCancNFe',
    processado: 'procCancNFe',
  }),
  inutilizacaoRequest('inutNFe', { oQueE: 'A inutilização', falta: 'retInutNFe', processado: 'ProcInutNFe' }),
  inutilizacaoRequest('inutCTe', {
    oQueE: 'A inutilização de CT-e',
    falta: 'retInutCTe',
    processado: 'procInutCTe',
  }),
];

type Nomes = Pick<PedidoSemResposta, 'oQueE' | 'falta' | 'processado'>;

function eventRequest(isOne: PedidoSemResposta['isOne'], nomes: Nomes): PedidoSemResposta {
  return { isOne, codigo: 'evento_sem_registro', especie: ESPECIE.evento, ...nomes };
}

function inutilizacaoRequest(name: string, nomes: Nomes): PedidoSemResposta {
  const isOne = (element: XmlElement): boolean => isNamed(element, name);
  return { isOne, codigo: 'inutilizacao_sem_registro', especie: ESPECIE.inutilizacao, ...nomes };
}

function withoutAnswer(tree: XmlTree, element: XmlElement, pedido: PedidoSemResposta): Achado {
  const { codigo, especie, oQueE, falta, processado } = pedido;
  const refused = refuse(tree, element, {
    codigo,
    especie,
    mensagem: `${oQueE} é só o pedido: falta o ${falta} com a resposta da SEFAZ. Envie o ${processado} completo.`,
  });
  if (refused.tipo === 'recusado' && especie === ESPECIE.inutilizacao)
    refused.recusa.chave = chaveDoPedido(tree, element);
  return withHalf(refused, readMetade(tree, element));
}

/** What is no event by itself may be half of one. */
function withHalf(achado: Achado, metade: MetadeDeEvento | null): Achado {
  return metade && achado.tipo === 'recusado' ? { ...achado, metade } : achado;
}

function announced(tree: XmlTree, element: XmlElement): Achado {
  const summary = readResumo(tree, element);
  if (!summary.ok) return { tipo: 'recusado', recusa: summary };
  const { chave, origem, mensagem } = summary;
  return { tipo: 'anunciado', chave, origem, mensagem };
}

const LESS_THAN = 0x3c;
const CDATA_LENGTH = '<![CDATA['.length;

/** `docZip`, or any element whose whole text, also in CDATA, begins as gzip does in Base64. */
function isCompressed(tree: XmlTree, element: XmlElement): boolean {
  const { children, contentStart, contentEnd } = element;
  if (children.length > 0 || contentEnd === contentStart) return false;
  if (/docZip$/i.test(element.localName)) return true;
  let at = contentStart;
  while ((tree.bytes[at] ?? 0xff) <= 0x20) at++;
  if (tree.bytes[at] === LESS_THAN) at += CDATA_LENGTH;
  return GZIP_BASE64.every((byte, i) => tree.bytes[at + i] === byte);
}

const CTE_VAZIO = { codigo: 'cte_sem_infcte', grupo: 'infCte' } as const;
const CFE_VAZIO = { codigo: 'cfe_sem_infcfe', grupo: 'infCFe' } as const;

/** Documents without the group that makes them one; in their own case, for `nfe` begins messages of some cities. */
const VAZIOS: Readonly<Record<string, { codigo: CodigoRejeicao; especie: Especie; grupo: string }>> = tabela({
  NFe: { codigo: 'nfe_sem_infnfe', especie: ESPECIE.nfe, grupo: 'infNFe' },
  CTe: { ...CTE_VAZIO, especie: ESPECIE.cte },
  CTeSimp: { ...CTE_VAZIO, especie: ESPECIE.cte },
  CTeOS: { ...CTE_VAZIO, especie: ESPECIE.cteOs },
  GTVe: { ...CTE_VAZIO, especie: ESPECIE.gtve },
  CFe: { ...CFE_VAZIO, especie: ESPECIE.cfe },
  CFeCanc: { ...CFE_VAZIO, especie: ESPECIE.evento },
});

function withoutContent(tree: XmlTree, element: XmlElement): (() => Achado) | null {
  const { localName } = element;
  const vazio = VAZIOS[localName];
  if (!vazio) return null;
  const { codigo, especie, grupo } = vazio;
  const mensagem = `O elemento ${localName} não traz o grupo ${grupo}, onde está o documento. Envie o XML como o emissor o gerou.`;
  return () => refuse(tree, element, { codigo, especie, mensagem, missing: grupo });
}

/** No name in the tables is longer; patterns go through a name again for each part of it that fits them. */
const KNOWN_NAME_MAX = 80;

function findKnown(table: readonly Conhecido[], element: XmlElement): Conhecido | undefined {
  if (element.localName.length > KNOWN_NAME_MAX) return undefined;
  return table.find(
    (row) => row.nome.test(element.localName) && (row.namespace?.test(element.namespace) ?? true),
  );
}

/** A tree, and what is read of it. */
interface Aberto {
  tree: XmlTree;
  familias: readonly Reconhecedor[];
}

/**
 * Recognises one element as a document, a refused one, or nothing (then its children are looked at). What is to be
 * told of it is worked out later, once it is known that the file does not hold too many.
 */
function recognise({ tree, familias }: Aberto, element: XmlElement): (() => Achado) | null {
  const ler = leitorDe(element, familias);
  if (ler) return () => ({ tipo: 'lido', element, ler });
  const pedido = PEDIDOS.find(({ isOne }) => isOne(element));
  if (pedido) return () => withoutAnswer(tree, element, pedido);
  if (isResumo(element)) return () => announced(tree, element);
  if (isListaDeChaves(element)) return () => ({ tipo: 'listado', chaves: readListaDeChaves(tree, element) });
  if (isConsultaCancelada(tree, element))
    return () => ({ tipo: 'lido', element, ler: parseConsultaCancelada });
  if (isCompressed(tree, element)) return () => ({ tipo: 'compactado', element });
  const known = findKnown(OUTROS_DOCUMENTOS, element);
  if (known) return () => refuseKnown(tree, element, known);
  return withoutContent(tree, element);
}

/** Names the message or unknown thing that a file without documents is. */
export function nomear(tree: XmlTree): Achado {
  let looked = 0;
  for (const element of walk(tree.root)) {
    if (++looked > NAMED_WITHIN) break;
    // A soap body, and any wrapper that no table knows, is named by what stands in it.
    const known = findKnown(MENSAGENS, element);
    if (known?.codigo === 'nfse_layout_desconhecido')
      return refuse(tree, element, nomearNfseDesconhecida(tree, element));
    if (known && !isEnvelope(element))
      return refuse(tree, element, { ...known, mensagem: describeAnswer(tree, element, known) });
  }
  const { root } = tree;
  if (pareceNota(tree, root)) return refuse(tree, root, nomearNfseDesconhecida(tree, root));
  const envelope = findKnown(MENSAGENS, root);
  if (envelope) return refuseKnown(tree, root, envelope);
  const namespace = root.namespace === '' ? 'sem namespace' : `namespace ${root.namespace.slice(0, 120)}`;
  return refuse(tree, root, {
    codigo: 'documento_desconhecido',
    especie: ESPECIE.outro,
    mensagem: `O elemento raiz ${root.localName.slice(0, 60)} (${namespace}) não é de documento fiscal conhecido. Envie o XML da NF-e, NFC-e, NFS-e, do CT-e, do CF-e SAT, do evento ou da inutilização.`,
  });
}

function isEnvelope(element: XmlElement): boolean {
  return /^(Envelope|Body|\w*(DadosMsg|ResultMsg|Result))$/i.test(element.localName);
}

/** Adds what SEFAZ, the service or the city said, where it said something: it is what a person looks for. */
function describeAnswer(tree: XmlTree, element: XmlElement, known: Conhecido): string {
  const cStat = textAt(tree, element, 'cStat');
  const said =
    textAt(tree, element, 'xMotivo') ??
    textAt(tree, element, 'faultstring') ??
    textAt(tree, element, 'Reason', 'Text') ??
    falhaDita(tree, element);
  const quote = said
    ? ` Resposta: ${cStat ? `[${cStat.slice(0, 4)}] ` : ''}${said.slice(0, 200).replace(/[^.!?]$/, '$&.')}`
    : '';
  return describe(known, element) + quote;
}

const EVENTOS_AO_LADO: readonly string[] = ['procEventoNFe', 'procCancNFe', 'procEventoCTe'];

/** A registered event among the children of a document's wrapper. By its name alone: every document is asked. */
function isEventBeside(element: XmlElement): boolean {
  return isNamedOneOf(element, EVENTOS_AO_LADO);
}

/**
 * Where more is looked for; not in events for others, or each would be kept with all that stand in it. An answer to a query
 * is found for what its head says, and holds the rest.
 */
function lookedInto(element: XmlElement, isFound: boolean): readonly XmlElement[] {
  if (!isFound || isConsulta(element)) return element.children;
  return isEventBeside(element) ? [] : element.children.filter(isEventBeside);
}

/** Whether an element is something of which a part says nothing: a document, a request, an answer to one. */
function isOneThing(aberto: Aberto, element: XmlElement): boolean {
  return isAnswer(element) || recognise(aberto, element) !== null;
}

/** Elements of a name inside one. */
function namedIn(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((inner) => (inner.localName === name ? [inner] : namedIn(inner, name)));
}

/**
 * Elements of the same name inside one that is not closed where it should be: the next ones. What is read by another reader
 * than the one around it is a part of that, which has its name.
 */
function nextOfItsKind({ familias }: Aberto, element: XmlElement): XmlElement[] {
  const inner = namedIn(element, element.localName);
  const ler = inner.length > 0 ? leitorDe(element, familias) : null;
  return ler === null ? inner : inner.filter((one) => leitorDe(one, familias) === ler);
}

/** Whether an element that holds a fault is a document, or one that is not closed: the next ones stand in it then. */
function isBrokenOne(aberto: Aberto, element: XmlElement): boolean {
  return (
    isOneThing(aberto, element) || nextOfItsKind(aberto, element).some((inner) => isOneThing(aberto, inner))
  );
}

/** An element that says something by itself, and what. */
interface Marco {
  element: XmlElement;
  build: () => Achado;
  /** It holds a fault of a mended file: nothing is read of it. */
  quebrado?: true;
}

/**
 * Finds the documents of a file by the elements that anchor them, in whatever they are wrapped (SOAP, `enviNFe`,
 * `nfeProcB2B` …). What stands inside a found document is never looked at as a second one, but for the registered events
 * that some put beside it into its `nfeProc`. Requests and answers that stand apart are brought together.
 *
 * @param falhas where the tree is that of a mended copy: what holds one of them is found as `quebrado`, and in it only
 * what could be the next of its kind, where its own end is missing
 * @param familias what is read; by default what everybody reads
 * @returns what was found in document order; empty when there is none: `nomear` says what the file is.
 * @fonte docs/regras.md, kinds
 */
export function desmontar(tree: XmlTree, falhas: Falhas | null = null, familias = FAMILIAS): Achado[] {
  const aberto: Aberto = { tree, familias };
  const limit = piecesIn(tree.bytes.length);
  const marcos: Marco[] = [];
  const answers: XmlElement[] = [];
  const visit = (element: XmlElement, inAnswer: boolean): void => {
    if (marcos.length > limit || element.namespace === XMLDSIG) return;
    const falha = falhas?.in(element);
    if (falha && isBrokenOne(aberto, element)) {
      marcos.push(broken(aberto, element, falha));
      for (const inner of nextOfItsKind(aberto, element)) visit(inner, false);
      return;
    }
    // One inside another would be kept with each that it stands in: a hundred times what the file weighs.
    const isOne = !inAnswer && isAnswer(element);
    if (isOne) answers.push(element);
    const build = recognise(aberto, element);
    if (build) marcos.push({ element, build });
    for (const inner of lookedInto(element, build !== null)) visit(inner, inAnswer || isOne);
  };
  visit(tree.root, false);
  // By far the commonest: one document, and nothing to bring together.
  if (marcos.length === 1 && answers.length === 0) return marcos.map(({ build }) => build());
  // In a mended copy what stands beside a fault may be a piece of it.
  if (!falhas) marcos.push(...passedOver(tree, marcos));
  if (marcos.length > limit || answers.length > limit) return [tooMany(tree, limit)];
  marcos.sort((a, b) => a.element.start - b.element.start);
  return withAnswers(tree, { marcos, answers });
}

/**
 * What stands among the documents of a list and looks like a note itself, of a layout that nobody reads: it would be passed
 * over without a word.
 */
function passedOver(tree: XmlTree, marcos: readonly Marco[]): Marco[] {
  const withOne = new Set<XmlElement>();
  const lists = new Map<XmlElement, number>();
  for (const { element } of marcos) {
    const { parent } = element;
    if (parent) lists.set(parent, (lists.get(parent) ?? 0) + 1);
    for (let at: XmlElement | null = element; at && !withOne.has(at); at = at.parent) withOne.add(at);
  }
  return [...lists].flatMap(([list, documents]) => {
    if (documents < 2) return [];
    const others = list.children.filter((child) => !withOne.has(child) && !isAnswer(child));
    return others
      .filter((other) => pareceNota(tree, other))
      .map((element) => ({
        element,
        build: () => refuse(tree, element, nomearNfseDesconhecida(tree, element)),
      }));
  });
}

function broken({ familias }: Aberto, element: XmlElement, falha: Falha): Marco {
  return {
    element,
    quebrado: true,
    build: () => ({ tipo: 'quebrado', element, ler: leitorDe(element, familias), falha }),
  };
}

/** Puts pairs in the place of their requests, and tells of the answers that are left over. */
function withAnswers(tree: XmlTree, found: { marcos: Marco[]; answers: XmlElement[] }): Achado[] {
  const pedidos = found.marcos.filter(({ quebrado }) => !quebrado).map(({ element }) => element);
  const { pares, respondem } = parear(tree, { pedidos, respostas: found.answers });
  const marcos = found.marcos.filter(({ element }) => !respondem.has(element));
  const known = new Set(marcos.map(({ element }) => element));
  const starts = marcos.map(({ element }) => element.start);
  // The answer to an old cancellation says less than the event beside it that says the same: that one comes first.
  const isBareAnswer = ({ element }: Marco): boolean => isNamed(element, 'retCancNFe');
  const inOrder = [...marcos.filter((m) => !isBareAnswer(m)), ...marcos.filter(isBareAnswer)];
  const achados = inOrder.map(({ element, build }): Achado => {
    const pair = pares.get(element);
    if (!pair) return build();
    return {
      tipo: 'pareado',
      pedido: element,
      guardar: kept(element, pair, starts),
      sozinho: build,
      ...pair,
    };
  });
  if (achados.length === 0) return alone(tree, found.answers);
  const left = found.answers.filter((answer) => !respondem.has(answer) && !known.has(answer));
  return [...achados, ...left.map((answer) => leftOver(tree, answer))];
}

/**
 * What is kept of a pair, byte for byte: the smallest element that holds both, where it holds no other document;
 * else the request alone. To keep a whole lot for each of its notes would put the notes of others into each.
 * @param starts of all documents, in their order
 */
function kept(pedido: XmlElement, { resposta }: Pareado, starts: readonly number[]): XmlElement {
  const both = commonAncestor(pedido, resposta);
  const first = firstFrom(starts, both.start);
  return firstFrom(starts, both.end) - first === 1 ? both : pedido;
}

/** How many of these, which grow, are before an offset. */
function firstFrom(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Answers without any document: they are what the file is, and it is named for that, once. Where documents will be the
 * better for some of them, it brings these; else nothing is found in it.
 */
function alone(tree: XmlTree, answers: readonly XmlElement[]): Achado[] {
  const halves = answers.filter((answer) => readMetade(tree, answer) !== null);
  if (halves.length > 0) return answers.map((answer) => leftOver(tree, answer));
  const protocolos = protocolosDe(tree, answers);
  if (protocolos.length === 0) return [];
  const named = nomear(tree);
  if (named.tipo !== 'recusado') return [named];
  const parts: Achado[] = [];
  for (let at = 0; at < protocolos.length; at += PROTOCOLS_OF_A_PIECE)
    parts.push({ ...named, protocolos: protocolos.slice(at, at + PROTOCOLS_OF_A_PIECE) });
  return parts;
}

function protocolosDe(tree: XmlTree, answers: readonly XmlElement[]): ProtocoloAvulso[] {
  return answers.flatMap((answer) => readProtocoloAvulso(tree, answer) ?? []);
}

function leftOver(tree: XmlTree, answer: XmlElement): Achado {
  const chave = keyInside(tree, answer);
  const de = chave ? ` da chave ${chave}` : '';
  if (isProtocolo(answer)) {
    return {
      tipo: 'avulso',
      protocolos: protocolosDe(tree, [answer]),
      mensagem: `Protocolo${de} sem o documento (elemento ${answer.localName}): o documento é o XML com o protocolo (nfeProc, cteProc).`,
    };
  }
  const refused = refuse(tree, answer, {
    codigo: 'mensagem_sem_documento',
    especie: ESPECIE.outro,
    mensagem: `Resposta de evento${de} sem o evento (elemento ${answer.localName}): não traz o evento; envie o procEvento completo.`,
  });
  return withHalf(refused, readMetade(tree, answer));
}

function tooMany(tree: XmlTree, limit: number): Achado {
  return refuse(tree, tree.root, {
    codigo: 'pecas_demais',
    especie: ESPECIE.outro,
    mensagem: tooManyText(limit),
  });
}
