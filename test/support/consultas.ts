/** What a piece of code asks of the database: how many statements, and by which way they find their rows. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tabelas } from '../../src/banco/tabelas.ts';

/** The same database, noting every statement that goes there. */
export function observado(db: Kysely<Tabelas>): { db: Kysely<Tabelas>; consultas: CompiledQuery[] } {
  const consultas: CompiledQuery[] = [];
  const compiler = db.getExecutor();
  return {
    consultas,
    db: db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        consultas.push(compiler.compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  };
}

/** The same database, counting the rows that its statements answer, by the table that their text begins with. */
export function contandoLinhas(db: Kysely<Tabelas>): {
  db: Kysely<Tabelas>;
  /** @param tabela of these statements alone */
  linhas(tabela?: string): number;
} {
  const textos = new Map<unknown, string>();
  const contadas: { texto: string; linhas: number }[] = [];
  const compiler = db.getExecutor();
  return {
    linhas: (tabela = '') =>
      contadas.reduce((sum, one) => sum + (one.texto.includes(tabela) ? one.linhas : 0), 0),
    db: db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        textos.set(queryId, compiler.compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        contadas.push({ texto: textos.get(queryId) ?? '', linhas: result.rows.length });
        return result;
      },
    }),
  };
}

/** How SQLite would find the rows of a statement, a line for each step. */
export async function planoDe(db: Kysely<Tabelas>, consulta: CompiledQuery): Promise<string> {
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(`explain query plan ${consulta.sql}`, [...consulta.parameters]),
  );
  return rows.map((row) => (row as { detail: string }).detail).join('\n');
}

/**
 * How PostgreSQL would find the rows of a statement where an index helps, a line for each step: tables of tests are so
 * small that it would else read them whole.
 */
export async function planoNoPostgres(db: Kysely<Tabelas>, consulta: CompiledQuery): Promise<string> {
  const { rows } = await db.transaction().execute(async (trx) => {
    await trx.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'));
    return trx.executeQuery(CompiledQuery.raw(`explain ${consulta.sql}`, [...consulta.parameters]));
  });
  return rows.map((row) => (row as { 'QUERY PLAN': string })['QUERY PLAN']).join('\n');
}
