/** Statements about layouts that offices have taught, and about notes that wait for one. */
import type { Insertable } from 'kysely';
import type { TabelaLeiauteEnsinado, TabelaNotaAEnsinar } from '../../banco/tabelas-leiautes.ts';
import { idChunks } from '../bytes/chunks.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

/** Those of an office that are in force, in the order in which they came; index `leiaute_ensinado_em_vigor`. */
export async function findEmVigor(db: Leitor, contadorId: number) {
  return db
    .selectFrom('leiaute_ensinado')
    .select(['leiaute', 'conteudo', 'origem', 'criado_em', 'criado_por'])
    .where('contador_id', '=', contadorId)
    .where('retirado_em', 'is', null)
    .orderBy('id')
    .execute();
}

/** The last change of each office that ever taught one; index `leiaute_ensinado_revisao`. */
export async function findRevisoes(db: Leitor): Promise<{ contador_id: number; revisao: number }[]> {
  const rows = await db
    .selectFrom('leiaute_ensinado')
    .select((eb) => ['contador_id', eb.fn.max('revisao').as('revisao')])
    .groupBy('contador_id')
    .orderBy('contador_id')
    .execute();
  return rows.map(({ contador_id, revisao }) => ({ contador_id, revisao: Number(revisao) }));
}

/** The last change of an office's layouts; 0 where it never taught one. Index `leiaute_ensinado_revisao`. */
export async function findRevisao(db: Leitor, contadorId: number): Promise<number> {
  const row = await db
    .selectFrom('leiaute_ensinado')
    .select((eb) => eb.fn.max('revisao').as('revisao'))
    .where('contador_id', '=', contadorId)
    .executeTakeFirst();
  return Number(row?.revisao ?? 0);
}

export async function insertLeiaute(trx: Trx, row: Insertable<TabelaLeiauteEnsinado>): Promise<void> {
  await trx.insertInto('leiaute_ensinado').values(row).execute();
}

