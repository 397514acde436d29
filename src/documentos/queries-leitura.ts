/** Every statement that reads the vault for the export area. All of them run over an index named in their comment. */
import { type Kysely, sql } from 'kysely';
import type { CodigoDeMotivo, CodigoDePapel, CodigoDeTipo, Flag, Tabelas } from '../banco/tabelas.ts';
import type { StatusDocumento } from '../fiscal/tipos.ts';
import { compiledOnce } from '../platform/db/compiled-once.ts';
import { engineOf } from '../platform/db/engine.ts';
import { idChunks } from './bytes/chunks.ts';
import type { ConteudoGuardado } from './bytes/conteudo.ts';
import { comHash } from './bytes/hash-guardado.ts';
import { findBlocos } from './bytes/queries-blocos.ts';
import { CODIGO_DE_EVENTO, STATUS_EM_CODIGO, TIPO_EM_CODIGO } from './lean/codigos.ts';

export type Leitor = Kysely<Tabelas>;

/** What an entry shows, of a document or of what else is listed; with a client's part in it and the served version. */
const COLUNAS_DO_MOSTRADO = [
  'documento.id as documento_id',
  'documento.chave',
  'documento.modelo',
  'documento.status',
  'documento.serie',
  'documento.numero',
  'documento.data_emissao',
  'documento.emitido_em',
  'documento.layout_nacional',
  'documento.municipio_prestacao',
  'documento.revisao',
  'documento.prova',
  'documento.status_prova',
  'participacao.tipo',
  'participacao.papel',
  'versao.id as versao_id',
  'versao.tamanho',
] as const;

/** Columns of an entry, from the feed down to the served version; bytes among them would take as long as half of the rest. */
const COLUNAS = [
  'entrada.nsu',
  'entrada.importado_em',
  'entrada.motivo',
  'documento.classe',
  'documento.layout',
  'documento.evento_codigo',
  'documento.evento_descricao',
  'documento.evento_sequencia',
  ...COLUNAS_DO_MOSTRADO,
] as const;

/**
 * What `descomprimir` needs: of `conteudo`, and of its block and its certificate, both joined from the left, since not
 * every document has them.
 */
export const COLUNAS_GUARDADAS = [
  'conteudo.formato',
  sql<Uint8Array>`coalesce(bloco.bytes, conteudo.bytes)`.as('bytes'),
  'conteudo.posicao',
  'certificado_de_documento.texto as certificado',
] as const;

interface LinhaDoMostrado {
  documento_id: number;
  chave: string;
  modelo: string;
  status: string;
  serie: string | null;
  numero: string | null;
  data_emissao: string;
  emitido_em: number;
  layout_nacional: Flag;
  municipio_prestacao: number | null;
  revisao: number;
  prova: number | null;
  status_prova: number | null;
  tipo: CodigoDeTipo;
  papel: CodigoDePapel;
  versao_id: number;
  tamanho: number;
}

export interface LinhaDeEntrada extends LinhaDoMostrado {
  nsu: number;
  importado_em: number;
  motivo: CodigoDeMotivo | null;
  classe: string;
  layout: string | null;
  evento_codigo: string | null;
  evento_descricao: string | null;
  evento_sequencia: number | null;
}

/** The document of an event. */
export type LinhaDaNota = LinhaDoMostrado & { evento_id: number; sha256: Uint8Array };

export type LinhaDeEntradaComHash = LinhaDeEntrada & { sha256: Uint8Array; ambiente: number };

function entradas(db: Leitor) {
  return db
    .selectFrom('entrada')
    .innerJoin('documento', 'documento.id', 'entrada.documento_id')
    .innerJoin('participacao', (join) =>
      join
        .onRef('participacao.cliente_id', '=', 'entrada.cliente_id')
        .onRef('participacao.documento_id', '=', 'entrada.documento_id'),
    )
    .innerJoin('versao', (join) =>
      join.onRef('versao.documento_id', '=', 'documento.id').on('versao.servida', '=', sql.lit(1 as const)),
    );
}

