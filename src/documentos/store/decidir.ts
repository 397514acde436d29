/**
 * What happens to a piece whose document the office may know already. Pure: it sees the versions that are kept and says which
 * outcome it is and which version is served from now on.
 *
 * Stronger wins, in any order: the version served is the one with the strongest proof, among equals the first authorised, and
 * an altered one is never served while another is there. Nothing that came first keeps something better proven out, nothing
 * weaker takes its place. Bytes are a duplicate only where what they say is there already with at least the same proof; all
 * others are kept.
 *
 * A note of NFS-e may be there as its city writes it and as the national system does, under the national key: these are two
 * forms of one document, whose digests cannot be compared. What is neither signed nor authorised (an NF-e in TXT, an XML before
 * its signature) is a draft: it contends with nothing. Nor does a row of a city's list, which only tells of a note: it says
 * what became of it, and stands for it until the note itself comes.
 */

import { forcaDe, provaDaAutoria } from '../../fiscal/prova.ts';
import {
  type Documento,
  FALHA_DE_PROVA,
  type FalhaDeProva,
  type Prova,
  STATUS_DOCUMENTO,
} from '../../fiscal/tipos.ts';

export interface Versao {
  /** Hash of the bytes, hex. */
  sha256: string;
  /** Digest of the content, computed, Base64. */
  digest: string;
  protocolado: boolean;
  /** Number of the authority's answer, null without. */
  nProt: string | null;
  /** Content that the answer is about, null where it does not say. */
  digVal: string | null;
  prova: Prova;
  falhas: readonly FalhaDeProva[];
  /** It is an NFS-e in the national layout. */
  nacional: boolean;
  /** Neither signed nor authorised, of a family whose documents are always signed in the end. */
  rascunho: boolean;
  /** What its own protocol says of the document. Of events and inutilizações it is always `Autorizada`. */
  status: Documento['statusProtocolo'];
  /** A person chose it among equals. */
  escolhida: boolean;
  /** Its claim of a status was set aside by a person. */
  afastada: boolean;
  servida: boolean;
}

export type Decisao =
  /** Nothing is stored. */
  | { kind: 'duplicado' }
  /** Stored beside the served version, of which it says nothing new: another form of it, or a draft. */
  | { kind: 'guardado' }
  /** Another content under the same key that is kept already and not the one served. */
  | { kind: 'conflito_conhecido' }
  /** Stored; the visible document changes. `serve` says whether it is served from now on. */
  | { kind: 'atualizado'; serve: boolean }
  /** Another content; stored. `serve` says whether it is served from now on. */
  | { kind: 'conflito'; serve: boolean };

/** What was decided of a piece; `novo` when its document was unknown, `demais` when there are as many of its kind as are kept. */
export type DecisaoDaPeca = Decisao | { kind: 'novo' } | { kind: 'demais' };

/** @param input.conhecidas in their order of arrival */
export function decidir({ conhecidas, nova }: { conhecidas: readonly Versao[]; nova: Versao }): Decisao {
  const servida = conhecidas.find((versao) => versao.servida);
  if (!servida) throw new Error('a kept document has no served version');
  const conhecida = conhecidas.find((versao) => versao.sha256 === nova.sha256 || jaDiz(versao, nova));
  if (conhecida) {
    return ehDoMesmo(conhecida, servida) ? { kind: 'duplicado' } : { kind: 'conflito_conhecido' };
  }
  const serve = ehMaisForte(nova, servida);
  if (nova.rascunho && !servida.rascunho) return { kind: 'guardado' };
  if (servida.rascunho && !nova.rascunho) return { kind: 'atualizado', serve };
  if (!serve && (ehSoResposta(nova) || ehSoResposta(servida))) return { kind: 'guardado' };
  const outraForma = nova.nacional !== servida.nacional || ehSoLinha(nova) || ehSoLinha(servida);
  if (outraForma && !serve) return semNovidade(nova, servida);
  if (ehDoMesmo(nova, servida) && serve) return { kind: 'atualizado', serve };
  if (!serve && alegaDe(nova, servida) !== null) return { kind: 'atualizado', serve };
  return serve && autoriaDe(nova) > autoriaDe(servida)
    ? { kind: 'atualizado', serve }
    : { kind: 'conflito', serve };
}

