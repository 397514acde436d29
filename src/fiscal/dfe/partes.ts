import { parseChave44, withoutLeadingZeros } from '../chave.ts';
import {
  allNamed,
  type Contexto,
  comAmbiente,
  idOf,
  invalidChaveText,
  readProtocolo,
  refuseAt,
  refuseRepeated,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { statusDoProtocolo } from '../status.ts';
import { type Chave, type Documento, type Protocolo, STATUS_DOCUMENTO } from '../tipos.ts';
import { child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { isNamed } from './reconhecer.ts';

/** What the families with a protocol of SEFAZ (NF-e and NFC-e, CT-e and its kin) call the same things. */
export interface NomesDoDfe {
  /** As people say it. */
  sigla: string;
  namespace: string;
  /** Elements that are the document; the first is the literal of its Id. */
  documentos: readonly [string, ...string[]];
  /** The signed group. */
  inf: string;
  protocolo: string;
  /** Key in the protocol. */
  chave: string;
  numero: string;
  /** Random code of the key. */
  codigo: string;
  /** What to send instead, by the names of its elements. */
  processado: string;
  procEvento: string;
  /** Layouts that were ever in production. */
  layouts: readonly string[];
}

/** The parts of a document that the rules look at. */
export interface PartesDoDfe {
  nomes: NomesDoDfe;
  tree: XmlTree;
  /** The kept element: the wrapper with its protocol, or the bare document. */
  root: XmlElement;
  documento: XmlElement;
  inf: XmlElement;
  ide: XmlElement | null;
  emit: XmlElement | null;
  /** The answer that counts. */
  infProt: XmlElement | null;
  protocolo: Protocolo | null;
  /** The state gave the note out with number and time of its protocol, and without the rest of it. */
  baixada: boolean;
  /** How many answers there are; only the one that counts is read. */
  respostas: number;
}

function isDocument(nomes: NomesDoDfe, element: XmlElement): boolean {
  return nomes.documentos.some((name) => isNamed(element, name));
}

/** Answers beside the document, in whatever they stand there (`retConsReciNFe`): some systems close the protocol early. */
function answersBeside(root: XmlElement, documento: XmlElement): XmlElement[] {
  if (documento === root) return [];
  return allNamed(root, 'infProt').filter(({ start }) => start < documento.start || start >= documento.end);
}

/** Where one document was answered more than once, what SEFAZ said last of it counts: nothing undoes a cancellation. */
const ORDEM: readonly (Documento['statusProtocolo'] | null)[] = [
  STATUS_DOCUMENTO.cancelada,
  STATUS_DOCUMENTO.denegada,
  STATUS_DOCUMENTO.autorizada,
  STATUS_DOCUMENTO.pendente,
  null,
];

/** The answer that counts: one that speaks of this very document before one of another, then as {@link ORDEM} has them. */
function findInfProt(
  nomes: NomesDoDfe,
  tree: XmlTree,
  input: { answers: readonly XmlElement[]; inf: XmlElement },
): XmlElement | null {
  const { answers, inf } = input;
  if (answers.length < 2) return answers[0] ?? null;
  const key = withoutLiteral(idOf(inf) ?? '', nomes.documentos[0]).toUpperCase();
  const ambiente = textAt(tree, child(inf, 'ide'), 'tpAmb');
  const rank = (answer: XmlElement): number => {
    const said = textAt(tree, answer, nomes.chave)?.toUpperCase() ?? null;
    const foreign =
      (said !== null && said !== key) || (ambiente === '1' && textAt(tree, answer, 'tpAmb') === '2');
    return Number(foreign) * ORDEM.length + ORDEM.indexOf(statusDoProtocolo(textAt(tree, answer, 'cStat')));
  };
  return answers.reduce((best, next) => (rank(next) < rank(best) ? next : best));
}

/** What SEFAZ-SP's download of NFC-e says of the authorisation: `dhInc` and `nProt` in the `nfeProc`, without a `protNFe`. */
function readBaixada(tree: XmlTree, root: XmlElement): Protocolo | null {
  const nProt = textAt(tree, root, 'nProt');
  if (nProt === null || !N_PROT.test(nProt)) return null;
  return { cStat: AUTORIZADO, xMotivo: null, nProt, dhRecbto: textAt(tree, root, 'dhInc'), digVal: null };
}

/** 15 digits, and since July of 2025 up to 17. @fonte leiauteNFe_v4.00.xsd, TProt */
export const N_PROT = /^\d{15,17}$/;
/** @fonte MOC 7.0, resultado do processamento da solicitação */
const AUTORIZADO = '100';

/** Null when there is no signed group where it belongs. */
export function takeApart(nomes: NomesDoDfe, tree: XmlTree, root: XmlElement): PartesDoDfe | null {
  const documento = child(root, nomes.inf) ? root : (root.children.find((c) => isDocument(nomes, c)) ?? null);
  const inf = child(documento, nomes.inf);
  if (!documento || !inf) return null;
  const answers = answersBeside(root, documento);
  const infProt = findInfProt(nomes, tree, { answers, inf });
  const baixada = infProt || documento === root ? null : readBaixada(tree, root);
  const ide = child(inf, 'ide');
  return {
    nomes,
    tree,
    root,
    documento,
    inf,
    ide,
    emit: child(inf, 'emit'),
    infProt,
    protocolo: infProt
      ? comAmbiente(tree, readProtocolo(tree, infProt, { recebimento: 'dhRecbto' }), {
          asked: ide,
          answer: infProt,
        })
      : baixada,
    baixada: baixada !== null,
    respostas: answers.length,
  };
}

/** What could be read in two ways is refused before anything is read. */
export function judgeStructure(context: Contexto, parts: PartesDoDfe): Recusa | null {
  const { nomes, root, documento, inf } = parts;
  const documents = root.children.filter((c) => isDocument(nomes, c));
  return (
    (documento === root ? null : refuseRepeated(context, documents)) ??
    refuseRepeated(context, allNamed(root, nomes.inf)) ??
    refuseRepeated(context, childrenNamed(inf, 'ide')) ??
    refuseRepeated(context, childrenNamed(inf, 'emit'))
  );
}

/** Whether the Id is a key. @param id the Id without its literal (`NFe`, `CTe`); empty when there is none */
function judgeChave(
  context: Contexto,
  inf: XmlElement,
  id: string,
): { ok: true; chave: Chave; avisos: string[] } | Recusa {
  if (id === '') {
    return refuseAt(
      context,
      'chave_ausente',
      `O elemento ${inf.localName} não tem o atributo Id com a chave de acesso. Envie o XML assinado, como a SEFAZ o autorizou.`,
      { element: inf },
    );
  }
  const chave = parseChave44(id);
  return chave
    ? { ok: true, chave, avisos: [] }
    : refuseAt(context, 'chave_invalida', invalidChaveText(id), { element: inf });
}

/** Key from the Id, with its literal (`NFe`, `CTe`) or, from some systems, without; else from the protocol. */
export function readChave(
  context: Contexto,
  parts: PartesDoDfe,
): { ok: true; chave: Chave; avisos: string[] } | Recusa {
  const { nomes, tree, inf, infProt } = parts;
  const [literal] = nomes.documentos;
  const id = withoutLiteral(idOf(inf) ?? '', literal);
  const fromProtocol = parseChave44((infProt && textAt(tree, infProt, nomes.chave)) ?? '');
  if (id === '' && fromProtocol) {
    return {
      ok: true,
      chave: fromProtocol,
      avisos: [`O ${nomes.inf} veio sem o atributo Id; a chave foi lida do protocolo.`],
    };
  }
  return judgeChave(context, inf, id);
}

function withoutLiteral(id: string, literal: string): string {
  const start = id.slice(0, literal.length);
  return start === literal || start.toLowerCase() === literal.toLowerCase() ? id.slice(literal.length) : id;
}

/** The text where it has the form asked for. */
export function matching(text: string | null, pattern: RegExp): string | null {
  return text !== null && pattern.test(text) ? text : null;
}

/** An amount of money as the layouts write it. */
export const DECIMAL = /^\d{1,15}(?:\.\d{1,10})?$/;

/** CFOP of an entry (1, 2, 3) or an exit (5, 6, 7). */
export const CFOP = /^[1-7]\d{3}$/;

/** A number of ide without leading zeros; the key's own where ide says none or nonsense. */
export function readNumber(parts: Pick<PartesDoDfe, 'tree' | 'ide'>, name: string, fromKey: string): string {
  return withoutLeadingZeros(matching(textAt(parts.tree, parts.ide, name), /^\d{1,9}$/) ?? fromKey);
}

/** The digest that the signature of a document vouches for; null without one. */
export function signedDigest({ tree, documento }: Pick<PartesDoDfe, 'tree' | 'documento'>): string | null {
  return textAt(tree, documento, 'Signature', 'SignedInfo', 'Reference', 'DigestValue');
}