/** Last NSU of a client's feed: with dense numbers, the number of its entries. Primary key of `cliente`. */
export async function findUltimoNsu(db: Leitor, clienteId: number): Promise<number> {
  const row = await db
    .selectFrom('cliente')
    .select('ultimo_nsu')
    .where('id', '=', clienteId)
    .executeTakeFirst();
  return row?.ultimo_nsu ?? 0;
}

/** Entries of an NSU range, ends included; primary key of `entrada`, at most a page of rows. */
export async function findEntradas(
  db: Leitor,
  input: { clienteId: number; primeiro: number; ultimo: number },
): Promise<LinhaDeEntrada[]> {
  const { clienteId, primeiro, ultimo } = input;
  return (await entradasDoIntervalo(db, [clienteId, primeiro, ultimo])) as LinhaDeEntrada[];
}

const entradasDoIntervalo = compiledOnce((db: Leitor, [clienteId = 0, primeiro = 0, ultimo = 0]) =>
  entradas(db)
    .select(COLUNAS)
    .where('entrada.cliente_id', '=', clienteId)
    .where('entrada.nsu', '>=', primeiro)
    .where('entrada.nsu', '<=', ultimo)
    .orderBy('entrada.nsu'),
);

/** Entries with these numbers, in the order of the feed; primary key of `entrada`. */
export async function findEntradasPorNsu(db: Leitor, input: NumerosDoFeed): Promise<LinhaDeEntrada[]> {
  return (await comNsus(db, input).select(COLUNAS).execute()) as LinhaDeEntrada[];
}

/** The same, with the hash of what each serves. */
export async function findEntradasComHash(
  db: Leitor,
  { clienteId, nsus }: NumerosDoFeed,
): Promise<LinhaDeEntradaComHash[]> {
  return (await comHashes(db, [clienteId, ...nsus])) as LinhaDeEntradaComHash[];
}

const comHashes = compiledOnce((db: Leitor, [clienteId = 0, ...nsus]) =>
  comNsus(db, { clienteId, nsus }).select(COLUNAS).select(['versao.sha256', 'documento.ambiente']),
);

/**
 * The documents of events, where the client takes part in them; primary keys, then index `documento_chave`. A statement of
 * its own: most entries are of no event.
 */
export async function findNotas(
  db: Leitor,
  { clienteId, eventoIds }: { clienteId: number; eventoIds: readonly number[] },
): Promise<LinhaDaNota[]> {
  const notas = engineOf(db) === 'postgres' ? notasUmaAUma : notasEmOrdem;
  const found: LinhaDaNota[] = [];
  for (const part of idChunks(eventoIds))
    found.push(...((await notas(db, [...part, clienteId])) as LinhaDaNota[]));
  return found;
}

/** SQLite keeps the order of a cross join: from the few events to what they lead to, never backwards. */
const notasEmOrdem = compiledOnce((db: Leitor, values) =>
  db
    .selectFrom('documento as evento')
    .crossJoin('documento')
    .crossJoin('participacao')
    .crossJoin('versao')
    .where('evento.id', 'in', values.slice(0, -1))
    .whereRef('documento.contador_id', '=', 'evento.contador_id')
    .whereRef('documento.chave', '=', 'evento.chave')
    .whereRef('documento.ambiente', '=', 'evento.ambiente')
    .where('documento.classe', '=', sql.lit('documento'))
    .where('participacao.cliente_id', '=', values.at(-1) ?? 0)
    .whereRef('participacao.documento_id', '=', 'documento.id')
    .whereRef('versao.documento_id', '=', 'documento.id')
    .where('versao.servida', '=', sql.lit(1 as const))
    .select(COLUNAS_DO_MOSTRADO)
    .select(['evento.id as evento_id', 'versao.sha256']),
);

/**
 * Event by event: PostgreSQL, as long as it has no statistics of a young vault, would begin with all versions that there
 * are. With an `offset` the inner select stays one of its own.
 */
