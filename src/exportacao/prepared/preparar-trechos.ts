/** Stretches of a client's feed in wire form. */
import type { Kysely } from 'kysely';
import type { Tabelas } from '../../banco/tabelas.ts';
import { bytesDosTextos, entradasDoIntervalo } from '../../documentos/read/feed.ts';
import { adquiridosPor } from '../../documentos/read/finalidade.ts';
import type { Entrada } from '../../documentos/tipos.ts';
import { signAddress } from '../../platform/crypto/assinar-endereco.ts';
import { type Segmento, segmentoDe } from '../../platform/gzip/membro.ts';
import { presenterWith } from '../documents/documento.ts';
import { preparedAddress } from '../enderecos.ts';
import type { RegistroDeDocumento } from '../present.ts';
import { findVigentes } from './queries-vigencia.ts';

/** Entries of one stretch: it holds the numbers from a multiple of this, plus one, to the next multiple. */
export const ENTRADAS_DO_TRECHO = 50;
/** Records that are compressed together. A page begins and ends anywhere: what it has of fewer stays as it is. */
export const REGISTROS_DO_GRUPO = 10;

/** What makes two answers about the same entries differ. */
export interface Variante {
  origin: string;
  /** Whether `url_finalidade` is filled. */
  comFinalidade: boolean;
}

export interface PedidoDeTrechos {
  clienteId: number;
  variante: Variante;
  /** First and last stretch; stretch 0 begins with NSU 1. */
  de: number;
  ate: number;
  /** Whether records are compressed too, for pages without texts. */
  comGrupos: boolean;
  /** Key and deadline of the signed addresses. */
  assinatura: { kid: string; secret: Uint8Array; expiresAtSeconds: number };
}

export interface TrechoPreparado {
  indice: number;
  /** State of the feed before the entries were read: they are as new as that, or newer. */
  ultimoNsu: number;
  revisao: number;
  kid: string;
  expiresAtSeconds: number;
  /** Records without their text, joined by commas. */
  bytes: Uint8Array;
  registros: RegistroPreparado[];
  /** The same records compressed, from the first on, `REGISTROS_DO_GRUPO` by so many; null where nobody asked for it. */
  grupos: Segmento[] | null;
}

export interface RegistroPreparado {
  nsu: number;
  /** Where it begins and ends in `bytes`. */
  inicio: number;
  fim: number;
  /** Its texts in their order; what was deleted has none. */
  textos: LugarDeTexto[];
  /** Of the texts, bytes as they came. */
  tamanho: number;
}

/** Where the empty text stands that a text takes the place of. */
export interface LugarDeTexto {
  lugar: number;
  versaoId: number;
}

/** No string of a record can hold these: there quotes are escaped. */
const XML_AND_NEXT = '"xml":"","url_finalidade":';
const XML_OF_EVENTO_AND_NEXT = '"xml":""},"papel":';
const BEFORE_TEXT = '"xml":'.length;
export const EMPTY_TEXT_CHARACTERS = '""'.length;

/** Where in a record without texts these belong, in characters: of what it shows, and of its event apart. */
export function placesOfTexts(record: string, { tamanho, versaoId, evento }: Entrada): LugarDeTexto[] {
  const found: LugarDeTexto[] = [];
  if (tamanho > 0) found.push({ lugar: record.indexOf(XML_AND_NEXT) + BEFORE_TEXT, versaoId });
  if (evento && evento.versaoId !== null)
    found.push({ lugar: record.indexOf(XML_OF_EVENTO_AND_NEXT) + BEFORE_TEXT, versaoId: evento.versaoId });
  return found;
}