/** The other form of a note is told where it brings another status. */
function semNovidade(nova: Versao, servida: Versao): Decisao {
  return alegaDe(nova, servida) === null ? { kind: 'guardado' } : { kind: 'atualizado', serve: false };
}

/**
 * Whether two versions have one content, or are an answer and what it answers: of one event, or one range of numbers, there is
 * one registration, whichever number the answer gives it. Some states answer a query with the protocol of the authorisation.
 */
function ehDoMesmo(a: Versao, b: Versao): boolean {
  if (a.sha256 === b.sha256 || a.digest === b.digest || a.nacional !== b.nacional) return true;
  return ehSoResposta(a) || ehSoResposta(b) || ehSoLinha(a) || ehSoLinha(b);
}

/** Whether a kept version says all that a new one says, with at least the same proof. */
function jaDiz(versao: Versao, nova: Versao): boolean {
  if (versao.nacional !== nova.nacional || !ehDoMesmo(versao, nova)) return false;
  if ((ehSoLinha(versao) || ehSoLinha(nova)) && versao.digest !== nova.digest) return false;
  if ((versao.rascunho && !nova.rascunho) || (ehAlterada(versao) && !ehAlterada(nova))) return false;
  // What was asked for, by whom and when: an answer alone says none of it.
  if (ehSoResposta(versao) && !ehSoResposta(nova) && !ehAlterada(nova)) return false;
  // Another answer is another text, unless it names the same registration.
  if (
    ehSoResposta(nova) &&
    nova.digest !== versao.digest &&
    (nova.nProt === null || nova.nProt !== versao.nProt)
  )
    return false;
  if (!nova.protocolado && autoriaDe(versao) >= autoriaDe(nova)) return true;
  if (versao.status !== nova.status || forcaDe(versao.prova) < forcaDe(nova.prova)) return false;
  return versao.protocolado && (nova.nProt === null || nova.nProt === versao.nProt);
}

/** Whether a version that came later is served in place of an earlier one. */
function ehMaisForte(nova: Versao, servida: Versao): boolean {
  const a = forcas(nova);
  const b = forcas(servida);
  for (const [at, forca] of a.entries()) {
    const outra = b[at] ?? 0;
    if (forca !== outra) return forca > outra;
  }
  return classeDe(nova) < PROVADA && ehDoMesmo(nova, servida) && fatoDe(nova) > fatoDe(servida);
}

/** Where nothing is proven, a copy that tells more of a document's fate takes the place of one that does not know of it yet. */
function fatoDe({ status }: Versao): number {
  return FATOS.indexOf(status);
}
const FATOS: readonly Documento['statusProtocolo'][] = [
  STATUS_DOCUMENTO.pendente,
  STATUS_DOCUMENTO.autorizada,
  STATUS_DOCUMENTO.denegada,
  STATUS_DOCUMENTO.cancelada,
];

/** How well a version is proven, from what counts most to what counts least. */
function provasDe(versao: Versao): number[] {
  return [
    Number(!versao.rascunho),
    Number(!ehAlterada(versao)),
    Number(!ehSoLinha(versao)),
    classeDe(versao),
    forcaDe(versao.prova),
    autoriaDe(versao),
    Number(!ehSoResposta(versao)),
  ];
}

/** Whether a person may choose a version in place of the served one: nothing that is proven less. */
export function podeSerEscolhida(versao: Versao, servida: Versao): boolean {
  const dela = provasDe(versao);
  return provasDe(servida).every((forca, at) => (dela[at] ?? 0) >= forca);
}

