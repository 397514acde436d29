/** Statements that write the feeds: who is to see a document, the counters, entries, listing rows and daily counts. */
import { type QueryCreator, type Selectable, sql } from 'kysely';
import type {
  CodigoDePapel,
  Flag,
  TabelaContagem,
  TabelaDocumento,
  TabelaEntrada,
  TabelaParticipacao,
  Tabelas,
} from '../../banco/tabelas.ts';
import { diaDe } from '../../fiscal/dia.ts';
import type { Papel } from '../../fiscal/tipos.ts';
import { engineOf } from '../../platform/db/engine.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import { idChunks, rowBatches, rowChunks } from '../bytes/chunks.ts';
import {
  CLASSE_EM_CODIGO,
  CODIGO_DE_EVENTO,
  PAPEL_EM_CODIGO,
  STATUS_EM_CODIGO,
  TIPO_EM_CODIGO,
  type TipoDeParticipacao,
} from '../lean/codigos.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

/** The tables, or what stands in the place of one. */
type Consultavel = Pick<QueryCreator<Tabelas>, 'selectFrom'>;

/** A listing row in words, with the day that follows from its instant. */
export type Participacao = Omit<TabelaParticipacao, 'papel' | 'tipo' | 'classe' | 'status' | 'repetida'> & {
  papel: Papel;
  tipo: TipoDeParticipacao;
  classe: Selectable<TabelaDocumento>['classe'];
  status: string;
  dia: string;
  /** Said of a row that is written for the first time; one that is there keeps its own. */
  repetida?: TabelaParticipacao['repetida'];
};

function emPalavras(row: Selectable<TabelaParticipacao>): Participacao {
  return {
    ...row,
    papel: PAPEL_EM_CODIGO.ler(row.papel),
    tipo: TIPO_EM_CODIGO.ler(row.tipo),
    classe: CLASSE_EM_CODIGO.ler(row.classe),
    status: STATUS_EM_CODIGO.ler(row.status),
    dia: diaDe(row.emitido_em),
  };
}

function emCodigos({ dia: _dia, repetida = 0, ...row }: Participacao): TabelaParticipacao {
  return {
    ...row,
    repetida,
    papel: PAPEL_EM_CODIGO.escrever(row.papel),
    tipo: TIPO_EM_CODIGO.escrever(row.tipo),
    classe: CLASSE_EM_CODIGO.escrever(row.classe),
    status: STATUS_EM_CODIGO.escrever(row.status),
  };
}

/** Listing rows of documents; index `participacao_documento`, one row for each client that takes part. */
export async function findParticipacoes(trx: Trx, documentoIds: readonly number[]): Promise<Participacao[]> {
  const found: Participacao[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await trx.selectFrom('participacao').selectAll().where('documento_id', 'in', part).execute();
    found.push(...rows.map(emPalavras));
  }
  return found;
}

/** As what the clients who see these documents already do so; index `participacao_documento`. */
export async function findTiposListados(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; tipo: TipoDeParticipacao }[]> {
  const found: { documento_id: number; tipo: TipoDeParticipacao }[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .selectFrom('participacao')
      .select(['documento_id', 'tipo'])
      .where('documento_id', 'in', part)
      .execute();
    found.push(...rows.map((row) => ({ ...row, tipo: TIPO_EM_CODIGO.ler(row.tipo) })));
  }
  return found;
}

/**
 * Says anew of these documents which of their listing rows repeat them; index `participacao_documento`. What was remembered of
 * the clients' counts does not stand any more.
 */
export async function updateRepetidas(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    const outra = sql`select 1 from participacao as outra where outra.documento_id = participacao.documento_id
      and outra.cliente_id < participacao.cliente_id`;
    await trx
      .updateTable('participacao')
      .set({
        repetida: sql<0 | 1 | 2>`case when exists (${outra} and outra.tipo = participacao.tipo) then 2
          when exists (${outra}) then 1 else 0 end`,
      })
      .where('documento_id', 'in', part)
      .where('classe', '<>', sql.lit(CODIGO_DE_EVENTO))
      .execute();
    await trx
      .updateTable('cliente')
      .set((eb) => ({ revisao: eb('revisao', '+', 1) }))
      .where('id', 'in', (eb) =>
        eb.selectFrom('participacao').select('cliente_id').where('documento_id', 'in', part),
      )
      .execute();
  }
}

/** Which of these documents at least one client sees; index `participacao_documento` alone. */
export async function findListados(trx: Trx, documentoIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .selectFrom('participacao')
      .select('documento_id')
      .distinct()
      .where('documento_id', 'in', part)
      .execute();
    found.push(...rows.map((row) => row.documento_id));
  }
  return found;
}

