import { parseChave44 } from './chave.ts';
import { isNamed } from './dfe/reconhecer.ts';
import { type Conhecido, MENSAGENS, NFSE_NACIONAL, NFSE_PAULISTANA, OUTROS_DOCUMENTOS } from './especies.ts';
import { FAMILIAS, type Leitor } from './familias.ts';
import { isNfeEvent } from './nfe/reconhecer.ts';
import { type CodigoRejeicao, type Recusa, rejectAt } from './rejeicoes.ts';
import { ESPECIE, type Especie } from './tipos.ts';
import { attribute, child, textAt, walk, type XmlElement, type XmlTree } from './xml/tree.ts';

/** A document found in a file: the element that is kept, and the reader of its family. */
export type Achado =
  | { tipo: 'lido'; element: XmlElement; ler: Leitor }
  | { tipo: 'recusado'; recusa: Recusa };

/** Documents in one file: 10 MB of small coupons are some 3,000, an attack is millions of empty elements. */
export const PIECES_LIMIT = 5_000;

/** How many elements are looked at to name a message: its name stands near the top. */
const NAMED_WITHIN = 1_000;

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

function eventWithoutAnswer(tree: XmlTree, element: XmlElement): Achado {
  return refuse(tree, element, {
    codigo: 'evento_sem_registro',
    especie: ESPECIE.evento,
    mensagem:
      'O evento é só o pedido: falta o retEvento com a resposta da SEFAZ. Envie o procEventoNFe completo.',
  });
}

function inutilizacaoWithoutAnswer(tree: XmlTree, element: XmlElement): Achado {
  return refuse(tree, element, {
    codigo: 'inutilizacao_sem_registro',
    especie: ESPECIE.inutilizacao,
    mensagem:
      'A inutilização é só o pedido: falta o retInutNFe com a homologação da SEFAZ. Envie o ProcInutNFe completo.',
  });
}

function noteWithoutContent(tree: XmlTree, element: XmlElement): Achado {
  return refuse(tree, element, {
    codigo: 'nfe_sem_infnfe',
    especie: ESPECIE.nfe,
    mensagem: 'O elemento NFe não traz o grupo infNFe, onde está a nota. Envie o XML como o emissor o gerou.',
    missing: 'infNFe',
  });
}

function findKnown(table: readonly Conhecido[], element: XmlElement): Conhecido | undefined {
  return table.find(
    (row) => row.nome.test(element.localName) && (row.namespace?.test(element.namespace) ?? true),
  );
}

/**
 * Recognises one element as a document, a refused one, or nothing (then its children are looked at). What is to be
 * told of it is worked out later, once it is known that the file does not hold too many.
 */
function recognise(tree: XmlTree, element: XmlElement): (() => Achado) | null {
  for (const reconhecer of FAMILIAS) {
    const ler = reconhecer(element);
    if (ler) return () => ({ tipo: 'lido', element, ler });
  }
  if (isNfeEvent(element)) return () => eventWithoutAnswer(tree, element);
  if (isNamed(element, 'inutNFe')) return () => inutilizacaoWithoutAnswer(tree, element);
  const known = findKnown(OUTROS_DOCUMENTOS, element) ?? nfseByContent(element);
  if (known) return () => refuseKnown(tree, element, known);
  // `nfe` in lower case begins messages of some cities.
  return element.localName === 'NFe' ? () => noteWithoutContent(tree, element) : null;
}

function nfseByContent(element: XmlElement): Conhecido | null {
  if (isNamed(element, 'NFSe') && child(element, 'infNFSe')) return NFSE_NACIONAL;
  return isNamed(element, 'NFe') && child(element, 'ChaveNFe') ? NFSE_PAULISTANA : null;
}

/** Names the message or unknown thing that a file without documents is. */
export function nomear(tree: XmlTree): Achado {
  let looked = 0;
  for (const element of walk(tree.root)) {
    if (++looked > NAMED_WITHIN) break;
    // A soap body, and any wrapper that no table knows, is named by what stands in it.
    const known = findKnown(MENSAGENS, element);
    if (known && !isEnvelope(element))
      return refuse(tree, element, { ...known, mensagem: describeAnswer(tree, element, known) });
  }
  const { root } = tree;
  const envelope = findKnown(MENSAGENS, root);
  if (envelope) return refuseKnown(tree, root, envelope);
  const namespace = root.namespace === '' ? 'sem namespace' : `namespace ${root.namespace.slice(0, 120)}`;
  return refuse(tree, root, {
    codigo: 'documento_desconhecido',
    especie: ESPECIE.outro,
    mensagem: `O elemento raiz ${root.localName.slice(0, 60)} (${namespace}) não é de documento fiscal conhecido. Envie o XML da NF-e, da NFC-e, do evento ou da inutilização.`,
  });
}

function isEnvelope(element: XmlElement): boolean {
  return /^(Envelope|Body|\w*(DadosMsg|ResultMsg|Result))$/i.test(element.localName);
}

/** Adds what SEFAZ or the service said, where it said something: it is what a person looks for. */
function describeAnswer(tree: XmlTree, element: XmlElement, known: Conhecido): string {
  const cStat = textAt(tree, element, 'cStat');
  const said =
    textAt(tree, element, 'xMotivo') ??
    textAt(tree, element, 'faultstring') ??
    textAt(tree, element, 'Reason', 'Text');
  const quote = said ? ` Resposta: ${cStat ? `[${cStat.slice(0, 4)}] ` : ''}${said.slice(0, 200)}` : '';
  return describe(known, element) + quote;
}

/**
 * Finds the documents of a file by the elements that anchor them, in whatever they are wrapped (SOAP, `enviNFe`,
 * `nfeProcB2B` …). What stands inside a found document is never looked at as a second one.
 *
 * @returns documents and refused ones in document order; empty when there is none: `nomear` says what the file is.
 * @fonte domain 1.0, 1.1
 */
export function desmontar(tree: XmlTree): Achado[] {
  const found: (() => Achado)[] = [];
  const visit = (element: XmlElement): void => {
    if (found.length > PIECES_LIMIT || element.namespace === XMLDSIG) return;
    const hit = recognise(tree, element);
    if (hit) found.push(hit);
    else element.children.forEach(visit);
  };
  visit(tree.root);
  return found.length > PIECES_LIMIT ? [tooMany(tree)] : found.map((build) => build());
}

function tooMany(tree: XmlTree): Achado {
  return refuse(tree, tree.root, {
    codigo: 'pecas_demais',
    especie: ESPECIE.outro,
    mensagem: `O arquivo traz mais de ${PIECES_LIMIT} documentos; divida-o em arquivos menores.`,
  });
}
