/** Every statement of capture. One function is one statement, unless it says otherwise. */
import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type {
  Ambiente,
  Servico,
  TabelaCaptura,
  TabelaCapturaChave,
  TabelaCapturaEstado,
} from '../banco/tabelas-captura.ts';

type Db = Kysely<Tabelas>;
export type Trx = Transaction<Tabelas>;
export type LinhaDeEstado = Selectable<TabelaCapturaEstado>;
export type LinhaDeCaptura = Selectable<TabelaCaptura>;
export type LinhaDeChave = Selectable<TabelaCapturaChave>;

/** What a sequence is known by. */
export interface Sequencia {
  cpf_cnpj: string;
  servico: Servico;
  ambiente: Ambiente;
}

// ── consent ───────────────────────────────────────────────────────────────────────────────────────────────────

/** What an office has said about the services of one client. Primary key, at most four rows. */
export async function findCapturas(
  db: Db,
  input: { contadorId: number; clienteId: number },
): Promise<LinhaDeCaptura[]> {
  return db
    .selectFrom('captura')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .where('cliente_id', '=', input.clienteId)
    .orderBy('servico')
    .execute();
}

export async function upsertCaptura(trx: Trx, row: Insertable<TabelaCaptura>): Promise<void> {
  const { ligada, mudada_em, mudada_por, passiva, pedida_em } = row;
  await trx
    .insertInto('captura')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['cliente_id', 'servico'])
        .doUpdateSet({ ligada, mudada_em, mudada_por, passiva, pedida_em }),
    )
    .execute();
}

/** Offices that want this CNPJ's documents of this service, passive ones included. Index of `cliente`, then primary keys. */
export async function findInteressados(db: Db, input: { cpfCnpj: string; servico: Servico }) {
  return db
    .selectFrom('captura')
    .innerJoin('cliente', 'cliente.id', 'captura.cliente_id')
    .select([
      'captura.contador_id',
      'captura.cliente_id',
      'captura.passiva',
      'captura.pedida_em',
      'cliente.trabalha_com_procuracao',
    ])
    .where('cliente.cpf_cnpj', '=', input.cpfCnpj)
    .where('captura.servico', '=', input.servico)
    .where('captura.ligada', '=', 1)
    .orderBy('captura.contador_id')
    .execute();
}

// ── state of sequences ────────────────────────────────────────────────────────────────────────────────────────

export async function findEstado(db: Db, sequencia: Sequencia): Promise<LinhaDeEstado | null> {
  const row = await db
    .selectFrom('captura_estado')
    .selectAll()
    .where('cpf_cnpj', '=', sequencia.cpf_cnpj)
    .where('servico', '=', sequencia.servico)
    .where('ambiente', '=', sequencia.ambiente)
    .executeTakeFirst();
  return row ?? null;
}

/** States of one client at all services: primary key, at most four rows. */
export async function findEstados(
  db: Db,
  input: { cpfCnpj: string; ambiente: Ambiente },
): Promise<LinhaDeEstado[]> {
  return db
    .selectFrom('captura_estado')
    .selectAll()
    .where('cpf_cnpj', '=', input.cpfCnpj)
    .where('ambiente', '=', input.ambiente)
    .execute();
}

/** Makes the state of a sequence where there is none. */
export async function insertEstado(
  trx: Trx,
  row: Insertable<TabelaCapturaEstado> & Sequencia,
): Promise<void> {
  await trx
    .insertInto('captura_estado')
    .values(row)
    .onConflict((oc) => oc.columns(['cpf_cnpj', 'servico', 'ambiente']).doNothing())
    .execute();
}

/** @returns whether it was there, and, where a tenant is named, still that tenant's */
export async function updateEstado(
  trx: Trx,
  input: Sequencia & { locatario?: string; set: Updateable<TabelaCapturaEstado> },
): Promise<boolean> {
  let update = trx
    .updateTable('captura_estado')
    .set(input.set)
    .where('cpf_cnpj', '=', input.cpf_cnpj)
    .where('servico', '=', input.servico)
    .where('ambiente', '=', input.ambiente);
  if (input.locatario !== undefined) update = update.where('locatario', '=', input.locatario);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** Sequences that may be called, the longest waiting first; index `captura_estado_proxima`. */
export async function findVencidos(
  db: Db,
  input: { ambiente: Ambiente; agora: number; limite: number },
): Promise<LinhaDeEstado[]> {
  return db
    .selectFrom('captura_estado')
    .selectAll()
    .where('proxima_em', 'is not', null)
    .where('proxima_em', '<=', input.agora)
    .where('ambiente', '=', input.ambiente)
    .where((eb) => eb.or([eb('locada_ate', 'is', null), eb('locada_ate', '<', input.agora)]))
    .orderBy('proxima_em')
    .limit(input.limite)
    .execute();
}

/** When the next sequence is due; null: none ever is. Index `captura_estado_proxima`. */
export async function findProxima(db: Db, ambiente: Ambiente): Promise<number | null> {
  const row = await db
    .selectFrom('captura_estado')
    .select((eb) => eb.fn.min('proxima_em').as('proxima'))
    .where('proxima_em', 'is not', null)
    .where('ambiente', '=', ambiente)
    .executeTakeFirst();
  return row?.proxima ?? null;
}

/** How many sequences are being worked on; index `captura_estado_locada`. */
export async function countLocadas(db: Db, agora: number): Promise<number> {
  const { n } = await db
    .selectFrom('captura_estado')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('locada_ate', 'is not', null)
    .where('locada_ate', '>=', agora)
    .executeTakeFirstOrThrow();
  return Number(n);
}

// ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Notes that a key is wanted; a person's wish makes one that was given up wanted again. */
export async function upsertChave(trx: Trx, row: Insertable<TabelaCapturaChave>): Promise<void> {
  const { por_pessoa, pedida_em, pedida_por, cliente_id } = row;
  await trx
    .insertInto('captura_chave')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['contador_id', 'chave'])
        .doUpdateSet({ por_pessoa, pedida_em, pedida_por, cliente_id, estado: 'pendente', resposta: null })
        .where(sql.lit(por_pessoa === 1), '=', sql.lit(true)),
    )
    .execute();
}

/** The next wanted keys of a client: persons' first, then the oldest; index `captura_chave_pendente`. */
export async function findChavesPendentes(
  db: Db,
  input: { clienteId: number; servico: Servico; limite: number },
): Promise<LinhaDeChave[]> {
  return db
    .selectFrom('captura_chave')
    .selectAll()
    .where('cliente_id', '=', input.clienteId)
    .where('servico', '=', input.servico)
    .where('estado', '=', 'pendente')
    .orderBy('por_pessoa', 'desc')
    .orderBy('pedida_em')
    .limit(input.limite)
    .execute();
}
