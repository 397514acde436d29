/**
 * How the bytes of documents come into the vault and leave it. Documents that come in one batch are compressed in blocks,
 * those of a client beside each other: what they repeat of each other takes no room, and who reads the client's feed
 * finds them together. A document that comes alone, or is large, is compressed by itself (forms of `conteudo.ts`).
 */
import { crc32 } from 'node:zlib';
import type { Insertable } from 'kysely';
import type { TabelaConteudo } from '../../banco/tabelas.ts';
import type { ConteudoPreparado, Trx } from '../tipos.ts';
import { closeBloco, comprimir, formatoEmBloco, openBloco } from './conteudo.ts';
import * as queries from './queries-blocos.ts';

/** More gain little, and who reads one of them has to open all. */
const POR_BLOCO = 16;
/** Fewer gain nothing that would be worth a block. */
const MIN_POR_BLOCO = 4;
/** A company with so many documents has blocks of its own: who reads its feed opens nothing of others. */
const MIN_DA_EMPRESA = 6;
/** What a block holds before it is compressed: about what one piece of work of zstd may be (`zstd.ts`). */
const BLOCO_BYTES = 120_000;
const EMPTY = new Uint8Array(0);

export interface ConteudoAGuardar {
  chave: string;
  /** CPF or CNPJ of everyone who takes part in the document. */
  partes: readonly string[];
  conteudo: ConteudoPreparado;
}

/** Whether a CPF or CNPJ is a client's, in whose feed its documents are. */
type Clientes = Pick<ReadonlySet<string>, 'has'>;

/** Where a content belongs, known once its rows are there. */
export interface Destino {
  versaoId: number;
  certificadoId: number | null;
}

export interface Destinos<T> {
  of(conteudo: T): Destino;
}

/** Contents as they are to be stored: compressed, together or alone. */
export interface Comprimidos<T> {
  blocos: { partes: readonly T[]; bytes: Uint8Array }[];
  sozinhos: { parte: T; formato: number; bytes: Uint8Array }[];
}

/**
 * Compresses new contents of one office. It needs none of their rows, so that it can be done while the database writes.
 */
export function compressConteudos<T extends ConteudoAGuardar>(
  conteudos: readonly T[],
  clientes: Clientes,
): Comprimidos<T> {
  const { grupos, sozinhos } = agrupar(conteudos, clientes);
  return {
    blocos: grupos.map(emBloco),
    sozinhos: sozinhos.map(sozinho),
  };
}

function emBloco<T extends ConteudoAGuardar>(partes: readonly T[]): Comprimidos<T>['blocos'][number] {
  return { partes, bytes: closeBloco(partes.map(bytesDe)) };
}

function sozinho<T extends ConteudoAGuardar>(parte: T): Comprimidos<T>['sozinhos'][number] {
  return { parte, ...comprimir(parte.conteudo) };
}

/** Stores which bytes are whose: of the new versions of one office, whose blocks are kept (`guardarBlocos`). */
export async function keepConteudos<T extends ConteudoAGuardar>(
  trx: Trx,
  input: {
    comprimidos: Comprimidos<T>;
    /** Ids of the blocks, in their order. */
    blocos: readonly number[];
    destinos: Destinos<T>;
  },
): Promise<void> {
  const { comprimidos, blocos, destinos } = input;
  const linhas: Insertable<TabelaConteudo>[] = [];
  for (const [at, { partes }] of comprimidos.blocos.entries()) {
    const blocoId = blocos[at] ?? null;
    for (const [posicao, parte] of partes.entries())
      linhas.push(linhaEmBloco({ conteudo: parte.conteudo, blocoId, posicao }, destinos.of(parte)));
  }
  for (const { parte, formato, bytes } of comprimidos.sozinhos)
    linhas.push(linhaSozinha({ formato, bytes }, destinos.of(parte)));
  await queries.insertConteudos(trx, linhas);
}

function linhaEmBloco(
  lugar: { conteudo: ConteudoPreparado; blocoId: number | null; posicao: number },
  { versaoId, certificadoId }: Destino,
): Insertable<TabelaConteudo> {
  return {
    versao_id: versaoId,
    formato: formatoEmBloco(lugar.conteudo),
    soma: 0,
    bytes: EMPTY,
    certificado_id: certificadoId,
    bloco_id: lugar.blocoId,
    posicao: lugar.posicao,
  };
}

function linhaSozinha(
  { formato, bytes }: { formato: number; bytes: Uint8Array },
  { versaoId, certificadoId }: Destino,
): Insertable<TabelaConteudo> {
  return {
    versao_id: versaoId,
    formato,
    soma: crc32(bytes),
    bytes,
    certificado_id: certificadoId,
    bloco_id: null,
    posicao: null,
  };
}

function bytesDe({ conteudo }: ConteudoAGuardar): Uint8Array {
  return conteudo.bytes;
}

/** @returns the ids of blocks. @throws when one was not inserted: its documents would be lost */
export async function guardarBlocos(
  trx: Trx,
  input: { contadorId: number; blocos: readonly Uint8Array[] },
): Promise<number[]> {
  const rows = input.blocos.map((bytes) => ({ contador_id: input.contadorId, soma: crc32(bytes), bytes }));
  const ids = await queries.insertBlocos(trx, rows);
  if (ids.length !== rows.length) throw new Error('a block was not inserted');
  return ids;
}