/** Records of a range of a feed, ready for the wire, in pieces; none when there is no such client. */
export async function prepareTrechos(
  db: Kysely<Tabelas>,
  pedido: PedidoDeTrechos,
): Promise<TrechoPreparado[]> {
  const { clienteId, de, ate } = pedido;
  const [feed] = await findVigentes(db, { clienteIds: [clienteId], tokenIds: [] });
  if (!feed) return [];
  const entradas = await entradasDoIntervalo(db, {
    clienteId,
    primeiro: de * ENTRADAS_DO_TRECHO + 1,
    ultimo: Math.min((ate + 1) * ENTRADAS_DO_TRECHO, feed.ultimo),
  });
  const present = await presenterOf(db, pedido, entradas);
  const { kid, expiresAtSeconds } = pedido.assinatura;
  const prepare = (doTrecho: readonly Entrada[]) => {
    const records = joined(doTrecho, present);
    return { ...records, grupos: pedido.comGrupos ? gruposDe(records) : null };
  };
  const porTrecho = Map.groupBy(entradas, ({ nsu }) => trechoDe(nsu));
  return Array.from({ length: ate - de + 1 }, (_, at) => ({
    indice: de + at,
    ultimoNsu: feed.ultimo,
    revisao: feed.revisao,
    kid,
    expiresAtSeconds,
    ...prepare(porTrecho.get(de + at) ?? []),
  }));
}

/** In which stretch a number lies. */
export function trechoDe(nsu: number): number {
  return Math.floor((nsu - 1) / ENTRADAS_DO_TRECHO);
}

/** Gives these entries their wire form, with addresses signed here. */
export async function presenterOf(
  db: Kysely<Tabelas>,
  { clienteId, variante, assinatura }: Pick<PedidoDeTrechos, 'clienteId' | 'variante' | 'assinatura'>,
  entradas: readonly Entrada[],
): Promise<(entrada: Entrada) => RegistroDeDocumento> {
  const { origin, comFinalidade } = variante;
  const { kid, secret, expiresAtSeconds } = assinatura;
  const sign = (input: { parts: readonly string[]; expiresAtSeconds: number }) => ({
    kid,
    signature: signAddress(secret, input),
  });
  const documentoIds = entradas.map(({ documentoId }) => documentoId);
  return presenterWith(
    (alvo) => preparedAddress(sign, { origin, alvo, expiresAtSeconds }),
    comFinalidade
      ? { clienteId, adquiridos: await adquiridosPor(db, { clienteId, documentoIds }) }
      : undefined,
  );
}

function joined(
  entradas: readonly Entrada[],
  present: (entrada: Entrada) => RegistroDeDocumento,
): Pick<TrechoPreparado, 'bytes' | 'registros'> {
  const pieces: Buffer[] = [];
  const registros: RegistroPreparado[] = [];
  let at = 0;
  for (const entrada of entradas) {
    const text = JSON.stringify(present(entrada));
    const piece = Buffer.from(text);
    const inicio = at + (registros.length > 0 ? COMMA.length : 0);
    if (registros.length > 0) pieces.push(COMMA);
    pieces.push(piece);
    at = inicio + piece.length;
    registros.push({
      nsu: entrada.nsu,
      inicio,
      fim: at,
      textos: placesOfTexts(text, entrada).map(({ lugar, versaoId }) => ({
        lugar: inicio + Buffer.byteLength(text.slice(0, lugar)),
        versaoId,
      })),
      tamanho: bytesDosTextos(entrada),
    });
  }
  return { bytes: own(pieces), registros };
}

/** Records compressed, `REGISTROS_DO_GRUPO` by so many, without the commas between two groups. */
export function gruposDe({ bytes, registros }: Pick<TrechoPreparado, 'bytes' | 'registros'>): Segmento[] {
  const grupos: Segmento[] = [];
  for (let end = REGISTROS_DO_GRUPO; end <= registros.length; end += REGISTROS_DO_GRUPO) {
    const [first, last] = [registros[end - REGISTROS_DO_GRUPO], registros[end - 1]];
    grupos.push(segmentoDe(bytes.subarray(first?.inicio, last?.fim)));
  }
  return grupos;
}

const COMMA = Buffer.from(',');

/** Memory of its own, so that it can change threads. */
function own(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
