/** Statements of failures: items that could not be stored or contradict what was, and files that failed as a whole. */

import { sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import type { TabelaFalhaVista } from '../../banco/tabelas-falhas.ts';
import { idChunks } from '../../documentos/bytes/chunks.ts';
import { completar } from '../../documentos/lean/itens-enxutos.ts';
import type { Trx } from '../../documentos/tipos.ts';

/** The newest files are looked at: a program that sends the same broken file every few seconds makes more than anybody counts. */
export const ARQUIVOS_MAX = 2_000;
/** Failures that are told; more are told as "or more". */
export const FALHAS_MAX = 10_000;
/** The place of a failure that is no item's. */
export const DO_ARQUIVO = 0;

/** Where a failure is. */
export interface LugarDaFalha {
  arquivo_numero: number;
  /** Of the item; 0: the file failed as a whole. */
  ordem: number;
}

export interface FalhaAberta extends LugarDaFalha {
  codigo: string;
  criado_em: number;
}

/** Written out, so that the partial index `item_falha` is seen to fit. */
const ITEM_QUE_FALHOU = sql`item.resultado in ('rejeitado', 'conflito')`;

/** A refused document has come to some client since; an event has the key of another document. */
const CHEGOU = (
  contadorId: number,
) => sql`(item.resultado = 'rejeitado' and item.especie <> 'Evento' and exists (
  select 1 from documento join participacao on participacao.documento_id = documento.id
  where documento.contador_id = ${contadorId} and documento.chave = item.chave and documento.classe <> 'evento'))`;

/** Somebody has chosen among the versions. */
const ESCOLHIDA = sql`(item.resultado = 'conflito' and exists (
  select 1 from versao where versao.documento_id = item.documento_id and versao.escolhida = 1))`;

const naoVista = (contadorId: number, ordem: ReturnType<typeof sql>) => sql`not exists (
  select 1 from falha_vista where falha_vista.contador_id = ${contadorId}
  and falha_vista.arquivo_numero = recente.numero and falha_vista.ordem = ${ordem})`;

/** The newest files that ended with problems and were not tried again; index `arquivo_contador`, `arquivo_reimportado`. */
const recentes = (input: { contadorId: number; desde: number }) => sql`
  select arquivo.numero, arquivo.criado_em, case when job.estado = 'falhou' then 1 else 0 end as desistiu
  from arquivo left join job on job.arquivo_id = arquivo.id
  where arquivo.contador_id = ${input.contadorId} and arquivo.criado_em >= ${input.desde}
    and arquivo.status = 'Com Erro'
    and not exists (select 1 from arquivo as nova where nova.reimportado_de = arquivo.id)
  order by arquivo.criado_em desc limit ${ARQUIVOS_MAX}`;

/**
 * Failures that nobody has solved or seen, the newest file first, at most `FALHAS_MAX`: partial index `item_falha`, and
 * for each of its rows `documento_chave`.
 */
export async function findAbertas(
  db: Db,
  input: { contadorId: number; desde: number },
): Promise<FalhaAberta[]> {
  const { contadorId } = input;
  const { rows } = await sql<FalhaAberta>`
    with recente as (${recentes(input)})
    select recente.numero as arquivo_numero, item.ordem, coalesce(item.codigo, item.resultado) as codigo,
      recente.criado_em
    from recente cross join item
    where item.arquivo_numero = recente.numero and ${ITEM_QUE_FALHOU}
      and not ${CHEGOU(contadorId)} and not ${ESCOLHIDA} and ${naoVista(contadorId, sql`item.ordem`)}
    union all
    select recente.numero, ${DO_ARQUIVO}, case when desistiu = 1 then 'falha_interna' else 'sem_documentos' end,
      recente.criado_em
    from recente
    where (desistiu = 1 or not (${doArquivo(ITEM_QUE_FALHOU)} or ${doArquivo(ITEM_RETIDO)}))
      and ${naoVista(contadorId, sql`${DO_ARQUIVO}`)}
    order by 4 desc, 1 desc, 2
    limit ${FALHAS_MAX}`.execute(db);
  return rows.map((row) => ({
    arquivo_numero: Number(row.arquivo_numero),
    ordem: Number(row.ordem),
    codigo: row.codigo,
    criado_em: Number(row.criado_em),
  }));
}

/** What was open and is not, though nobody said so: the document came, or a version was chosen. */
export interface FalhaResolvida extends FalhaAberta {
  /** When the document came, ms UTC; null: a version was chosen. */
  chegou_em: number | null;
}

/** Failures that solved themselves, the newest file first; as `findAbertas`. */
export async function findResolvidasPorSi(
  db: Db,
  input: { contadorId: number; desde: number; limite: number },
): Promise<FalhaResolvida[]> {
  const { contadorId } = input;
  const { rows } = await sql<FalhaResolvida>`
    with recente as (${recentes(input)})
    select recente.numero as arquivo_numero, item.ordem, coalesce(item.codigo, item.resultado) as codigo,
      recente.criado_em, (select min(documento.importado_em) from documento
        where item.resultado = 'rejeitado' and documento.contador_id = ${contadorId}
          and documento.chave = item.chave and documento.classe <> 'evento') as chegou_em
    from recente cross join item
    where item.arquivo_numero = recente.numero and ${ITEM_QUE_FALHOU}
      and (${CHEGOU(contadorId)} or ${ESCOLHIDA}) and ${naoVista(contadorId, sql`item.ordem`)}
    order by recente.criado_em desc, recente.numero desc, item.ordem
    limit ${input.limite}`.execute(db);
  return rows.map((row) => ({
    ...row,
    arquivo_numero: Number(row.arquivo_numero),
    ordem: Number(row.ordem),
    criado_em: Number(row.criado_em),
    chegou_em: row.chegou_em === null ? null : Number(row.chegou_em),
  }));
}

/** An item that holds its document back. */
export const ITEM_RETIDO = sql`item.resultado in ('sem_cliente', 'homologacao')`;
const doArquivo = (como: ReturnType<typeof sql>) =>
  sql`exists (select 1 from item where item.arquivo_numero = recente.numero and ${como})`;

/** Whether older files ended with problems too; index `arquivo_contador`. */
export async function countComErro(db: Db, input: { contadorId: number; desde: number }): Promise<number> {
  const { rows } = await sql<{ quantos: number }>`select count(*) as quantos from (
    select 1 as um from arquivo where contador_id = ${input.contadorId} and criado_em >= ${input.desde}
      and status = 'Com Erro' limit ${ARQUIVOS_MAX + 1}) as ate_o_limite`.execute(db);
  return Number(rows[0]?.quantos ?? 0);
}

/** The items at these places, whole; primary key. */
export async function findItensEm(db: Db, lugares: readonly LugarDaFalha[]) {
  const porArquivo = Map.groupBy(lugares, (lugar) => lugar.arquivo_numero);
  const found = [];
  for (const [numero, seus] of porArquivo) {
    const ordens = seus.map(({ ordem }) => ordem);
    const rows = await db
      .selectFrom('item')
      .selectAll()
      .where('arquivo_numero', '=', numero)
      .where('ordem', 'in', ordens)
      .execute();
    found.push(...(await completar(db, rows)));
  }
  return found;
}

/** Id and name of some files of an office; primary key. */
export async function findArquivosPorNumero(
  db: Db,
  input: { contadorId: number; numeros: readonly number[] },
) {
  const found = [];
  for (const part of idChunks(input.numeros)) {
    found.push(
      ...(await db
        .selectFrom('arquivo')
        .select(['numero', 'id', 'nome', 'extensao', 'criado_em', 'log'])
        .where('contador_id', '=', input.contadorId)
        .where('numero', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** Numbers of some files of an office, by their ids; primary key. */
export async function findNumeros(
  db: Db,
  input: { contadorId: number; ids: readonly string[]; remetente?: number | null },
): Promise<{ id: string; numero: number }[]> {
  const { contadorId, ids, remetente = null } = input;
  if (ids.length === 0) return [];
  const query = db
    .selectFrom('arquivo')
    .select(['id', 'numero'])
    .where('contador_id', '=', contadorId)
    .where('id', 'in', ids);
  return (remetente === null ? query : query.where('usuario_id', '=', remetente)).execute();
}

/** Items of some files by outcome; a range of the primary key for each. */
export async function sumResultados(db: Db, numeros: readonly number[]) {
  const sums = new Map<string, number>();
  for (const part of idChunks(numeros)) {
    const rows = await db
      .selectFrom('item')
      .select((eb) => ['resultado', eb.fn.countAll<number>().as('quantidade')])
      .where('arquivo_numero', 'in', part)
      .groupBy('resultado')
      .execute();
    for (const { resultado, quantidade } of rows)
      sums.set(resultado, (sums.get(resultado) ?? 0) + Number(quantidade));
  }
  return [...sums].map(([resultado, quantidade]) => ({ resultado, quantidade }));
}

/** Which of these files have an item that failed; partial index `item_falha`. */
export async function findComFalha(db: Db, numeros: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const part of idChunks(numeros)) {
    const { rows } = await sql<{ numero: number }>`select distinct item.arquivo_numero as numero from item
      where item.arquivo_numero in (${sql.join([...part])}) and ${ITEM_QUE_FALHOU}`.execute(db);
    for (const { numero } of rows) found.add(Number(numero));
  }
  return found;
}

/** Failures that were seen or solved, the last first; index `falha_vista_em`. */
export async function findVistas(
  db: Db,
  input: { contadorId: number; limite: number },
): Promise<TabelaFalhaVista[]> {
  return db
    .selectFrom('falha_vista')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .orderBy('em', 'desc')
    .orderBy('arquivo_numero', 'desc')
    .orderBy('ordem')
    .limit(input.limite)
    .execute();
}

/** Notes what somebody has seen or solved; of one that was noted already what is said now. */
export async function upsertVistas(trx: Trx, vistas: readonly TabelaFalhaVista[]): Promise<void> {
  for (let start = 0; start < vistas.length; start += VISTAS_POR_VEZ) {
    await trx
      .insertInto('falha_vista')
      .values(vistas.slice(start, start + VISTAS_POR_VEZ))
      .onConflict((conflict) =>
        conflict.columns(['contador_id', 'arquivo_numero', 'ordem']).doUpdateSet((eb) => ({
          situacao: eb.ref('excluded.situacao'),
          motivo: eb.ref('excluded.motivo'),
          por: eb.ref('excluded.por'),
          em: eb.ref('excluded.em'),
        })),
      )
      .execute();
  }
}
/** Eight values for each row. */
const VISTAS_POR_VEZ = 500;

/** Pending again. @returns how many were not */
export async function deleteVistas(
  trx: Trx,
  input: { contadorId: number; lugares: readonly LugarDaFalha[] },
): Promise<number> {
  let deleted = 0;
  for (const { arquivo_numero, ordem } of input.lugares) {
    const result = await trx
      .deleteFrom('falha_vista')
      .where('contador_id', '=', input.contadorId)
      .where('arquivo_numero', '=', arquivo_numero)
      .where('ordem', '=', ordem)
      .executeTakeFirst();
    deleted += Number(result.numDeletedRows);
  }
  return deleted;
}
