/** Statements of the health page. One function is one statement. */

import { sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import { temBytes } from '../../documentos/bytes/queries-envios.ts';

/** Jobs by their state: partial indexes for those that are open; done ones are not counted. */
export async function countJobs(db: Db): Promise<Record<'pronto' | 'em_execucao' | 'falhou', number>> {
  const count = async (estado: 'pronto' | 'em_execucao' | 'falhou') => {
    const row = await db
      .selectFrom('job')
      .select((eb) => eb.fn.countAll<number>().as('quantos'))
      .where('estado', '=', sql.lit(estado))
      .executeTakeFirst();
    return Number(row?.quantos ?? 0);
  };
  const [pronto, em_execucao, falhou] = await Promise.all([
    count('pronto'),
    count('em_execucao'),
    count('falhou'),
  ]);
  return { pronto, em_execucao, falhou };
}

/** Who holds jobs now: as many rows as files are imported at once. */
export async function findDonos(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('job')
    .select('tomado_por')
    .distinct()
    .where('estado', '=', sql.lit('em_execucao'))
    .execute();
  return rows.flatMap(({ tomado_por }) => (tomado_por === null ? [] : [tomado_por])).sort();
}

/**
 * Bytes of uploads that can be given back: as they came, and of those that are still kept so instead of as a recipe. A
 * walk over all uploads: ask seldom.
 */
export async function sumEnvios(db: Db): Promise<{ recebidos: number; guardados: number }> {
  const row = await db
    .selectFrom('arquivo')
    .select((eb) => [
      eb.fn.sum('tamanho').as('recebidos'),
      eb.fn.sum('tamanho').filterWhere('blob', 'is not', null).as('guardados'),
    ])
    .where(temBytes())
    .executeTakeFirst();
  return { recebidos: Number(row?.recebidos ?? 0), guardados: Number(row?.guardados ?? 0) };
}

/** Bytes of the packages of deletions that are still kept. */
export async function sumPacotes(db: Db): Promise<number> {
  const row = await db
    .selectFrom('exclusao_pacote')
    .select((eb) => eb.fn.sum('tamanho').as('bytes'))
    .where('blob', '<>', '')
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Bytes of mass exports that can be downloaded; index `exportacao_com_arquivo`. */
export async function sumExportacoes(db: Db): Promise<number> {
  const row = await db
    .selectFrom('exportacao')
    .select((eb) => eb.fn.sum('bytes').as('bytes'))
    .where('blob', 'is not', null)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Version and size (bytes) of the engine's database, in its own words. */
export async function findBanco(
  db: Db,
  engine: 'sqlite' | 'postgres',
): Promise<{ versao: string; bytes: number }> {
  const text =
    engine === 'sqlite'
      ? sql<{
          versao: string;
          bytes: number;
        }>`select sqlite_version() as versao, page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{
          versao: string;
          bytes: number;
        }>`select current_setting('server_version') as versao, pg_database_size(current_database()) as bytes`;
  const { rows } = await text.execute(db);
  const [row] = rows;
  return { versao: row?.versao ?? '', bytes: Number(row?.bytes ?? 0) };
}

/** The newest migration that was applied. */
export async function findMigracao(db: Db): Promise<number> {
  const { rows } = await sql<{ versao: number }>`select max(versao) as versao from migracao`.execute(db);
  return Number(rows[0]?.versao ?? 0);
}

/** The office that was opened first: its people run this server. */
export async function findPrimeiroContador(db: Db): Promise<number | null> {
  const row = await db.selectFrom('contador').select('id').orderBy('id').limit(1).executeTakeFirst();
  return row?.id ?? null;
}

/** No more of them are counted: that there are some is what matters. */
export const MAIS_NOVOS_MAX = 10_000;

/**
 * Versions that came since an instant and are newer than the schemas that judged them; index `versao_esquema_mais_antigo`.
 * @param input.contadorId null: of all offices
 */
export async function countMaisNovosQueOEsquema(
  db: Db,
  input: { contadorId: number | null; desde: number },
): Promise<number> {
  const { contadorId } = input;
  const row = await db
    .selectFrom(
      db
        .selectFrom('versao')
        // Not a join that SQLite may turn round: it would begin with all documents of the office.
        .crossJoin('documento')
        .whereRef('documento.id', '=', 'versao.documento_id')
        .select('versao.id')
        .where('versao.esquema', '=', sql.lit('esquema_mais_antigo'))
        .where('versao.importado_em', '>', Math.floor(input.desde))
        .$if(contadorId !== null, (query) => query.where('documento.contador_id', '=', contadorId ?? 0))
        .limit(MAIS_NOVOS_MAX)
        .as('mais_novos'),
    )
    .select((eb) => eb.fn.countAll<number>().as('quantos'))
    .executeTakeFirst();
  return Number(row?.quantos ?? 0);
}
