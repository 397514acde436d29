/**
 * How long texts of documents are where they stand apart from their document: in rows, lists, pages and messages. The
 * document itself has them whole. Fifty names of 4 MB would make one page of 200 MB, so that every text passes here, at
 * the one door by which what was read leaves this area (`ler.ts`).
 *
 * What is longer is cut, and a `…` at its end says so. Texts by which things are told apart are never cut, since two of them
 * could become one: keys, numbers and digests have a form, of which a length is part; a number of a protocol that is too long
 * is none, and the document says so; what a city numbers by is put into the key by its digest (`chave-composta.ts`).
 */
import type { Documento, Evento, Peca, Protocolo, Registro } from './tipos.ts';

/** Characters. */
export const TEXTO_MAX = {
  /** xNome has up to 60 in NF-e and CT-e, up to 300 in NFS-e. */
  nome: 300,
  /** natOp has up to 60, xTribNac of NFS-e 600: nobody reads on. */
  natureza: 120,
  /** `4.00`. */
  layout: 20,
  /** An RPS has up to 5; its city may have another idea. */
  serie: 20,
  /** finNFe and its kin have one or two; what they mean is our own text. */
  codigo: 20,
  descricao: 120,
  /** xJust has up to 255. */
  justificativa: 300,
  cStat: 10,
  /** xMotivo has up to 255. */
  motivoDaSefaz: 300,
  /** A date with fraction and offset has 35. */
  data: 40,
  /** nProt has 15 digits, and up to 20 in cities. */
  nProt: 60,
  /** Base64 of a SHA-512 has 88. */
  digVal: 100,
  /** The CN of a certificate has up to 64; older ones were not held to it. */
  titular: 200,
  /** Why a schema or a signature was not held: up to three faults with their places. */
  motivo: 1_500,
  aviso: 500,
  mensagem: 1_000,
  /** `…/LoteDFe/nfeProc/NFe/infNFe/det[3]/imposto/ICMS/ICMS00/pICMS` */
  elemento: 500,
} as const;

/** Findings of one document. */
export const AVISOS_MAX = 50;

const CORTE = '…';

/** A text of at most so many characters, the last of which says that it was cut. */
export function cutTexto(texto: string, max: number): string {
  // Half a surrogate pair left by the cut becomes U+FFFD: texts are stored and sent as UTF-8.
  return texto.length <= max ? texto : `${texto.slice(0, max - CORTE.length)}${CORTE}`.toWellFormed();
}

/** The same from the end, where the place itself stands. */
function cutInicio(texto: string, max: number): string {
  return texto.length <= max
    ? texto
    : `${CORTE}${texto.slice(texto.length - max + CORTE.length)}`.toWellFormed();
}

function ouNada(texto: string | null, max: number): string | null {
  return texto === null ? null : cutTexto(texto, max);
}

/**
 * Cuts every text of what was read to its length, in place: what was read is nobody else's yet, and nearly all of it stays
 * as it is.
 */
export function limitTextos(peca: Peca): Peca {
  switch (peca.resultado) {
    case 'lida': {
      const { registro, esquema, assinatura } = peca;
      limitRegistro(registro);
      esquema.motivo = ouNada(esquema.motivo, TEXTO_MAX.motivo);
      assinatura.motivo = ouNada(assinatura.motivo, TEXTO_MAX.motivo);
      assinatura.titular = ouNada(assinatura.titular, TEXTO_MAX.titular);
      break;
    }
    case 'rejeitada': {
      const { rejeicao } = peca;
      rejeicao.mensagem = cutTexto(rejeicao.mensagem, TEXTO_MAX.mensagem);
      rejeicao.elemento = rejeicao.elemento && cutInicio(rejeicao.elemento, TEXTO_MAX.elemento);
      break;
    }
    case 'esperado':
      peca.mensagem = ouNada(peca.mensagem, TEXTO_MAX.mensagem);
      break;
    case 'ignorada':
      peca.mensagem = cutTexto(peca.mensagem, TEXTO_MAX.mensagem);
      break;
  }
  return peca;
}

function limitRegistro(registro: Registro): void {
  registro.layout = ouNada(registro.layout, TEXTO_MAX.layout);
  if (registro.classe === 'documento') limitDocumento(registro);
  else if (registro.classe === 'evento') limitEvento(registro);
  else registro.justificativa = ouNada(registro.justificativa, TEXTO_MAX.justificativa);
  if (registro.protocolo) limitProtocolo(registro.protocolo, registro.avisos);
  limitAvisos(registro);
}

function limitDocumento(documento: Documento): void {
  const { participantes, finalidade, ressalva } = documento;
  if (ressalva) ressalva.mensagem = cutTexto(ressalva.mensagem, TEXTO_MAX.mensagem);
  documento.serie = cutTexto(documento.serie, TEXTO_MAX.serie);
  documento.natureza = ouNada(documento.natureza, TEXTO_MAX.natureza);
  for (const parte of participantes) parte.nome = ouNada(parte.nome, TEXTO_MAX.nome);
  if (finalidade) {
    finalidade.codigo = cutTexto(finalidade.codigo, TEXTO_MAX.codigo);
    finalidade.descricao = cutTexto(finalidade.descricao, TEXTO_MAX.descricao);
  }
}

function limitEvento(evento: Evento): void {
  evento.descricao = cutTexto(evento.descricao, TEXTO_MAX.descricao);
  // What is cut is no document's protocol any more, as it was none before.
  if (evento.protocoloDaNota) evento.protocoloDaNota = cutTexto(evento.protocoloDaNota, TEXTO_MAX.nProt);
  const { desfaz } = evento;
  if (Math.max(desfaz?.codigo.length ?? 0, desfaz?.nProt?.length ?? 0) <= TEXTO_MAX.nProt) return;
  // Without the number it would undo whatever event has the code.
  evento.desfaz = null;
  evento.avisos.push('O evento não diz de forma legível que evento ele desfaz; nenhum é desfeito.');
}

function limitProtocolo(protocolo: Protocolo, avisos: string[]): void {
  protocolo.cStat = cutTexto(protocolo.cStat, TEXTO_MAX.cStat);
  protocolo.xMotivo = ouNada(protocolo.xMotivo, TEXTO_MAX.motivoDaSefaz);
  protocolo.dhRecbto = ouNada(protocolo.dhRecbto, TEXTO_MAX.data);
  protocolo.digVal = ouNada(protocolo.digVal, TEXTO_MAX.digVal);
  if ((protocolo.nProt?.length ?? 0) <= TEXTO_MAX.nProt) return;
  protocolo.nProt = null;
  avisos.push(`O número do protocolo passa de ${TEXTO_MAX.nProt} caracteres e foi desconsiderado.`);
}

function limitAvisos(registro: Registro): void {
  const { avisos } = registro;
  if (avisos.length === 0) return;
  registro.avisos = avisos.slice(0, AVISOS_MAX).map((aviso) => cutTexto(aviso, TEXTO_MAX.aviso));
  if (avisos.length > AVISOS_MAX) registro.avisos.push(`E mais ${avisos.length - AVISOS_MAX} avisos.`);
}
