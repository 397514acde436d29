/** Every statement of the import area. One function is one statement, unless it says otherwise. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, TabelaArquivo, TabelaItem } from '../banco/tabelas.ts';
import type { Papel } from '../banco/tabelas-console.ts';
import { rowBatches } from '../documentos/bytes/chunks.ts';
import { completar, enxugar } from '../documentos/lean/itens-enxutos.ts';
import { type PecaGravada, PROBLEMAS, type Resultado, type Trx } from '../documentos/tipos.ts';
import { insertMany } from '../platform/db/many-rows.ts';
import type { Dono } from './blob-do-envio.ts';
import type { Problema } from './resumo.ts';
import { STATUS_ARQUIVO } from './tipos.ts';

export type LinhaDeArquivo = Selectable<TabelaArquivo>;
export type LinhaDeItem = Selectable<TabelaItem>;

// ── the ticket and its upload ─────────────────────────────────────────────────────────────────────────────────

/** @returns its number */
export async function insertArquivo(db: Db, row: Insertable<TabelaArquivo>): Promise<number> {
  const { numero } = await db.insertInto('arquivo').values(row).returning('numero').executeTakeFirstOrThrow();
  return numero;
}

/** A ticket with whose it is, and what its maker may do now: of a token or of somebody of the console, one of the two. */
export interface LinhaDeBilhete extends LinhaDeArquivo {
  dono_codigo_crm: string;
  dono_criado_em: number;
  token_revogado_em: number | null;
  token_expira_em: number | null;
  usuario_ativo: number | null;
  usuario_papel: Papel | null;
  usuario_limitado: number | null;
  /** The clients that its sender is limited to now; null: was not when the ticket was made. */
  usuario_clientes: readonly number[] | null;
}

/**
 * Any office's ticket: only the signed upload address may ask so. Primary keys; of who is limited to some clients a second
 * statement.
 */
