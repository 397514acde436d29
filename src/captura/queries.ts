/** Every statement of capture. One function is one statement, unless it says otherwise. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Trx } from '../banco/tabelas.ts';
import type {
  Ambiente,
  Servico,
  TabelaCaptura,
  TabelaCapturaChave,
  TabelaCapturaEstado,
} from '../banco/tabelas-captura.ts';
import { rowBatches } from '../documentos/bytes/chunks.ts';
import { insertMany } from '../platform/db/many-rows.ts';

export type LinhaDeEstado = Selectable<TabelaCapturaEstado>;
export type MudancaDeEstado = Updateable<TabelaCapturaEstado>;
type LinhaDeCaptura = Selectable<TabelaCaptura>;
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
  const { ligada, mudada_em, mudada_por, passiva } = row;
  await trx
    .insertInto('captura')
    .values(row)
    .onConflict((oc) =>
      oc.columns(['cliente_id', 'servico']).doUpdateSet({ ligada, mudada_em, mudada_por, passiva }),
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

/** Which of the two instants of a sequence is meant: of its pages, or of its single documents. */
type Vencimento = 'proxima_em' | 'chaves_em';

/** Of the SAE, which gives documents to one caller at a time, or of all the other services. */
export type Grupo = 'sae' | 'demais';

const servicosDe = (grupo: Grupo) => sql<boolean>`servico ${sql.raw(grupo === 'sae' ? '=' : '<>')} 'nfce'`;

/** Sequences whose instant has come, the longest waiting first; the indexes of the group, `captura_estado_…`. */
export async function findVencidos(
  db: Db,
  input: { coluna: Vencimento; grupo: Grupo; ambiente: Ambiente; agora: number; limite: number },
) {
  const { coluna, grupo, ambiente, agora, limite } = input;
  return db
    .selectFrom('captura_estado')
    .select(['cpf_cnpj', 'servico', `${coluna} as desde`])
    .where(coluna, 'is not', null)
    .where(coluna, '<=', agora)
    .where('ambiente', '=', ambiente)
    .where(servicosDe(grupo))
    .where((eb) => eb.or([eb('locada_ate', 'is', null), eb('locada_ate', '<', agora)]))
    .orderBy(coluna)
    .limit(limite)
    .execute();
}

/** When the next instant of a group comes; null: none ever does. The beginning of one index. */
export async function findProxima(
  db: Db,
  { coluna, grupo, ambiente }: { coluna: Vencimento; grupo: Grupo; ambiente: Ambiente },
): Promise<number | null> {
  const row = await db
    .selectFrom('captura_estado')
    .select(coluna)
    .where(coluna, 'is not', null)
    .where('ambiente', '=', ambiente)
    .where(servicosDe(grupo))
    .orderBy(coluna)
    .limit(1)
    .executeTakeFirst();
  return row?.[coluna] ?? null;
}

/** The sequences that nobody may take now: with a tenant a call is under way, without one a service rests. Index `captura_estado_locada`, a few rows. */
export async function findLocadas(db: Db, agora: number) {
  return db
    .selectFrom('captura_estado')
    .select(['servico', 'locatario', 'locada_ate'])
    .where('locada_ate', 'is not', null)
    .where('locada_ate', '>=', agora)
    .execute();
}