/** Which documents share a block, and which have none. */
function agrupar<T extends ConteudoAGuardar>(
  conteudos: readonly T[],
  clientes: Clientes,
): { grupos: T[][]; sozinhos: T[] } {
  const pequenos: T[] = [];
  const grandes: T[] = [];
  for (const um of conteudos) (um.conteudo.comprimido ? grandes : pequenos).push(um);
  const empresas = porEmpresa(pequenos, clientes);
  const doBloco = empresas.filter((daEmpresa) => daEmpresa.length >= MIN_DA_EMPRESA);
  const restam = empresas.filter((daEmpresa) => daEmpresa.length < MIN_DA_EMPRESA).flat();
  const grupos = [...doBloco, restam].flatMap(repartir);
  const large = (grupo: readonly T[]) => grupo.length >= MIN_POR_BLOCO;
  return {
    grupos: grupos.filter(large),
    sozinhos: [...grandes, ...grupos.filter((grupo) => !large(grupo)).flat()],
  };
}

/** Blocks of about the same number of documents, in their order. */
function repartir<T extends ConteudoAGuardar>(conteudos: readonly T[]): T[][] {
  const each = Math.ceil(conteudos.length / Math.ceil(conteudos.length / POR_BLOCO));
  const grupos: T[][] = [];
  let room = 0;
  for (const um of conteudos) {
    const { length } = um.conteudo.bytes;
    const last = grupos.at(-1);
    if (last && last.length < each && length <= room) last.push(um);
    else {
      grupos.push([um]);
      room = BLOCO_BYTES;
    }
    room -= length;
  }
  return grupos;
}

/**
 * Documents of each company, those of an issuer beside each other. The company is the client in whose feed they are: of a
 * document's parties, or of the clients among them, the one that most documents of the batch have.
 */
function porEmpresa<T extends ConteudoAGuardar>(conteudos: readonly T[], clientes: Clientes): T[][] {
  const pesos = new Map<string, number>();
  for (const { partes } of conteudos)
    for (const parte of new Set(partes)) pesos.set(parte, (pesos.get(parte) ?? 0) + 1);
  // A supplier of several clients may have more of the batch than any of them, but nobody reads its feed.
  for (const [parte, peso] of pesos) if (clientes.has(parte)) pesos.set(parte, peso + conteudos.length);
  const empresas = new Map<string, T[]>();
  for (const um of conteudos) {
    const empresa = comMaisPeso(um.partes, pesos);
    const daEmpresa = empresas.get(empresa);
    if (daEmpresa) daEmpresa.push(um);
    else empresas.set(empresa, [um]);
  }
  return [...empresas.values()].map(emOrdem);
}

/** Behind UF and month a key has the issuer, then model, series and number (MOC 2.2.6). Those of one place stay in their order. */
function emOrdem<T extends ConteudoAGuardar>(conteudos: readonly T[]): T[] {
  return conteudos.map(comLugar).sort(byLugar).map(semLugar);
}

function comLugar<T extends ConteudoAGuardar>(um: T): { um: T; lugar: string } {
  return { um, lugar: um.chave.slice(6) };
}

function semLugar<T>({ um }: { um: T }): T {
  return um;
}

function byLugar(a: { lugar: string }, b: { lugar: string }): number {
  if (a.lugar === b.lugar) return 0;
  return a.lugar < b.lugar ? -1 : 1;
}

function comMaisPeso(partes: readonly string[], pesos: ReadonlyMap<string, number>): string {
  let [chosen, most] = ['', 0];
  for (const parte of partes) {
    const peso = pesos.get(parte) ?? 0;
    if (peso > most) [chosen, most] = [parte, peso];
  }
  return chosen;
}

/**
 * Takes out of blocks what no document refers to any more: nothing of a deleted document may stay. The others get a block
 * without it, where each keeps its position; a reader who has seen the old one's number does not find it, and looks
 * again. Call it with the office locked, behind the deletion.
 * @param ids blocks of the deleted rows, null of those that stood in none
 */
export async function enxugarBlocos(trx: Trx, ids: readonly (number | null)[]): Promise<void> {
  for (const id of [...new Set(ids)].filter((one) => one !== null).sort((a, b) => a - b)) {
    const posicoes = new Set(await queries.findPosicoes(trx, id));
    if (posicoes.size > 0) await swapBloco(trx, { id, posicoes });
    if (posicoes.size === 0) await queries.deleteBloco(trx, id);
  }
}

async function swapBloco(
  trx: Trx,
  { id, posicoes }: { id: number; posicoes: ReadonlySet<number | null> },
): Promise<void> {
  const bloco = await queries.findBloco(trx, id);
  const partes = bloco && partesDe(bloco.bytes);
  // What cannot be read any more: its documents are repaired one by one, and with the last of them it goes.
  if (!bloco || !partes) return;
  const ficam = partes.map((parte, posicao) => (posicoes.has(posicao) ? parte : EMPTY));
  if (ficam.every((parte, posicao) => parte.length === partes[posicao]?.length)) return;
  const [para = id] = await guardarBlocos(trx, {
    contadorId: bloco.contador_id,
    blocos: [closeBloco(ficam)],
  });
  await queries.moveToBloco(trx, { de: id, para });
  await queries.deleteBloco(trx, id);
}

function partesDe(bytes: Uint8Array): readonly Uint8Array[] | null {
  try {
    return openBloco(bytes);
  } catch {
    return null;
  }
}