export async function findBilhete(db: Db, id: string): Promise<LinhaDeBilhete | null> {
  const row = await db
    .selectFrom('arquivo')
    .innerJoin('contador', 'contador.id', 'arquivo.contador_id')
    .leftJoin('token_integracao', 'token_integracao.id', 'arquivo.token_id')
    .leftJoin('usuario', 'usuario.id', 'arquivo.usuario_id')
    .selectAll('arquivo')
    .select([
      'contador.codigo_crm as dono_codigo_crm',
      'contador.criado_em as dono_criado_em',
      'token_integracao.revogado_em as token_revogado_em',
      'token_integracao.expira_em as token_expira_em',
      'usuario.ativo as usuario_ativo',
      'usuario.papel as usuario_papel',
      'usuario.limitado as usuario_limitado',
    ])
    .where('arquivo.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  return { ...row, usuario_clientes: row.alcance === null ? null : await findClientesDoRemetente(db, row) };
}

/** The clients that the sender of a ticket is limited to; the primary key. */
async function findClientesDoRemetente(db: Db, { usuario_id }: LinhaDeArquivo): Promise<number[]> {
  const rows = await db
    .selectFrom('usuario_cliente')
    .select('cliente_id')
    .where('usuario_id', '=', usuario_id ?? 0)
    .execute();
  return rows.map((row) => row.cliente_id);
}

/** Any office's file: only the signed upload address may ask so. Primary key. */
export async function findArquivo(db: Db, id: string): Promise<LinhaDeArquivo | null> {
  const row = await db.selectFrom('arquivo').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** How the keys of an office's uploads name it; primary key. */
export async function findDono(db: Db, contadorId: number): Promise<Dono> {
  const { codigo_crm, criado_em } = await db
    .selectFrom('contador')
    .select(['codigo_crm', 'criado_em'])
    .where('id', '=', contadorId)
    .executeTakeFirstOrThrow();
  return { codigoCrm: codigo_crm, criadoEm: criado_em };
}

/** The file of an office; another office's id is not found. Primary key. */
export async function findArquivoDoContador(
  db: Db,
  input: { id: string; contadorId: number },
): Promise<LinhaDeArquivo | null> {
  const row = await db
    .selectFrom('arquivo')
    .selectAll()
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .executeTakeFirst();
  return row ?? null;
}

interface Recebido {
  id: string;
  agora: number;
  tamanho: number;
  sha256: string;
  md5: string;
  blob: string;
}

/**
 * The first accepted upload of a file. @returns its office, or null when the file no longer waits for one
 */
export async function markReceived(trx: Trx, input: Recebido): Promise<number | null> {
  const row = await trx
    .updateTable('arquivo')
    .set({
      status: STATUS_ARQUIVO.emProcessamento,
      recebido_em: input.agora,
      tamanho: input.tamanho,
      sha256: input.sha256,
      md5: input.md5,
      blob: input.blob,
    })
    .where('id', '=', input.id)
    .where('status', '=', STATUS_ARQUIVO.aguardandoUpload)
    .returning('contador_id')
    .executeTakeFirst();
  return row?.contador_id ?? null;
}

/** Notes until when (unix seconds) a body may still be arriving for a ticket. Primary key. */
export async function markArriving(db: Db, input: { id: string; ate: number }): Promise<void> {
  await db
    .updateTable('arquivo')
    .set({ chegando_ate: input.ate })
    .where('id', '=', input.id)
    .where('status', '=', STATUS_ARQUIVO.aguardandoUpload)
    .execute();
}

/** Marks tickets that lapsed unused; partial index `arquivo_expirando`, a few rows a run. */
export async function expireTickets(db: Db, beforeSeconds: number): Promise<number> {
  const result = await db
    .updateTable('arquivo')
    .set({ status: STATUS_ARQUIVO.expirado })
    .where('status', '=', sql.lit(STATUS_ARQUIVO.aguardandoUpload))
    .where('expira_em', '<', beforeSeconds)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/**
 * Forgets tickets that lapsed unused before that (unix seconds), at most `limite` of them; partial index `arquivo_expirado`.
 * No body is coming for one that is `Expirado`, and nothing refers to it.
 */
export async function deleteLapsed(
  db: Db,
  { beforeSeconds, limite }: { beforeSeconds: number; limite: number },
): Promise<number> {
  const result = await db
    .deleteFrom('arquivo')
    .where('numero', 'in', (eb) =>
      eb
        .selectFrom('arquivo')
        .select('numero')
        .where('status', '=', sql.lit(STATUS_ARQUIVO.expirado))
        .where('expira_em', '<', beforeSeconds)
        .orderBy('expira_em')
        .limit(limite),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/**
 * Removes a file of these bytes that ended with problems, with its items and its job; primary keys. No document comes from
 * such a file: who calls has made the bytes.
 * @returns null when there is none; where its bytes are
 */
export async function deleteEnvio(
  trx: Db,
  input: { contadorId: number; id: string; sha256: string },
): Promise<{ blob: string | null } | null> {
  const row = await trx
    .selectFrom('arquivo')
    .select(['numero', 'blob'])
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .where('sha256', '=', input.sha256)
    .where('status', '=', sql.lit(STATUS_ARQUIVO.comErro))
    .executeTakeFirst();
  if (!row) return null;
  await trx.deleteFrom('item').where('arquivo_numero', '=', row.numero).execute();
  await trx.deleteFrom('receita_de_envio').where('arquivo_id', '=', input.id).execute();
  await trx.deleteFrom('job').where('arquivo_id', '=', input.id).execute();
  await trx.deleteFrom('arquivo').where('numero', '=', row.numero).execute();
  return { blob: row.blob };
}

// ── the import of a file ──────────────────────────────────────────────────────────────────────────────────────

/** A claimed file and where its import goes on. */
export interface Tarefa {
  jobId: number;
  tentativas: number;
  /** What the try before this one left, if it failed. */
  erroAnterior: string | null;
  arquivoId: string;
  /** By which its items and the versions that it brings know the file. */
  arquivoNumero: number;
  contadorId: number;
  blob: string;
  tamanho: number;
  /** What it came from when nobody uploaded it. */
  fonte: LinhaDeArquivo['fonte'];
  /** Entries committed whole, and the items that they made. */
  entradasProntas: number;
  itensProntos: number;
  /** Ids of the clients that its sender is limited to; null: the whole office. */
  alcance: readonly number[] | null;
}

/** What is to be done for claimed jobs; primary keys, as many rows as ids. */
export async function findTarefas(trx: Trx, jobIds: readonly number[]): Promise<Tarefa[]> {
  const rows = await trx
    .selectFrom('job')
    .innerJoin('arquivo', 'arquivo.id', 'job.arquivo_id')
    .select([
      'job.id as jobId',
      'job.tentativas',
      'job.erro as erroAnterior',
      'job.arquivo_id as arquivoId',
      'arquivo.numero as arquivoNumero',
      'job.contador_id as contadorId',
      'arquivo.blob',
      'arquivo.tamanho',
      'arquivo.fonte',
      'arquivo.alcance',
      'job.entradas_prontas as entradasProntas',
      'job.itens_prontos as itensProntos',
    ])
    .where('job.id', 'in', jobIds)
    .orderBy('job.id')
    .execute();
  return rows.map(({ blob, tamanho, alcance, ...row }) => ({
    ...row,
    blob: blob ?? '',
    tamanho: tamanho ?? 0,
    alcance: alcance === null ? null : (JSON.parse(alcance) as number[]),
  }));
}

/** Notes when the import of files began; a second try keeps the first time. */
export async function markStarted(
  trx: Trx,
  input: { arquivoIds: readonly string[]; agora: number },
): Promise<void> {
  await trx
    .updateTable('arquivo')
    .set({ inicio_em: input.agora })
    .where('id', 'in', input.arquivoIds)
    .where('inicio_em', 'is', null)
    .execute();
}

/**
 * Notes progress under the lease, which also clears the count of tries and is a sign of life (`takeover.ts`).
 * @returns false when the lease was lost: the transaction must not commit
 */
export async function updateProgress(
  trx: Trx,
  input: { jobId: number; tomadoPor: string; entradasProntas: number; itensProntos: number },
): Promise<boolean> {
  const rows = await trx
    .updateTable('job')
    .set((eb) => ({
      entradas_prontas: input.entradasProntas,
      itens_prontos: input.itensProntos,
      tentativas: 1,
      erro: null,
      batida: eb('batida', '+', 1),
    }))
    .where('id', '=', input.jobId)
    .where('estado', '=', 'em_execucao')
    .where('tomado_por', '=', input.tomadoPor)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Writes items behind those that are there: `primeiraOrdem` is the number of the first. */
export async function insertItens(
  trx: Trx,
  input: { arquivoNumero: number; primeiraOrdem: number; pecas: readonly PecaGravada[] },
): Promise<void> {
  const rows: Insertable<TabelaItem>[] = [];
  for (const peca of input.pecas)
    rows.push(linhaDeItem(peca, input.arquivoNumero, input.primeiraOrdem + rows.length));
  for (const part of rowBatches(rows)) await insertMany(trx, 'item', part).execute();
}

/** What is told of an item whose protocols have found their documents. */
export type DesfechoDoItem = Pick<
  PecaGravada,
  'resultado' | 'codigo' | 'mensagem' | 'especie' | 'documentoId'
>;

/** Tells of an item anew, whose protocols were told to have no document, once some have found theirs. Primary key. */
export async function updateItem(
  trx: Trx,
  input: { arquivoNumero: number; ordem: number } & DesfechoDoItem,
): Promise<void> {
  await trx
    .updateTable('item')
    .set({
      resultado: input.resultado,
      codigo: input.codigo,
      mensagem: input.mensagem,
      especie: input.especie,
      documento_id: input.documentoId,
      linha: null,
      coluna: null,
      elemento: null,
    })
    .where('arquivo_numero', '=', input.arquivoNumero)
    .where('ordem', '=', input.ordem)
    .execute();
}

/** Failures whose cause is gone leave the list of what is open, with a reason; what people said of them stands. Primary keys. */
export async function insertResolvidas(
  trx: Trx,
  input: {
    contadorId: number;
    agora: number;
    motivo: string;
    lugares: readonly { arquivo_numero: number; item_ordem: number }[];
  },
): Promise<void> {
  const { contadorId, agora, motivo } = input;
  for (const { arquivo_numero, item_ordem } of input.lugares) {
    await sql`insert into falha_vista (contador_id, arquivo_numero, ordem, codigo, situacao, motivo, por, em)
      select cast(${contadorId} as bigint), arquivo_numero, ordem, coalesce(codigo, resultado), 'resolvido',
        cast(${motivo} as text), cast(${PELO_MALOTE} as text), cast(${agora} as bigint)
      from item where arquivo_numero = ${arquivo_numero} and ordem = ${item_ordem}
        and resultado in ('rejeitado', 'conflito')
      on conflict do nothing`.execute(trx);
  }
}
/** Who says so, where it was nobody. */
export const PELO_MALOTE = 'Malote';

function linhaDeItem(peca: PecaGravada, arquivoNumero: number, ordem: number): Insertable<TabelaItem> {
  return {
    arquivo_numero: arquivoNumero,
    ordem,
    ...enxugar(peca),
    especie: peca.especie,
    resultado: peca.resultado,
    codigo: peca.codigo,
    mensagem: peca.mensagem,
    linha: peca.linha,
    coluna: peca.coluna,
    elemento: peca.elemento,
    documento_id: peca.documentoId,
  };
}

/** How many items of a file are written: `ordem` is dense, so the last one tells. Primary key, one row. */
export async function countItens(db: Db, arquivoNumero: number): Promise<number> {
  const row = await db
    .selectFrom('item')
    .select((eb) => eb.fn.max('ordem').as('ultima'))
    .where('arquivo_numero', '=', arquivoNumero)
    .executeTakeFirst();
  return Number(row?.ultima ?? 0);
}

/** Items of a file by resultado; one range of the primary key, at most a few tens of thousands of rows. */
export async function countByResultado(
  db: Db,
  arquivoNumero: number,
): Promise<Partial<Record<Resultado, number>>> {
  const rows = await db
    .selectFrom('item')
    .select((eb) => ['resultado', eb.fn.countAll<number>().as('quantos')])
    .where('arquivo_numero', '=', arquivoNumero)
    .groupBy('resultado')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.resultado, Number(row.quantos)]));
}

/** The first problems of a file in their order; more than these do not fit in a log of 8 KB. */
export async function findProblemas(
  db: Db,
  input: { arquivoNumero: number; limite: number },
): Promise<Problema[]> {
  return db
    .selectFrom('item')
    .select(['caminho', 'codigo', 'mensagem'])
    .where('arquivo_numero', '=', input.arquivoNumero)
    .where('resultado', 'in', PROBLEMAS)
    .orderBy('ordem')
    .limit(input.limite)
    .execute();
}

/** The final state; only from `Em Processamento`, since a final one never changes. */
export async function markFinished(
  trx: Trx,
  input: { arquivoId: string; status: 'Uploaded' | 'Com Erro'; log: string; agora: number },
): Promise<void> {
  await trx
    .updateTable('arquivo')
    .set({ status: input.status, log: input.log, fim_em: input.agora })
    .where('id', '=', input.arquivoId)
    .where('status', '=', STATUS_ARQUIVO.emProcessamento)
    .execute();
}

// ── pages of items ────────────────────────────────────────────────────────────────────────────────────────────

/** Items `primeira`…`ultima` of a file: one range of the primary key, no OFFSET. */
export async function findItens(
  db: Db,
  input: { arquivoNumero: number; primeira: number; ultima: number },
): Promise<LinhaDeItem[]> {
  const rows = await db
    .selectFrom('item')
    .selectAll()
    .where('arquivo_numero', '=', input.arquivoNumero)
    .where('ordem', '>=', input.primeira)
    .where('ordem', '<=', input.ultima)
    .orderBy('ordem')
    .execute();
  return completar(db, rows);
}
