import { parseChave44, withoutLeadingZeros } from '../chave.ts';
import {
  allNamed,
  type Contexto,
  idOf,
  invalidChaveText,
  readProtocolo,
  refuseAt,
  refuseRepeated,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Chave, Protocolo } from '../tipos.ts';
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
  infProt: XmlElement | null;
  protocolo: Protocolo | null;
}

function isDocument(nomes: NomesDoDfe, element: XmlElement): boolean {
  return nomes.documentos.some((name) => isNamed(element, name));
}

/** Some systems close the protocol early and put infProt behind it. */
function findInfProt(nomes: NomesDoDfe, root: XmlElement): XmlElement | null {
  const wrapper = root.children.find((c) => isNamed(c, nomes.protocolo));
  return child(wrapper, 'infProt') ?? child(root, 'infProt');
}

/** Null when there is no signed group where it belongs. */
export function takeApart(nomes: NomesDoDfe, tree: XmlTree, root: XmlElement): PartesDoDfe | null {
  const documento = child(root, nomes.inf) ? root : (root.children.find((c) => isDocument(nomes, c)) ?? null);
  const inf = child(documento, nomes.inf);
  if (!documento || !inf) return null;
  const infProt = documento === root ? null : findInfProt(nomes, root);
  return {
    nomes,
    tree,
    root,
    documento,
    inf,
    ide: child(inf, 'ide'),
    emit: child(inf, 'emit'),
    infProt,
    protocolo: infProt ? readProtocolo(tree, infProt, { recebimento: 'dhRecbto' }) : null,
  };
}

/** What could be read in two ways is refused before anything is read. */
export function judgeStructure(context: Contexto, parts: PartesDoDfe): Recusa | null {
  const { nomes, root, documento, inf } = parts;
  const documents = root.children.filter((c) => isDocument(nomes, c));
  const protocols = root.children.filter((c) => isNamed(c, nomes.protocolo));
  return (
    (documento === root
      ? null
      : (refuseRepeated(context, documents) ??
        refuseRepeated(context, protocols) ??
        refuseRepeated(context, allNamed(root, 'infProt')))) ??
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