/** Until when the SAE has been told to rest by a call that is over; null: it does not. Index `captura_estado_locada`. */
export async function findSaeDescansa(db: Db, agora: number): Promise<number | null> {
  const row = await db
    .selectFrom('captura_estado')
    .select('locada_ate')
    .where('locada_ate', 'is not', null)
    .where('locada_ate', '>=', agora)
    .where('locatario', 'is', null)
    .where('servico', '=', 'nfce')
    .orderBy('locada_ate', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.locada_ate ?? null;
}

// ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Notes that a person wants a key, which makes one that was given up wanted again. */
export async function upsertChave(trx: Trx, row: Insertable<TabelaCapturaChave>): Promise<void> {
  const { servico, por_pessoa, pedida_em, pedida_por, cliente_id } = row;
  await trx
    .insertInto('captura_chave')
    .values(row)
    .onConflict((oc) =>
      oc.columns(['contador_id', 'chave']).doUpdateSet({
        ...{ servico, por_pessoa, pedida_em, pedida_por, cliente_id },
        ...{ estado: 'pendente', tentativas: 0, resposta: null },
      }),
    )
    .execute();
}

export async function findChave(
  db: Db,
  input: { contadorId: number; chave: string },
): Promise<LinhaDeChave | null> {
  const row = await db
    .selectFrom('captura_chave')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .where('chave', '=', input.chave)
    .executeTakeFirst();
  return row ?? null;
}

/** The next wanted key of some clients: persons' first, then what was tried least, then the oldest; index `captura_chave_pendente`. */
export async function findChavePendente(
  db: Db,
  input: { clienteIds: readonly number[]; servico: Servico },
): Promise<LinhaDeChave | null> {
  if (input.clienteIds.length === 0) return null;
  const row = await db
    .selectFrom('captura_chave')
    .selectAll()
    .where('cliente_id', 'in', input.clienteIds)
    .where('servico', '=', input.servico)
    .where('estado', '=', sql.lit('pendente'))
    .orderBy('por_pessoa', 'desc')
    .orderBy('tentativas')
    .orderBy('pedida_em')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** What was wanted and what became of it, newest first; primary key of the office. */
export async function findChaves(
  db: Db,
  input: { contadorId: number; clienteId: number; limite: number },
): Promise<LinhaDeChave[]> {
  return db
    .selectFrom('captura_chave')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .where('cliente_id', '=', input.clienteId)
    .orderBy('pedida_em', 'desc')
    .limit(input.limite)
    .execute();
}

export async function updateChave(
  trx: Trx,
  input: { contadorId: number; chave: string; set: Updateable<TabelaCapturaChave> },
): Promise<void> {
  await trx
    .updateTable('captura_chave')
    .set(input.set)
    .where('contador_id', '=', input.contadorId)
    .where('chave', '=', input.chave)
    .execute();
}

/** Single documents of a sequence are looked at from now on, unless they are already. */
export async function wakeChaves(trx: Trx, input: Sequencia & { agora: number }): Promise<void> {
  await trx
    .updateTable('captura_estado')
    .set({ chaves_em: input.agora })
    .where('cpf_cnpj', '=', input.cpf_cnpj)
    .where('servico', '=', input.servico)
    .where('ambiente', '=', input.ambiente)
    .where('chaves_em', 'is', null)
    .execute();
}

/** Keys that were listed; those that are known already stay as they are. */
export async function insertChaves(trx: Trx, rows: readonly Insertable<TabelaCapturaChave>[]): Promise<void> {
  for (const part of rowBatches(rows))
    await insertMany(trx, 'captura_chave', part)
      .onConflict((oc) => oc.columns(['contador_id', 'chave']).doNothing())
      .execute();
}

// ── the steady clock ──────────────────────────────────────────────────────────────────────────────────────────

/** The start of a machine as it was seen first; noted when it is seen now. Two statements. */
export async function firstInicio(
  db: Db,
  input: { partida: string; inicio: number; agora: number },
): Promise<number> {
  await db
    .insertInto('captura_relogio')
    .values({ partida: input.partida, inicio: input.inicio, visto_em: input.agora })
    .onConflict((oc) => oc.column('partida').doNothing())
    .execute();
  const row = await db
    .selectFrom('captura_relogio')
    .select('inicio')
    .where('partida', '=', input.partida)
    .executeTakeFirstOrThrow();
  return row.inicio;
}

/** What any machine's clock said last; null: there is none yet. A few rows. */
export async function lastVisto(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('captura_relogio')
    .select('visto_em')
    .orderBy('visto_em', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.visto_em ?? null;
}

export async function updateVisto(
  db: Db,
  { partida, agora }: { partida: string; agora: number },
): Promise<void> {
  await db
    .updateTable('captura_relogio')
    .set({ visto_em: agora })
    .where('partida', '=', partida)
    .where('visto_em', '<', agora)
    .execute();
}

// ── certificates ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Present certificates of an office, with the client that each was given for.
 * @param input.cpfCnpj only those that may speak for it: its own and those of its company's other establishments
 */
export async function findCertificados(db: Db, input: { contadorId: number; cpfCnpj?: string }) {
  const { contadorId, cpfCnpj } = input;
  let query = db
    .selectFrom('certificado')
    .innerJoin('cliente', 'cliente.id', 'certificado.cliente_id')
    .select([
      'certificado.cliente_id',
      'certificado.titular',
      'certificado.impressao',
      'certificado.uf',
      'certificado.valido_de',
      'certificado.valido_ate',
      'cliente.cpf_cnpj',
    ])
    .where('cliente.contador_id', '=', contadorId)
    .where('certificado.substituido_em', 'is', null);
  if (cpfCnpj !== undefined) {
    const raiz = cpfCnpj.length === 14 ? cpfCnpj.slice(0, 8) : cpfCnpj;
    query = query.where('cliente.cpf_cnpj', '>=', raiz).where('cliente.cpf_cnpj', '<', `${raiz}~`);
  }
  return query.execute();
}