/** Which of these are clients of an office, and under what id; its unique key. */
export async function findClientesEntre(
  trx: Trx,
  input: { contadorId: number; cpfCnpjs: readonly string[] },
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const part of idChunks(input.cpfCnpjs)) {
    const rows = await trx
      .selectFrom('cliente')
      .select(['id', 'cpf_cnpj'])
      .where('contador_id', '=', input.contadorId)
      .where('cpf_cnpj', 'in', part)
      .execute();
    for (const { id, cpf_cnpj } of rows) found.set(cpf_cnpj, id);
  }
  return found;
}

/** What a registered client plays in a document; one row for each papel. */
export interface PapelDeCliente {
  cliente_id: number;
  documento_id: number;
  papel: Papel;
  ambiente: number;
  classe: Selectable<TabelaDocumento>['classe'];
  modelo: string;
  emitido_em: number;
  dia: string;
  status: string;
  carta_correcao: Flag;
}

const COLUNAS_DO_PAPEL = [
  'cliente.id as cliente_id',
  'participante.documento_id',
  'participante.papel',
  'documento.ambiente',
  'documento.classe',
  'documento.modelo',
  'documento.emitido_em',
  'documento.dia',
  'documento.status',
  'documento.carta_correcao',
] as const;

/** Each field by its name: what SQLite gives is slow to be copied whole, and this is one for each party. */
function comPapel(row: Omit<PapelDeCliente, 'papel'> & { papel: CodigoDePapel }): PapelDeCliente {
  return {
    cliente_id: row.cliente_id,
    documento_id: row.documento_id,
    papel: PAPEL_EM_CODIGO.ler(row.papel),
    ambiente: row.ambiente,
    classe: row.classe,
    modelo: row.modelo,
    emitido_em: row.emitido_em,
    dia: row.dia,
    status: row.status,
    carta_correcao: row.carta_correcao,
  };
}