/** Takes one out of force; index `leiaute_ensinado_em_vigor`. @returns whether there was one */
export async function retireLeiaute(
  trx: Trx,
  input: { contadorId: number; leiaute: string; revisao: number; agora: number },
): Promise<boolean> {
  const rows = await trx
    .updateTable('leiaute_ensinado')
    .set({ retirado_em: input.agora, revisao: input.revisao })
    .where('contador_id', '=', input.contadorId)
    .where('leiaute', '=', input.leiaute)
    .where('retirado_em', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Which of these wait already; index `nota_a_ensinar_digest`. */
export async function findPorDigest(
  trx: Trx,
  input: { contadorId: number; digests: readonly string[] },
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of idChunks(input.digests)) {
    const rows = await trx
      .selectFrom('nota_a_ensinar')
      .select('digest')
      .where('contador_id', '=', input.contadorId)
      .where('digest', 'in', part)
      .execute();
    for (const { digest } of rows) found.add(digest);
  }
  return found;
}

/** How much of an office waits; index `nota_a_ensinar_tentada`. */
export async function sumEsperando(
  db: Leitor,
  contadorId: number,
): Promise<{ quantas: number; tamanho: number }> {
  const row = await db
    .selectFrom('nota_a_ensinar')
    .select((eb) => [eb.fn.countAll<number>().as('quantas'), eb.fn.sum<number>('tamanho').as('tamanho')])
    .where('contador_id', '=', contadorId)
    .executeTakeFirst();
  return { quantas: Number(row?.quantas ?? 0), tamanho: Number(row?.tamanho ?? 0) };
}

/** @returns its id */
export async function insertNota(trx: Trx, row: Insertable<TabelaNotaAEnsinar>): Promise<number> {
  const { id } = await trx.insertInto('nota_a_ensinar').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** The first that wait and were last tried with older layouts; index `nota_a_ensinar_tentada`. */
export async function findPorTentar(
  db: Leitor,
  input: { contadorId: number; revisao: number; limite: number },
) {
  return db
    .selectFrom('nota_a_ensinar as nota')
    .leftJoin('arquivo', 'arquivo.numero', 'nota.arquivo_numero')
    .select(['nota.id', 'nota.digest', 'nota.bytes', 'nota.tamanho', 'nota.caminho', 'arquivo.alcance'])
    .where('nota.contador_id', '=', input.contadorId)
    .where('nota.tentada', '<', input.revisao)
    .orderBy('nota.id')
    .limit(input.limite)
    .execute();
}

/** Which of these are still to be tried; primary key. */
export async function findAindaPorTentar(
  trx: Trx,
  input: { contadorId: number; revisao: number; ids: readonly number[] },
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const part of idChunks(input.ids)) {
    const rows = await trx
      .selectFrom('nota_a_ensinar')
      .select('id')
      .where('id', 'in', part)
      .where('contador_id', '=', input.contadorId)
      .where('tentada', '<', input.revisao)
      .execute();
    for (const { id } of rows) found.add(id);
  }
  return found;
}

/** Primary keys. */
export async function markTentadas(
  trx: Trx,
  input: { ids: readonly number[]; revisao: number },
): Promise<void> {
  for (const part of idChunks(input.ids))
    await trx.updateTable('nota_a_ensinar').set({ tentada: input.revisao }).where('id', 'in', part).execute();
}

/** Primary keys. */
export async function deleteNotas(trx: Trx, ids: readonly number[]): Promise<void> {
  for (const part of idChunks(ids)) await trx.deleteFrom('nota_a_ensinar').where('id', 'in', part).execute();
}

/** Those of one form; index `nota_a_ensinar_tentada`. @returns how many there were */
export async function deleteForma(trx: Trx, input: { contadorId: number; forma: string }): Promise<number> {
  const rows = await trx
    .deleteFrom('nota_a_ensinar')
    .where('contador_id', '=', input.contadorId)
    .where('forma', '=', input.forma)
    .returning('id')
    .execute();
  return rows.length;
}

/** How the last upload of what waited stands; null where none was made. Primary keys. */
export async function findReleitura(db: Leitor, contadorId: number): Promise<string | null> {
  const row = await db
    .selectFrom('releitura_de_leiaute')
    .innerJoin('arquivo', 'arquivo.id', 'releitura_de_leiaute.arquivo_id')
    .select('arquivo.status')
    .where('releitura_de_leiaute.contador_id', '=', contadorId)
    .executeTakeFirst();
  return row?.status ?? null;
}

export async function writeReleitura(
  trx: Trx,
  input: { contadorId: number; arquivoId: string },
): Promise<void> {
  await trx
    .insertInto('releitura_de_leiaute')
    .values({ contador_id: input.contadorId, arquivo_id: input.arquivoId })
    .onConflict((clash) => clash.column('contador_id').doUpdateSet({ arquivo_id: input.arquivoId }))
    .execute();
}

/** What waits, by its form, the largest group first; index `nota_a_ensinar_tentada`. */
export async function findFormas(db: Leitor, contadorId: number) {
  const rows = await db
    .selectFrom('nota_a_ensinar')
    .select((eb) => [
      'forma',
      eb.fn.countAll<number>().as('arquivos'),
      eb.fn.min('id').as('primeira'),
      eb.fn.min('criado_em').as('desde'),
      eb.fn.max('criado_em').as('ate'),
    ])
    .where('contador_id', '=', contadorId)
    .groupBy('forma')
    .orderBy('arquivos', 'desc')
    .orderBy('forma')
    .execute();
  return rows.map((row) => ({
    forma: row.forma,
    arquivos: Number(row.arquivos),
    primeira: Number(row.primeira),
    desde: Number(row.desde),
    ate: Number(row.ate),
  }));
}

/** Those of an office in the order of arrival, with the name of their upload; primary keys. */
export async function findNotas(db: Leitor, input: { contadorId: number; depoisDe: number; limite: number }) {
  const rows = await db
    .selectFrom('nota_a_ensinar as nota')
    .leftJoin('arquivo', 'arquivo.numero', 'nota.arquivo_numero')
    .select(['nota.id', 'nota.forma', 'nota.digest', 'nota.bytes', 'nota.tamanho', 'nota.caminho'])
    .select('arquivo.nome')
    .where('nota.contador_id', '=', input.contadorId)
    .where('nota.id', '>', input.depoisDe)
    .orderBy('nota.id')
    .limit(input.limite)
    .execute();
  return rows.map(({ nome, caminho, ...row }) => ({ ...row, caminho: caminho || nome || 'arquivo enviado' }));
}

/** All that an office ever had, the newest first; index `leiaute_ensinado_revisao`. */
export async function findConteudos(db: Leitor, contadorId: number) {
  return db
    .selectFrom('leiaute_ensinado')
    .select(['conteudo', 'retirado_em'])
    .where('contador_id', '=', contadorId)
    .orderBy('id', 'desc')
    .execute();
}

/** The office that an upload is of; primary key. */
export async function findContadorDoArquivo(db: Leitor, arquivoId: string): Promise<number | null> {
  const row = await db
    .selectFrom('arquivo')
    .select('contador_id')
    .where('id', '=', arquivoId)
    .executeTakeFirst();
  return row?.contador_id ?? null;
}

/** What waits of all offices, with whether the item that it names is there; primary key. */
export async function findTodasAsNotas(db: Leitor, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('nota_a_ensinar as nota')
    .select(['nota.id', 'nota.contador_id', 'nota.digest', 'nota.bytes', 'nota.tamanho'])
    .select((eb) =>
      eb
        .selectFrom('item')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('item.arquivo_numero', '=', 'nota.arquivo_numero')
        .whereRef('item.ordem', '=', 'nota.item_ordem')
        .as('itens'),
    )
    .where('nota.id', '>', input.depoisDe)
    .orderBy('nota.id')
    .limit(input.limite)
    .execute();
}

/** Layouts of all offices; primary key. */
export async function findTodosOsLeiautes(db: Leitor, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('leiaute_ensinado')
    .select(['id', 'contador_id', 'leiaute', 'conteudo'])
    .where('id', '>', input.depoisDe)
    .orderBy('id')
    .limit(input.limite)
    .execute();
}
