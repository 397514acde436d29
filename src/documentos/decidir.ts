/**
 * What happens to a piece whose document the office may know already. Pure: it sees the versions that are kept
 * and says which outcome it is and which version is served from now on.
 *
 * A document stands in one of two states: it has only versions without protocol (`Pendente`), or one with. The
 * first version with protocol is served for good; others with another content are kept beside it. Among copies of
 * one content, an intact one takes the place of one whose signature does not verify. What is neither signed nor
 * authorised (an NF-e in TXT, an XML before its signature) is a draft: it contends with nothing, and the document
 * that came of it takes its place.
 * A note of NFS-e may be there as its city writes it and as the national system does, under the national key: these are two
 * forms of one document, whose digests cannot be compared.
 * A copy that tells more of the document's fate takes the place of one that does not know of it yet: its authorisation
 * that of a note that only waits for it (EPEC), its cancellation that of both; but never one that was altered after signing
 * that of an intact one.
 */
import { type Documento, STATUS_DOCUMENTO, type VeredictoAssinatura } from '../fiscal/tipos.ts';

export interface Versao {
  /** Of the bytes, hex. */
  sha256: string;
  /** Of the signed content, Base64. */
  digest: string;
  protocolado: boolean;
  /** Number of the authority's answer, null without. */
  nProt: string | null;
  integra: boolean;
  /** It carries a signature, whether that verifies or not. */
  assinada: boolean;
  /** It is an NFS-e in the national layout; known of the served version only. */
  nacional: boolean;
  /** What its own protocol says of the document, by precedence (known of the served version only). 0 of events. */
  posto: number;
  servida: boolean;
}

export type Decisao =
  /** Nothing is stored. */
  | { kind: 'duplicado' }
  /** Another content under the same key that is kept already and not the one served. */
  | { kind: 'conflito_conhecido' }
  /** Stored and served; the visible document changes. */
  | { kind: 'atualizado' }
  /** Stored; `serve` says whether it is served from now on. */
  | { kind: 'conflito'; serve: boolean };

/** What was decided of a piece; `novo` when its document was unknown, `demais` when there are as many of its kind as are kept. */
export type DecisaoDaPeca = Decisao | { kind: 'novo' } | { kind: 'demais' };

/** Whatever stands further behind cannot be undone by what stands before it. @fonte domain 5.2 */
const PRECEDENCIA: readonly Documento['statusProtocolo'][] = [
  STATUS_DOCUMENTO.pendente,
  STATUS_DOCUMENTO.autorizada,
  STATUS_DOCUMENTO.denegada,
  STATUS_DOCUMENTO.cancelada,
];

/** @param status of a document by its protocol */
export function postoDe(status: Documento['statusProtocolo']): number {
  return PRECEDENCIA.indexOf(status);
}

/** A piece as the decision looks at it: a version that nobody serves yet. */
export function paraVersao(input: {
  sha256: string;
  digest: string;
  protocolado: boolean;
  nProt: string | null;
  assinatura: VeredictoAssinatura['resultado'];
  nacional: boolean;
  posto: number;
}): Versao {
  const { sha256, digest, protocolado, nProt, assinatura, nacional, posto } = input;
  const assinada = assinatura !== 'sem_assinatura';
  const integra = assinatura === 'integra';
  return { sha256, digest, protocolado, nProt, integra, assinada, nacional, posto, servida: false };
}

/**
 * @param input.porProtocolo for events and inutilizações: two copies with the same protocol number are the same,
 *   since the answer alone and the answer with its request have different bytes and digests
 * @param input.temRascunho for families whose documents are always signed in the end: those with a 44-position key
 * @fonte contract 4; domain 9.2
 */
export function decidir(input: {
  conhecidas: readonly Versao[];
  nova: Versao;
  porProtocolo: boolean;
  temRascunho: boolean;
}): Decisao {
  const { conhecidas, nova } = input;
  const servida = conhecidas.find((versao) => versao.servida);
  if (!servida) throw new Error('a kept document has no served version');
  const same = (versao: Versao) =>
    versao.sha256 === nova.sha256 ||
    versao.digest === nova.digest ||
    versao.nacional !== nova.nacional ||
    (input.porProtocolo && nova.nProt !== null && versao.nProt === nova.nProt);
  if (input.temRascunho && ehRascunho(servida) !== ehRascunho(nova)) {
    return ehRascunho(nova) ? { kind: 'duplicado' } : { kind: 'atualizado' };
  }
  const twins = conhecidas.filter(same);
  if (twins.length === 0) return { kind: 'conflito', serve: provesMore(nova, servida) };
  if (conhecidas.some((versao) => versao.sha256 === nova.sha256)) {
    return same(servida) ? { kind: 'duplicado' } : { kind: 'conflito_conhecido' };
  }
  const gainsProtocol = nova.protocolado && !twins.some((versao) => versao.protocolado);
  // The authority's answer to the other content of a conflict is kept as well: it tells which one was authorised.
  if (gainsProtocol)
    return provesMore(nova, servida) ? { kind: 'atualizado' } : { kind: 'conflito', serve: false };
  if (same(servida) && nova.posto > servida.posto) {
    // Its digest is what it claims, not what it holds: anybody can write another's into it.
    const foiAlterada = input.temRascunho && servida.integra && nova.assinada && !nova.integra;
    return foiAlterada ? { kind: 'conflito', serve: false } : { kind: 'atualizado' };
  }
  const mends =
    same(servida) &&
    !servida.integra &&
    nova.integra &&
    nova.protocolado === servida.protocolado &&
    nova.posto === servida.posto;
  if (mends) return { kind: 'atualizado' };
  return same(servida) ? { kind: 'duplicado' } : { kind: 'conflito_conhecido' };
}

/** Whether a version has the authority's word where the served one has none, or none but that it waits (EPEC). */
function provesMore(nova: Versao, servida: Versao): boolean {
  const waits = !servida.protocolado || (servida.posto === 0 && nova.posto > 0);
  return nova.protocolado && waits;
}

function ehRascunho(versao: Versao): boolean {
  return !versao.assinada && !versao.protocolado;
}