/** Registered clients that take part in these documents and do not see them yet; one row for each papel. */
export async function findParticipacoesEmFalta(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<PapelDeCliente[]> {
  const found: PapelDeCliente[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await papeisEmFalta(comPartesPrimeiro(db, part))
      .where('participante.documento_id', 'in', part)
      .select(COLUNAS_DO_PAPEL)
      .execute();
    found.push(...rows.map(comPapel));
  }
  return found;
}

/**
 * The parties of these documents, taken before anything else: PostgreSQL, as long as it has no statistics of a young vault,
 * would begin with all that each client has.
 */
function comPartesPrimeiro(db: Leitor, documentoIds: readonly number[]): Consultavel {
  if (engineOf(db) !== 'postgres') return db;
  return db.with(
    (cte) => cte('participante').materialized(),
    (one) =>
      one
        .selectFrom('participante')
        .selectAll()
        .where('documento_id', 'in', documentoIds)
        // Follows from the list, and shows that documents of a batch lie beside each other.
        .where('documento_id', '>=', Math.min(...documentoIds))
        .where('documento_id', '<=', Math.max(...documentoIds)),
  );
}

/** The same for one client and everything the office holds, a page at a time in order of arrival. */
export async function findParticipacoesEmFaltaDoCliente(
  trx: Trx,
  input: {
    contadorId: number;
    cpfCnpj: string;
    depoisDe: number;
    limite: number;
    ambientes: readonly number[];
  },
): Promise<PapelDeCliente[]> {
  const rows = await papeisEmFalta(trx)
    .where('participante.contador_id', '=', input.contadorId)
    .where('participante.cpf_cnpj', '=', input.cpfCnpj)
    .where('participante.documento_id', '>', input.depoisDe)
    .where('documento.ambiente', 'in', input.ambientes)
    .select(COLUNAS_DO_PAPEL)
    .orderBy('participante.documento_id')
    .limit(input.limite)
    .execute();
  return rows.map(comPapel);
}

/** The same of clients who see these documents already; few, for documents that were replaced. */
export async function findPapeisListados(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<PapelDeCliente[]> {
  const found: PapelDeCliente[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await papeisDeClientes(comPartesPrimeiro(db, part))
      .innerJoin('participacao', (join) =>
        join
          .onRef('participacao.cliente_id', '=', 'cliente.id')
          .onRef('participacao.documento_id', '=', 'participante.documento_id'),
      )
      .where('participante.documento_id', 'in', part)
      .select(COLUNAS_DO_PAPEL)
      .execute();
    found.push(...rows.map(comPapel));
  }
  return found;
}

function papeisEmFalta(db: Consultavel) {
  return papeisDeClientes(db)
    .leftJoin('participacao', (join) =>
      join
        .onRef('participacao.cliente_id', '=', 'cliente.id')
        .onRef('participacao.documento_id', '=', 'participante.documento_id'),
    )
    .where('participacao.documento_id', 'is', null);
}

function papeisDeClientes(db: Consultavel) {
  return db
    .selectFrom('participante')
    .innerJoin('cliente', (join) =>
      join
        .onRef('cliente.contador_id', '=', 'participante.contador_id')
        .onRef('cliente.cpf_cnpj', '=', 'participante.cpf_cnpj'),
    )
    .innerJoin('documento', 'documento.id', 'participante.documento_id');
}

/** Locks the counter rows of these clients, in one order for every writer, so that two cannot wait for each other. */
export async function lockCounters(
  trx: Trx,
  clienteIds: readonly number[],
): Promise<{ id: number; ultimo_nsu: number }[]> {
  const found: { id: number; ultimo_nsu: number }[] = [];
  for (const part of idChunks([...clienteIds].sort((a, b) => a - b))) {
    found.push(
      ...(await trx
        .selectFrom('cliente')
        .select(['id', 'ultimo_nsu'])
        .where('id', 'in', part)
        .orderBy('id')
        .forUpdate()
        .execute()),
    );
  }
  return found;
}

/** Writes counter rows that are locked; primary key. */
export async function updateCounters(
  trx: Trx,
  counters: readonly { clienteId: number; ultimoNsu: number }[],
): Promise<void> {
  for (const part of rowChunks(trx, counters)) {
    // Cast, since an engine that sees no column beside a value takes it for text. Both name columns of `values` so.
    const rows = part.map(
      ({ clienteId, ultimoNsu }) => sql`(cast(${clienteId} as bigint), cast(${ultimoNsu} as bigint))`,
    );
    await trx
      .updateTable('cliente')
      .from(sql<{ column1: number; column2: number }>`(values ${sql.join(rows)})`.as('novo'))
      .set((eb) => ({ ultimo_nsu: eb.ref('novo.column2') }))
      .whereRef('cliente.id', '=', 'novo.column1')
      .execute();
  }
}

/** Entries whose NSUs were taken in this very transaction. */
export async function insertEntradas(trx: Trx, rows: readonly TabelaEntrada[]): Promise<void> {
  for (const part of rowBatches(rows)) await insertMany(trx, 'entrada', part).execute();
}

/** Listing rows of documents that these clients have not seen. */
export async function insertParticipacoes(trx: Trx, rows: readonly Participacao[]): Promise<void> {
  for (const part of rowBatches(rows.map(emCodigos))) await insertMany(trx, 'participacao', part).execute();
}

/** A document that gets a second entry keeps one listing row, which shows the newest NSU. */
export async function upsertParticipacoes(trx: Trx, rows: readonly Participacao[]): Promise<void> {
  for (const part of rowBatches(rows.map(emCodigos))) {
    await insertMany(trx, 'participacao', part)
      .onConflict((conflict) =>
        conflict.columns(['cliente_id', 'documento_id']).doUpdateSet((eb) => ({
          nsu: eb.ref('excluded.nsu'),
          papel: eb.ref('excluded.papel'),
          tipo: eb.ref('excluded.tipo'),
          emitido_em: eb.ref('excluded.emitido_em'),
          status: eb.ref('excluded.status'),
          carta_correcao: eb.ref('excluded.carta_correcao'),
        })),
      )
      .execute();
  }
}

/** Adds (or, negative, takes away) listing rows of a day. */
export async function addContagens(trx: Trx, rows: readonly TabelaContagem[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'contagem', part)
      .onConflict((conflict) =>
        conflict
          .columns(['cliente_id', 'modelo', 'dia', 'tipo', 'status', 'carta_correcao'])
          .doUpdateSet((eb) => ({
            quantidade: eb('contagem.quantidade', '+', eb.ref('excluded.quantidade')),
          })),
      )
      .execute();
  }
}

/** Documents of homologação, in order of arrival, a step at a time. Runs once, when the setting was switched on. */
export async function findHomologacao(
  trx: Trx,
  input: { depoisDe: number; limite: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('documento')
    .select('id')
    .where('ambiente', '=', 2)
    .where('id', '>', input.depoisDe)
    .orderBy('id')
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.id);
}