const notasUmaAUma = compiledOnce((db: Leitor, values) =>
  db
    .selectFrom(
      sql<{ id: number }>`unnest(${values.slice(0, -1)}::bigint[])`.as<'procurado'>(sql`procurado(id)`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('documento as evento')
          .innerJoin('documento', (join) =>
            join
              .onRef('documento.contador_id', '=', 'evento.contador_id')
              .onRef('documento.chave', '=', 'evento.chave')
              .onRef('documento.ambiente', '=', 'evento.ambiente')
              .on('documento.classe', '=', sql.lit('documento')),
          )
          .innerJoin('participacao', 'participacao.documento_id', 'documento.id')
          .innerJoin('versao', 'versao.documento_id', 'documento.id')
          .select(COLUNAS_DO_MOSTRADO)
          .select(['evento.id as evento_id', 'versao.sha256'])
          .whereRef('evento.id', '=', 'procurado.id')
          .where('participacao.cliente_id', '=', values.at(-1) ?? 0)
          .where('versao.servida', '=', sql.lit(1 as const))
          .modifyEnd(sql`offset 0`)
          .as('nota'),
      (join) => join.onTrue(),
    )
    .selectAll('nota'),
);

interface NumerosDoFeed {
  clienteId: number;
  nsus: readonly number[];
}

function comNsus(db: Leitor, { clienteId, nsus }: NumerosDoFeed) {
  return entradas(db).where('entrada.cliente_id', '=', clienteId).where('entrada.nsu', 'in', nsus);
}

/**
 * Newest NSUs of everything under a key; index `documento_chave`, then the primary key of `participacao`. Joined
 * with the feed in one statement, the engine may choose to walk the whole feed.
 */
export async function findNsusPorChave(
  db: Leitor,
  input: { clienteId: number; contadorId: number; chave: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('participacao')
    .select('nsu')
    .where('cliente_id', '=', input.clienteId)
    .where('documento_id', 'in', (eb) =>
      eb
        .selectFrom('documento')
        .select('documento.id')
        .where('documento.contador_id', '=', input.contadorId)
        .where('documento.chave', '=', input.chave),
    )
    .execute();
  return rows.map((row) => row.nsu);
}

export type LinhaDeConteudo = ConteudoGuardado & { versao_id: number; codificacao: string };

/**
 * Bytes of versions as they are stored; primary keys. Documents of one block are given the same bytes, read once, and
 * come behind each other: who takes them in this order opens it once.
 */
export async function findConteudos(db: Leitor, versaoIds: readonly number[]): Promise<LinhaDeConteudo[]> {
  const rows = [];
  for (const part of idChunks(versaoIds)) rows.push(...(await proprios(db, part)));
  const blocos = await findBlocos(
    db,
    rows.map(({ bloco_id }) => bloco_id),
  );
  // A block that was there a moment ago was replaced meanwhile: one statement sees one state.
  if (rows.some(({ bloco_id }) => bloco_id !== null && !blocos.has(bloco_id))) {
    return conteudos(db, versaoIds)
      .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
      .select(COLUNAS_GUARDADAS)
      .execute();
  }
  // In place: a copy of each row is felt in a page.
  return rows.map((row) => {
    row.bytes = blocos.get(row.bloco_id)?.bytes ?? row.bytes;
    return row;
  });
}

const proprios = compiledOnce((db: Leitor, versaoIds) =>
  conteudos(db, versaoIds)
    .select(['conteudo.formato', 'conteudo.bytes', 'conteudo.posicao', 'conteudo.bloco_id'])
    .select('certificado_de_documento.texto as certificado'),
);

function conteudos(db: Leitor, versaoIds: readonly number[]) {
  return db
    .selectFrom('conteudo')
    .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select(['conteudo.versao_id', 'versao.codificacao'])
    .where('conteudo.versao_id', 'in', versaoIds)
    .orderBy('conteudo.bloco_id')
    .orderBy('conteudo.posicao');
}

/** Key of documents and hash of the bytes that each was new with: its oldest version; index `versao_documento`, one row of each. */
export async function findPrimeirasVersoes(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; chave: string; sha256: string }[]> {
  const found: { documento_id: number; chave: string; sha256: string }[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await db
      .selectFrom((eb) =>
        eb
          .selectFrom('versao')
          .select((of) => of.fn.min('id').as('id'))
          .where('documento_id', 'in', part)
          .groupBy('documento_id')
          .as('primeira'),
      )
      .innerJoin('versao', 'versao.id', 'primeira.id')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .select(['versao.documento_id', 'documento.chave', 'versao.sha256'])
      .execute();
    found.push(...rows.map(comHash));
  }
  return found;
}

/** Primary keys. */
export async function findDonoDaVersao(db: Leitor, versaoId: number) {
  return db
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select(['documento.contador_id', 'versao.tamanho'])
    .where('versao.id', '=', versaoId)
    .executeTakeFirst();
}

/** One version with what a download needs; primary keys. */
export async function findVersao(db: Leitor, versaoId: number) {
  return db
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select([
      ...COLUNAS_GUARDADAS,
      'versao.sha256',
      'versao.codificacao',
      'documento.chave',
      'documento.evento_codigo',
      'documento.evento_sequencia',
    ])
    .where('versao.id', '=', versaoId)
    .executeTakeFirst();
}

export interface FiltroDeListagem {
  clienteId: number;
  modelo: string;
  /** ms UTC, included. */
  desde: number;
  /** ms UTC, excluded. */
  ate: number;
  tipo: 'Emitida' | 'Recebida' | null;
  /** null: every document; an inutilização is none. */
  status: StatusDocumento | null;
  cartaCorrecao: boolean;
}

/** Status of what is listed and is no document. */
const SEM_DOCUMENTO = 'Inutilizada';

/** How many listing rows each day has; primary key of `contagem`, a few rows a day. */
export async function countPorDia(
  db: Leitor,
  filtro: Omit<FiltroDeListagem, 'desde' | 'ate'> & { primeiroDia: string; ultimoDia: string },
): Promise<{ dia: string; quantidade: number }[]> {
  let query = db
    .selectFrom('contagem')
    .select(['dia', (eb) => eb.fn.sum<number>('quantidade').as('quantidade')])
    .where('cliente_id', '=', filtro.clienteId)
    .where('modelo', '=', filtro.modelo)
    .where('dia', '>=', filtro.primeiroDia)
    .where('dia', '<=', filtro.ultimoDia);
  if (filtro.tipo) query = query.where('tipo', '=', filtro.tipo);
  query = filtro.status
    ? query.where('status', '=', filtro.status)
    : query.where('status', '<>', SEM_DOCUMENTO);
  if (filtro.cartaCorrecao) query = query.where('carta_correcao', '=', 1);
  const rows = await query.groupBy('dia').orderBy('dia').execute();
  return rows
    .map((row) => ({ dia: row.dia, quantidade: Number(row.quantidade) }))
    .filter((row) => row.quantidade > 0);
}

/** Listing rows of a range that pass the filters; the covering index `participacao_listagem`, no table is touched. */
function listadas(db: Leitor, filtro: FiltroDeListagem) {
  let query = db
    .selectFrom('participacao')
    .where('classe', '<>', sql.lit(CODIGO_DE_EVENTO))
    .where('cliente_id', '=', filtro.clienteId)
    .where('modelo', '=', filtro.modelo)
    .where('emitido_em', '>=', filtro.desde)
    .where('emitido_em', '<', filtro.ate);
  if (filtro.tipo) query = query.where('tipo', '=', TIPO_EM_CODIGO.escrever(filtro.tipo));
  query = filtro.status
    ? query.where('status', '=', STATUS_EM_CODIGO.escrever(filtro.status))
    : query.where('status', '<>', STATUS_EM_CODIGO.escrever(SEM_DOCUMENTO));
  if (filtro.cartaCorrecao) query = query.where('carta_correcao', '=', 1);
  return query;
}

/**
 * NSUs of listing rows in listing order. Reading starts on the day that the page begins in, so `limite` is the page
 * and what lies before it on that day.
 */
export async function findNsusDaListagem(
  db: Leitor,
  filtro: FiltroDeListagem & { limite: number },
): Promise<number[]> {
  const rows = await listadas(db, filtro)
    .select('nsu')
    .orderBy('emitido_em')
    .orderBy('nsu')
    .limit(filtro.limite)
    .execute();
  return rows.map((row) => row.nsu);
}

/** How many listing rows lie between two instants of one day; at most a day's rows are looked at. */
export async function countEntre(db: Leitor, filtro: FiltroDeListagem): Promise<number> {
  const row = await listadas(db, filtro)
    .select((eb) => eb.fn.countAll<number>().as('quantidade'))
    .executeTakeFirstOrThrow();
  return Number(row.quantidade);
}