/** The version to be served. @param versoes in their order of arrival */
export function maisForte(versoes: readonly Versao[]): Versao | null {
  let melhor: Versao | null = null;
  for (const versao of versoes) if (melhor === null || ehMaisForte(versao, melhor)) melhor = versao;
  return melhor;
}

/** From what counts most to what counts least. */
function forcas(versao: Versao): number[] {
  const { escolhida, status } = versao;
  return [
    ...provasDe(versao),
    Number(escolhida),
    Number(versao.protocolado),
    classeDe(versao) === PROVADA ? AUTORIDADE[status] : Number(status !== STATUS_DOCUMENTO.pendente),
  ];
}

/** Among equals the first that was authorised; one that only waits comes last. */
const AUTORIDADE: Readonly<Record<Documento['statusProtocolo'], number>> = {
  [STATUS_DOCUMENTO.autorizada]: 3,
  [STATUS_DOCUMENTO.denegada]: 2,
  [STATUS_DOCUMENTO.cancelada]: 1,
  [STATUS_DOCUMENTO.pendente]: 0,
};

const PROVADA = 3;

/**
 * 3: proven as authorised. 2: proven who wrote it, and no answer that is at hand speaks of another content. 1: it only says
 * that it was authorised. 0: not even that.
 */
function classeDe({ prova, falhas, protocolado }: Versao): number {
  if (forcaDe(prova) > 0) return PROVADA;
  const deOutro = OUTRA_RESPOSTA.some((falha) => falhas.includes(falha));
  if (!deOutro && forcaDe(provaDaAutoria(falhas)) > 0) return 2;
  return protocolado ? 1 : 0;
}

/** What stands beside the content is no answer to it. */
const OUTRA_RESPOSTA: readonly FalhaDeProva[] = [
  FALHA_DE_PROVA.protocoloDeOutroConteudo,
  FALHA_DE_PROVA.respostaDeHomologacao,
];

function autoriaDe({ falhas }: Versao): number {
  return forcaDe(provaDaAutoria(falhas));
}

function ehAlterada({ falhas }: Versao): boolean {
  return falhas.includes(FALHA_DE_PROVA.alterada);
}

function ehSoResposta({ falhas }: Versao): boolean {
  return falhas.includes(FALHA_DE_PROVA.soResposta);
}

function ehSoLinha({ falhas }: Versao): boolean {
  return falhas.includes(FALHA_DE_PROVA.linhaDeLista);
}

/** The status that a version which is not served says the served one has, where that is another. */
function alegaDe(versao: Versao, servida: Versao): Documento['statusProtocolo'] | null {
  if (versao.afastada || versao.status === servida.status) return null;
  if (servida.status === STATUS_DOCUMENTO.pendente) {
    // A protocol that does not say of which content it is says it of the key.
    const daChave = versao.protocolado && versao.digVal === null;
    const deste = daChave || versao.digVal === servida.digest || ehDoMesmo(versao, servida);
    return deste ? versao.status : null;
  }
  const cancela =
    versao.status === STATUS_DOCUMENTO.cancelada && servida.status === STATUS_DOCUMENTO.autorizada;
  return !ehAlterada(versao) && cancela && ehDoMesmo(versao, servida) ? versao.status : null;
}

/**
 * What the other versions say became of the document: nothing proves it, for an authority's answer is signed by nobody. A
 * denial says nothing of a note that was authorised; and what stands in altered bytes cancels nothing.
 */
export function statusAlegado(versoes: readonly Versao[]): Documento['statusProtocolo'] | null {
  const servida = versoes.find((versao) => versao.servida);
  if (!servida) return null;
  const alegados = versoes.flatMap((versao) => (versao.servida ? [] : (alegaDe(versao, servida) ?? [])));
  return ORDEM.find((status) => alegados.includes(status)) ?? null;
}

const ORDEM: readonly Documento['statusProtocolo'][] = [
  STATUS_DOCUMENTO.cancelada,
  STATUS_DOCUMENTO.autorizada,
  STATUS_DOCUMENTO.denegada,
];
