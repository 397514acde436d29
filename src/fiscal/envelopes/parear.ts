/**
 * Requests and their answers that stand apart in one file: a note of an `enviNFe` and its `protNFe` in the
 * `retEnviNFe` beside it, an `evento` and its `retEvento`.
 */
import { COMUNS, nomesDe } from '../comuns/nomes.ts';
import { EVENTOS_COMUNS, type FamiliaDeEventos } from '../eventos/familias.ts';
import { idOf } from '../leitura.ts';
import { child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

interface Par {
  pedido: RegExp;
  resposta: RegExp;
  /** The element that SEFAZ's own layout puts around both. */
  processado: string;
  /** What request and answer have in common; null when it is not there. */
  daPergunta(tree: XmlTree, element: XmlElement): string | null;
  daResposta(tree: XmlTree, element: XmlElement): string | null;
}

function fieldsOf(info: string, names: readonly string[]): Par['daResposta'] {
  return (tree, element) => {
    const values = names.map((name) => textAt(tree, child(element, info), name));
    if (values.some((value) => value === null)) return null;
    // "01" and "1" are one sequence number; keys have no leading zeros to lose, as all have 44 positions.
    return values.map((value) => value?.toUpperCase().replace(/^0+(?=\d)/, '')).join(' ');
  };
}

function keyOfId(info: string): Par['daPergunta'] {
  return (_tree, element) =>
    idOf(child(element, info))
      ?.replace(/^(?:NFe?ABI|NFe|CTe|GTVe|NFCom|NF3e|NFAg|NFGas)/i, '')
      .toUpperCase() ?? null;
}

function documento(pedido: RegExp, info: string, processado: string): Par {
  const isNfe = info === 'infNFe';
  return {
    pedido,
    resposta: isNfe ? /^protNFe$/i : /^protCTe$/i,
    processado,
    daPergunta: keyOfId(info),
    daResposta: fieldsOf('infProt', [isNfe ? 'chNFe' : 'chCTe']),
  };
}

function evento(pedido: RegExp, resposta: RegExp, processado: string, chave: string): Par {
  const identity = fieldsOf('infEvento', [chave, 'tpEvento', 'nSeqEvento']);
  return { pedido, resposta, processado, daPergunta: identity, daResposta: identity };
}

const CANCELAMENTO = fieldsOf('infCanc', ['chNFe']);
const FAIXA = ['cUF', 'CNPJ', 'mod', 'serie'];
const INUTILIZACAO = fieldsOf('infInut', [...FAIXA, 'ano', 'nNFIni', 'nNFFin']);
const INUTILIZACAO_CTE = fieldsOf('infInut', [...FAIXA, 'nCTIni', 'nCTFin']);

/** What is called after the name of its document, as all kinds since NF3e are. */
function comum(nome: string): Par {
  const { protocolo, chave, processado } = nomesDe(nome);
  return {
    pedido: new RegExp(`^${nome}$`, 'i'),
    resposta: new RegExp(`^${protocolo}$`, 'i'),
    processado,
    daPergunta: keyOfId(`inf${nome}`),
    daResposta: fieldsOf('infProt', [chave]),
  };
}

function eventoComum({ evento: pedido, resposta, processado, chave }: FamiliaDeEventos): Par {
  return evento(new RegExp(`^${pedido}$`, 'i'), new RegExp(`^${resposta}$`, 'i'), processado, chave);
}

const DOCUMENTOS: readonly Par[] = [
  documento(/^NFe$/i, 'infNFe', 'nfeProc'),
  documento(/^CTe$/i, 'infCte', 'cteProc'),
  documento(/^CTeOS$/i, 'infCte', 'cteOSProc'),
  documento(/^CTeSimp$/i, 'infCte', 'cteSimpProc'),
  documento(/^GTVe$/i, 'infCte', 'GTVeProc'),
  ...COMUNS.flatMap(({ nomes }) => nomes.map(comum)),
];

/** @fonte docs/regras.md, kinds; XSD leiauteEvento_v1.00 */
const PARES: readonly Par[] = [
  ...DOCUMENTOS,
  evento(/^evento$/i, /^retEvento$/i, 'procEventoNFe', 'chNFe'),
  evento(/^eventoCTe$/i, /^retEventoCTe$/i, 'procEventoCTe', 'chCTe'),
  ...EVENTOS_COMUNS.map(eventoComum),
  {
    pedido: /^cancNFe$/i,
    resposta: /^retCancNFe$/i,
    processado: 'procCancNFe',
    daPergunta: CANCELAMENTO,
    daResposta: CANCELAMENTO,
  },
  {
    pedido: /^inutNFe$/i,
    resposta: /^retInutNFe$/i,
    processado: 'ProcInutNFe',
    daPergunta: INUTILIZACAO,
    daResposta: INUTILIZACAO,
  },
  {
    pedido: /^inutCTe$/i,
    resposta: /^retInutCTe$/i,
    processado: 'procInutCTe',
    daPergunta: INUTILIZACAO_CTE,
    daResposta: INUTILIZACAO_CTE,
  },
];

/** Answers that authorise or register; where one key was answered twice, these count. @fonte cStat of MOC NF-e 7.0 */
const ACEITOS: ReadonlySet<string> = new Set(['100', '101', '102', '135', '136', '150', '151', '155']);

/** Answers of SEFAZ have some KB, signed ones too. They are copied: to each request of their key, and to be kept. */
const RESPOSTA_MAX_BYTES = 16_384;

/** Whether an element is SEFAZ's answer to a request that may stand elsewhere in the file. */
export function isAnswer(element: XmlElement): boolean {
  if (!PARES.some((par) => par.resposta.test(element.localName))) return false;
  return element.end - element.start <= RESPOSTA_MAX_BYTES;
}

/** What SEFAZ's layout puts around a document and its protocol; null of anything that is no bare document. */
export function processadoDe(documento: XmlElement): string | null {
  return DOCUMENTOS.find(({ pedido }) => pedido.test(documento.localName))?.processado ?? null;
}

export interface Pareado {
  resposta: XmlElement;
  processado: string;
}

function isAccepted(tree: XmlTree, answer: XmlElement): boolean {
  return answer.children.some((info) => ACEITOS.has(textAt(tree, info, 'cStat') ?? ''));
}

interface Pareamento {
  /** For the requests that were answered, their answer. */
  pares: Map<XmlElement, Pareado>;
  /** All answers to those requests, also those that do not count. */
  respondem: ReadonlySet<XmlElement>;
}

interface Respostas {
  processado: string;
  /** The one that counts. */
  melhor: XmlElement;
  todas: XmlElement[];
}

function groupAnswers(tree: XmlTree, respostas: readonly XmlElement[]): Map<string, Respostas> {
  const groups = new Map<string, Respostas>();
  for (const par of PARES) {
    const { processado } = par;
    for (const resposta of respostas) {
      const id = par.resposta.test(resposta.localName) ? par.daResposta(tree, resposta) : null;
      if (id === null) continue;
      const known = groups.get(`${processado} ${id}`);
      if (!known) groups.set(`${processado} ${id}`, { processado, melhor: resposta, todas: [resposta] });
      else {
        known.todas.push(resposta);
        if (!isAccepted(tree, known.melhor) && isAccepted(tree, resposta)) known.melhor = resposta;
      }
    }
  }
  return groups;
}

/**
 * Finds the answer to each request.
 * @param input.pedidos bare requests, `input.respostas` answers that no request has beside it
 */
export function parear(
  tree: XmlTree,
  input: { pedidos: readonly XmlElement[]; respostas: readonly XmlElement[] },
): Pareamento {
  const pares: Pareamento['pares'] = new Map();
  const respondem = new Set<XmlElement>();
  if (input.respostas.length === 0) return { pares, respondem };
  const groups = groupAnswers(tree, input.respostas);
  for (const pedido of input.pedidos) {
    const par = PARES.find((row) => row.pedido.test(pedido.localName));
    const id = par?.daPergunta(tree, pedido) ?? null;
    const group = par && id !== null ? groups.get(`${par.processado} ${id}`) : undefined;
    if (!group) continue;
    pares.set(pedido, { resposta: group.melhor, processado: group.processado });
    for (const resposta of group.todas) respondem.add(resposta);
  }
  return { pares, respondem };
}

/** The smallest element that holds both. */
export function commonAncestor(a: XmlElement, b: XmlElement): XmlElement {
  let current = a;
  while (current.parent && !(current.start <= b.start && b.end <= current.end)) current = current.parent;
  return current;
}
