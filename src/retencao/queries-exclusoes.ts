/** Every statement of retention. One function is one statement. */
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type {
  EstadoDaExclusao,
  TabelaExclusao,
  TabelaExclusaoDocumento,
  TabelaExclusaoPacote,
  TabelaGuardaLegal,
  TabelaRegraRetencao,
} from '../banco/tabelas-retencao.ts';
import { COLUNAS_GUARDADAS } from '../documentos/queries-leitura.ts';

export type Leitor = Kysely<Tabelas>;
export type Trx = Transaction<Tabelas>;

// ── prazos ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** At most one row a kind; primary key. */
export async function findRegras(db: Leitor, contadorId: number): Promise<TabelaRegraRetencao[]> {
  return db.selectFrom('regra_retencao').selectAll().where('contador_id', '=', contadorId).execute();
}

export async function upsertRegra(trx: Trx, row: TabelaRegraRetencao): Promise<void> {
  const { meses, alterada_em, alterada_por } = row;
  await trx
    .insertInto('regra_retencao')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['contador_id', 'modelo']).doUpdateSet({ meses, alterada_em, alterada_por }),
    )
    .execute();
}

export async function deleteRegra(trx: Trx, input: { contadorId: number; modelo: string }): Promise<void> {
  await trx
    .deleteFrom('regra_retencao')
    .where('contador_id', '=', input.contadorId)
    .where('modelo', '=', input.modelo)
    .execute();
}

// ── guardas ─────────────────────────────────────────────────────────────────────────────────────────────────────

export async function insertGuarda(trx: Trx, row: Insertable<TabelaGuardaLegal>): Promise<number> {
  const { id } = await trx.insertInto('guarda_legal').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** @returns false when there is none in force with that id */
export async function liftGuarda(
  trx: Trx,
  input: { contadorId: number; id: number; em: number; por: string; motivo: string },
): Promise<boolean> {
  const rows = await trx
    .updateTable('guarda_legal')
    .set({ levantada_em: input.em, levantada_por: input.por, levantada_motivo: input.motivo })
    .where('contador_id', '=', input.contadorId)
    .where('id', '=', input.id)
    .where('levantada_em', 'is', null)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Index `guarda_legal_contador`; a person makes each of them, so they are few. */
export async function findGuardas(db: Leitor, contadorId: number) {
  return db
    .selectFrom('guarda_legal')
    .leftJoin('cliente', 'cliente.id', 'guarda_legal.cliente_id')
    .selectAll('guarda_legal')
    .select(['cliente.cpf_cnpj', 'cliente.nome'])
    .where('guarda_legal.contador_id', '=', contadorId)
    .orderBy(sql`case when guarda_legal.levantada_em is null then 0 else 1 end`)
    .orderBy('guarda_legal.id', 'desc')
    .execute();
}

export async function findGuardasEmVigor(
  db: Leitor,
  contadorId: number,
): Promise<Selectable<TabelaGuardaLegal>[]> {
  return db
    .selectFrom('guarda_legal')
    .selectAll()
    .where('contador_id', '=', contadorId)
    .where('levantada_em', 'is', null)
    .orderBy('id')
    .execute();
}

// ── documentos ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface Candidato {
  id: number;
  chave: string;
  classe: string;
  modelo: string;
  dia: string;
  emitido_em: number;
  importado_em: number;
  sha256: string;
}

/**
 * Documents of an office that were issued before an instant, oldest first: a range of index `documento_vencimento`,
 * a page of it.
 */
export async function findEmitidosAntesDe(
  db: Leitor,
  input: {
    contadorId: number;
    antesDe: number;
    depois: { emitidoEm: number; id: number };
    limite: number;
  },
): Promise<Candidato[]> {
  const { emitidoEm, id } = input.depois;
  return db
    .selectFrom('documento')
    .innerJoin('versao', (join) =>
      join.onRef('versao.documento_id', '=', 'documento.id').on('versao.servida', '=', sql.lit(1 as const)),
    )
    .select([
      'documento.id',
      'documento.chave',
      'documento.classe',
      'documento.modelo',
      'documento.dia',
      'documento.emitido_em',
      'documento.importado_em',
      'versao.sha256',
    ])
    .where('documento.excluido_em', 'is', null)
    .where('documento.contador_id', '=', input.contadorId)
    .where('documento.emitido_em', '<', input.antesDe)
    .where(sql<boolean>`(documento.emitido_em, documento.id) > (${emitidoEm}, ${id})`)
    .orderBy('documento.emitido_em')
    .orderBy('documento.id')
    .limit(input.limite)
    .execute();
}

/** Which clients have an entry of these documents; index `participacao_documento`. */
export async function findClientesDe(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; cliente_id: number }[]> {
  if (documentoIds.length === 0) return [];
  return db
    .selectFrom('participacao')
    .select(['documento_id', 'cliente_id'])
    .where('documento_id', 'in', documentoIds)
    .execute();
}

/** The days of issue of the documents that events are about; index `documento_chave`. */
export async function findDocumentosDasChaves(
  db: Leitor,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<{ chave: string; dia: string; modelo: string; importado_em: number }[]> {
  if (input.chaves.length === 0) return [];
  return db
    .selectFrom('documento')
    .select(['chave', 'dia', 'modelo', 'importado_em'])
    .where('contador_id', '=', input.contadorId)
    .where('chave', 'in', input.chaves)
    .where('classe', '=', 'documento')
    .where('excluido_em', 'is', null)
    .execute();
}

/** Stored bytes of served versions with what names them; primary keys. */
export async function findConteudosServidos(db: Leitor, documentoIds: readonly number[]) {
  if (documentoIds.length === 0) return [];
  return db
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select([
      'documento.id as documento_id',
      'documento.chave',
      'documento.classe',
      'documento.especie',
      'documento.modelo',
      'documento.serie',
      'documento.numero',
      'documento.data_emissao',
      'documento.emitente',
      'documento.destinatario',
      'documento.status',
      'documento.evento_codigo',
      'documento.evento_sequencia',
      'versao.id as versao_id',
      'versao.sha256',
      'versao.servida',
      ...COLUNAS_GUARDADAS,
    ])
    .where('versao.documento_id', 'in', documentoIds)
    .orderBy('documento.id')
    .orderBy('versao.servida', 'desc')
    .execute();
}

// ── exclusões ───────────────────────────────────────────────────────────────────────────────────────────────────

export type Exclusao = Selectable<TabelaExclusao>;

export async function insertExclusao(trx: Trx, row: Insertable<TabelaExclusao>): Promise<void> {
  await trx.insertInto('exclusao').values(row).execute();
}

export async function findExclusao(
  db: Leitor,
  input: { contadorId: number; id: string },
): Promise<Exclusao | undefined> {
  return db
    .selectFrom('exclusao')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .where('id', '=', input.id)
    .executeTakeFirst();
}

/** Index `exclusao_contador`, newest first. */
export async function findExclusoes(db: Leitor, contadorId: number): Promise<Exclusao[]> {
  return db
    .selectFrom('exclusao')
    .selectAll()
    .where('contador_id', '=', contadorId)
    .orderBy('criada_em', 'desc')
    .limit(200)
    .execute();
}

/** Deletions somebody asked for that wait for a process; index `exclusao_a_fazer`. */
export async function findExclusoesAFazer(db: Leitor): Promise<Exclusao[]> {
  return db
    .selectFrom('exclusao')
    .selectAll()
    .where('estado', 'in', [sql.lit('preparando' as const), sql.lit('confirmada' as const)])
    .orderBy('criada_em')
    .execute();
}

/** Takes a deletion for a while, or prolongs it. @returns false when another process has it */
export async function leaseExclusao(
  db: Leitor,
  input: { id: string; por: string; agora: number; ate: number },
): Promise<boolean> {
  const rows = await db
    .updateTable('exclusao')
    .set({ tomada_por: input.por, tomada_ate: input.ate })
    .where('id', '=', input.id)
    .where((eb) =>
      eb.or([
        eb('tomada_por', 'is', null),
        eb('tomada_por', '=', input.por),
        eb('tomada_ate', '<', input.agora),
      ]),
    )
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Moves a deletion on. @returns false when it is in another state by now */
export async function moveExclusao(
  trx: Trx,
  input: {
    id: string;
    de: readonly EstadoDaExclusao[];
    mudanca: Partial<Omit<Insertable<TabelaExclusao>, 'id' | 'contador_id'>>;
  },
): Promise<boolean> {
  const rows = await trx
    .updateTable('exclusao')
    .set(input.mudanca)
    .where('id', '=', input.id)
    .where('estado', 'in', input.de)
    .returning('id')
    .execute();
  return rows.length === 1;
}

export async function addToExclusao(
  trx: Trx,
  input: { id: string; excluidos: number; mantidos: number },
): Promise<void> {
  await trx
    .updateTable('exclusao')
    .set((eb) => ({
      excluidos: eb('excluidos', '+', input.excluidos),
      mantidos: eb('mantidos', '+', input.mantidos),
    }))
    .where('id', '=', input.id)
    .execute();
}

/** Whether an unconfirmed one's time is over. */
export async function hasLapsed(db: Leitor, agora: number): Promise<boolean> {
  const row = await db
    .selectFrom('exclusao')
    .select('id')
    .where('estado', '=', 'preparada')
    .where('expira_em', '<', agora)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Unconfirmed ones whose time is over, of all offices. @returns which */
export async function expireExclusoes(
  trx: Trx,
  agora: number,
): Promise<{ id: string; contador_id: number }[]> {
  return trx
    .updateTable('exclusao')
    .set({ estado: 'vencida' })
    .where('estado', '=', 'preparada')
    .where('expira_em', '<', agora)
    .returning(['id', 'contador_id'])
    .execute();
}

export async function insertExclusaoDocumentos(
  trx: Trx,
  rows: readonly Insertable<TabelaExclusaoDocumento>[],
): Promise<void> {
  if (rows.length > 0) await trx.insertInto('exclusao_documento').values(rows).execute();
}

/** What a preparation that was interrupted had written. */
export async function deleteExclusaoDocumentos(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('exclusao_documento').where('exclusao_id', '=', id).execute();
}

/** Documents of a deletion that are neither deleted nor kept yet; primary key, a page. */
export async function findExclusaoPendentes(
  db: Leitor,
  input: { id: string; depoisDe: number; limite: number },
): Promise<Selectable<TabelaExclusaoDocumento>[]> {
  return db
    .selectFrom('exclusao_documento')
    .selectAll()
    .where('exclusao_id', '=', input.id)
    .where('documento_id', '>', input.depoisDe)
    .where('excluido_em', 'is', null)
    .where('mantido_por', 'is', null)
    .orderBy('documento_id')
    .limit(input.limite)
    .execute();
}

export async function markExcluidos(
  trx: Trx,
  input: { id: string; documentoIds: readonly number[]; agora: number },
): Promise<void> {
  if (input.documentoIds.length === 0) return;
  await trx
    .updateTable('exclusao_documento')
    .set({ excluido_em: input.agora })
    .where('exclusao_id', '=', input.id)
    .where('documento_id', 'in', input.documentoIds)
    .execute();
}

export async function markMantidos(
  trx: Trx,
  input: { id: string; documentoIds: readonly number[]; motivo: string },
): Promise<void> {
  if (input.documentoIds.length === 0) return;
  await trx
    .updateTable('exclusao_documento')
    .set({ mantido_por: input.motivo })
    .where('exclusao_id', '=', input.id)
    .where('documento_id', 'in', input.documentoIds)
    .execute();
}

/** The present served versions of documents: one that changed since the preparation is in no ZIP. */
export async function findServidas(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; sha256: string }[]> {
  if (documentoIds.length === 0) return [];
  return db
    .selectFrom('versao')
    .select(['documento_id', 'sha256'])
    .where('documento_id', 'in', documentoIds)
    .where('servida', '=', sql.lit(1 as const))
    .execute();
}

// ── pacotes ─────────────────────────────────────────────────────────────────────────────────────────────────────

export async function insertPacote(trx: Trx, row: Insertable<TabelaExclusaoPacote>): Promise<void> {
  await trx.insertInto('exclusao_pacote').values(row).execute();
}

export async function findPacotes(db: Leitor, id: string): Promise<TabelaExclusaoPacote[]> {
  return db
    .selectFrom('exclusao_pacote')
    .selectAll()
    .where('exclusao_id', '=', id)
    .orderBy('parte')
    .execute();
}

export async function deletePacotes(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('exclusao_pacote').where('exclusao_id', '=', id).execute();
}

/** Packages of deletions that are over: a copy of deleted documents is not kept here. */
export async function findPacotesASoltar(db: Leitor): Promise<TabelaExclusaoPacote[]> {
  return db
    .selectFrom('exclusao_pacote')
    .innerJoin('exclusao', 'exclusao.id', 'exclusao_pacote.exclusao_id')
    .selectAll('exclusao_pacote')
    .where('exclusao.estado', 'in', ['concluida', 'cancelada', 'vencida'])
    .where('exclusao_pacote.blob', '<>', '')
    .limit(100)
    .execute();
}

/** The row stays, with the package's hash. */
export async function releasePacote(db: Leitor, input: { id: string; parte: number }): Promise<void> {
  await db
    .updateTable('exclusao_pacote')
    .set({ blob: '' })
    .where('exclusao_id', '=', input.id)
    .where('parte', '=', input.parte)
    .execute();
}

export async function markBaixado(
  trx: Trx,
  input: { id: string; parte: number; agora: number },
): Promise<void> {
  await trx
    .updateTable('exclusao_pacote')
    .set({ baixado_em: input.agora })
    .where('exclusao_id', '=', input.id)
    .where('parte', '=', input.parte)
    .execute();
}

// ── arquivos enviados ───────────────────────────────────────────────────────────────────────────────────────────

/** Uploads of an office whose bytes are kept, a page in the order of arrival; index `arquivo_contador`. */
export async function findArquivosGuardados(
  db: Leitor,
  input: { contadorId: number; depois: { criadoEm: number; id: string }; limite: number },
): Promise<{ id: string; criado_em: number; blob: string }[]> {
  const { criadoEm, id } = input.depois;
  const rows = await db
    .selectFrom('arquivo')
    .select(['id', 'criado_em', 'blob'])
    .where('contador_id', '=', input.contadorId)
    .where('blob', 'is not', null)
    .where('fim_em', 'is not', null)
    .where(sql<boolean>`(arquivo.criado_em, arquivo.id) > (${criadoEm}, ${id})`)
    .orderBy('criado_em')
    .orderBy('id')
    .limit(input.limite)
    .execute();
  return rows.flatMap((row) => (row.blob === null ? [] : [{ ...row, blob: row.blob }]));
}

/** Uploads of an office that are kept as recipes, in the order of their ids. */
export async function findComReceita(
  db: Leitor,
  input: { contadorId: number; depoisDe: string; limite: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('receita_de_envio')
    .select('arquivo_id')
    .where('contador_id', '=', input.contadorId)
    .where('arquivo_id', '>', input.depoisDe)
    .orderBy('arquivo_id')
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.arquivo_id);
}

/** Which of these uploads brought a document that the deletion is about; as `findArquivosAtingidos`. */
export async function findArquivosDaExclusao(
  db: Leitor,
  input: { exclusaoId: string; arquivoIds: readonly string[] },
): Promise<string[]> {
  if (input.arquivoIds.length === 0) return [];
  const rows = await arquivosDaExclusao(db, input).execute();
  return rows.map((row) => row.arquivo_id);
}

/** Which of these uploads brought a document of the deletion; primary key of `item`, `exclusao_documento_chave`. */
export async function findArquivosAtingidos(
  db: Leitor,
  input: { exclusaoId: string; arquivoIds: readonly string[] },
): Promise<string[]> {
  if (input.arquivoIds.length === 0) return [];
  const rows = await arquivosDaExclusao(db, input)
    .where('exclusao_documento.excluido_em', 'is not', null)
    .execute();
  return rows.map((row) => row.arquivo_id);
}

/** An item of a document that was new does not repeat its key (`documentos/itens-enxutos.ts`). */
const CHAVE_DO_ITEM = sql<string>`coalesce(item.chave, documento.chave)`;

function arquivosDaExclusao(db: Leitor, input: { exclusaoId: string; arquivoIds: readonly string[] }) {
  return db
    .selectFrom('item')
    .leftJoin('documento', 'documento.id', 'item.documento_id')
    .innerJoin('exclusao_documento', (join) =>
      join
        .on('exclusao_documento.chave', '=', CHAVE_DO_ITEM)
        .on('exclusao_documento.exclusao_id', '=', input.exclusaoId),
    )
    .select('item.arquivo_id')
    .distinct()
    .where('item.arquivo_id', 'in', input.arquivoIds);
}

/**
 * How many things of an upload are still wanted: documents that are not deleted, and what was refused and may have to
 * be looked at again. What was ignored (images, PDFs) is not.
 */
export async function countAindaPrecisos(
  db: Leitor,
  input: { contadorId: number; arquivoId: string },
): Promise<number> {
  const row = await db
    .selectFrom('item')
    .leftJoin('documento as seu', 'seu.id', 'item.documento_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('arquivo_id', '=', input.arquivoId)
    .where('resultado', 'not in', ['ignorado', 'esperado'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('documento')
            .select('documento.id')
            .where('documento.chave', '=', sql<string>`coalesce(item.chave, seu.chave)`)
            .where('documento.contador_id', '=', input.contadorId)
            .where('documento.excluido_em', 'is not', null),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** The upload's bytes are gone, and with them the names of its entries. */
export async function forgetArquivo(trx: Trx, arquivoId: string): Promise<void> {
  await trx.updateTable('arquivo').set({ blob: null }).where('id', '=', arquivoId).execute();
}

export async function setArquivosDaExclusao(
  trx: Trx,
  input: { id: string; apagados: number; mantidos: number },
): Promise<void> {
  await trx
    .updateTable('exclusao')
    .set((eb) => ({
      arquivos_apagados: eb('arquivos_apagados', '+', input.apagados),
      arquivos_mantidos: input.mantidos,
    }))
    .where('id', '=', input.id)
    .execute();
}
