/** Statements of the index of companies. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { TabelaEmpresa, TabelaEmpresaPalavra } from '../../banco/tabelas-consulta.ts';
import { engineOf } from '../../platform/db/engine.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import { idChunks, rowBatches } from '../bytes/chunks.ts';
import { NOME_DO_PARTICIPANTE } from '../queries.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

export interface Empresa {
  cpf_cnpj: string;
  nome: string;
}

/**
 * Which of these names are known; primary key of `empresa`, one step for each, however many other names its company has been
 * given.
 */
export async function findEmpresas(
  db: Leitor,
  input: { contadorId: number; empresas: readonly Empresa[] },
): Promise<Empresa[]> {
  const { contadorId, empresas } = input;
  const found: Empresa[] = [];
  for (const part of idChunks(empresas)) {
    const rows =
      engineOf(db) === 'postgres' ? await umaAUma(db, contadorId, part) : await juntas(db, contadorId, part);
    found.push(...rows);
  }
  return found;
}

function juntas(db: Leitor, contadorId: number, empresas: readonly Empresa[]): Promise<Empresa[]> {
  const pares = empresas.map(({ cpf_cnpj, nome }) => sql`(${cpf_cnpj}, ${nome})`);
  return db
    .selectFrom('empresa')
    .select(['cpf_cnpj', 'nome'])
    .where('contador_id', '=', contadorId)
    .where(sql<SqlBool>`(cpf_cnpj, nome) in (values ${sql.join(pares)})`)
    .execute();
}

/** As `findPorChaves` of `queries.ts`, and for the same reason. */
function umaAUma(db: Leitor, contadorId: number, empresas: readonly Empresa[]): Promise<Empresa[]> {
  const ids = empresas.map(({ cpf_cnpj }) => cpf_cnpj);
  const nomes = empresas.map(({ nome }) => nome);
  return db
    .selectFrom(
      sql<Empresa>`unnest(${ids}::text[], ${nomes}::text[])`.as<'procurada'>(sql`procurada(cpf_cnpj, nome)`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('empresa')
          .select(['empresa.cpf_cnpj', 'empresa.nome'])
          .where('empresa.contador_id', '=', contadorId)
          .whereRef('empresa.cpf_cnpj', '=', 'procurada.cpf_cnpj')
          .whereRef('empresa.nome', '=', 'procurada.nome')
          .modifyEnd(sql`offset 0`)
          .as('achada'),
      (join) => join.onTrue(),
    )
    .selectAll('achada')
    .execute();
}

/** Names of companies; those that the office knows stay as they are. */
export async function insertEmpresas(trx: Trx, rows: readonly Insertable<TabelaEmpresa>[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'empresa', part)
      .onConflict((conflict) => conflict.columns(['contador_id', 'cpf_cnpj', 'nome']).doNothing())
      .execute();
  }
}

/** Words by which companies are found; those that are there stay. */
export async function insertPalavras(
  trx: Trx,
  rows: readonly Insertable<TabelaEmpresaPalavra>[],
): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'empresa_palavra', part)
      .onConflict((conflict) => conflict.columns(['contador_id', 'palavra', 'cpf_cnpj']).doNothing())
      .execute();
  }
}

/** An office whose older documents are still to be indexed. */
export async function findPendente(trx: Trx): Promise<{ contadorId: number; depoisDe: string } | null> {
  const row = await trx
    .selectFrom('empresa_pendente')
    .select(['contador_id as contadorId', 'depois_de as depoisDe'])
    .orderBy('contador_id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Remembers how far it has come; null: this office is done. */
export async function advancePendente(
  trx: Trx,
  input: { contadorId: number; depoisDe: string | null },
): Promise<void> {
  if (input.depoisDe === null) {
    await trx.deleteFrom('empresa_pendente').where('contador_id', '=', input.contadorId).execute();
    return;
  }
  await trx
    .updateTable('empresa_pendente')
    .set({ depois_de: input.depoisDe })
    .where('contador_id', '=', input.contadorId)
    .execute();
}

/**
 * Companies after one of them, each with the name in its newest document that has one; index `participante_de`: one
 * step into the index and a few rows a company.
 */
export async function findEmpresasDosDocumentos(
  trx: Trx,
  input: { contadorId: number; depoisDe: string; limite: number },
): Promise<{ cpf_cnpj: string; nome: string | null }[]> {
  const found: { cpf_cnpj: string; nome: string | null }[] = [];
  let depoisDe = input.depoisDe;
  while (found.length < input.limite) {
    const proxima = await trx
      .selectFrom('participante')
      .select('cpf_cnpj')
      .where('contador_id', '=', input.contadorId)
      .where('cpf_cnpj', '>', depoisDe)
      .orderBy('cpf_cnpj')
      .limit(1)
      .executeTakeFirst();
    if (!proxima) break;
    depoisDe = proxima.cpf_cnpj;
    const names = await findNomesNosDocumentos(trx, { contadorId: input.contadorId, cpfCnpj: depoisDe });
    found.push({ cpf_cnpj: depoisDe, nome: names[0] ?? null });
    found.push(...names.slice(1).map((nome) => ({ cpf_cnpj: depoisDe, nome })));
  }
  return found;
}

/** Documents of a company that are looked at for its names. */
const NEWEST = 20;

/** The names that a company has in its newest documents, each once; index `participante_de`, a few rows. */
export async function findNomesNosDocumentos(
  trx: Trx,
  input: { contadorId: number; cpfCnpj: string },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('participante')
    .innerJoin('documento', 'documento.id', 'participante.documento_id')
    .select(NOME_DO_PARTICIPANTE.as('nome'))
    .where('participante.contador_id', '=', input.contadorId)
    .where('participante.cpf_cnpj', '=', input.cpfCnpj)
    .orderBy('participante.documento_id', 'desc')
    .limit(NEWEST)
    .execute();
  return [...new Set(rows.map(({ nome }) => nome).filter((nome) => nome !== null))];
}

/** CPF/CNPJs with a word that begins so; primary key of `empresa_palavra`, at most `limite` rows. */
export async function findPorPalavra(
  db: Leitor,
  input: { contadorId: number; prefixo: string; limite: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('empresa_palavra')
    .select('cpf_cnpj')
    .distinct()
    .where('contador_id', '=', input.contadorId)
    .where('palavra', '>=', input.prefixo)
    .where('palavra', '<', `${input.prefixo}${AFTER_ALL}`)
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.cpf_cnpj);
}

/** Stands behind every character of a word: the last code point that is one. */
const AFTER_ALL = '\u{10ffff}';

/** Companies whose CPF or CNPJ begins so; primary key of `empresa`. */
export async function findPorInicio(
  db: Leitor,
  input: { contadorId: number; prefixo: string; limite: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('empresa')
    .select('cpf_cnpj')
    .distinct()
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', '>=', input.prefixo)
    .where('cpf_cnpj', '<=', `${input.prefixo}ZZZZZZZZZZZZZZ`)
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.cpf_cnpj);
}

/** Companies that have all of several words: the first word leads, the others are looked up. */
export async function withAlso(
  db: Leitor,
  input: { contadorId: number; cpfCnpjs: readonly string[]; prefixo: string },
): Promise<string[]> {
  const found: string[] = [];
  for (const part of idChunks(input.cpfCnpjs)) {
    const rows = await db
      .selectFrom('empresa_palavra')
      .select('cpf_cnpj')
      .distinct()
      .where('contador_id', '=', input.contadorId)
      .where('palavra', '>=', input.prefixo)
      .where('palavra', '<', `${input.prefixo}${AFTER_ALL}`)
      .where('cpf_cnpj', 'in', part)
      .execute();
    found.push(...rows.map((row) => row.cpf_cnpj));
  }
  return found;
}

/** CPF/CNPJs of the parties of these documents; primary key of `participante`. */
export async function findPartes(trx: Trx, documentoIds: readonly number[]): Promise<string[]> {
  const found = new Set<string>();
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .selectFrom('participante')
      .select('cpf_cnpj')
      .distinct()
      .where('documento_id', 'in', part)
      .execute();
    for (const row of rows) found.add(row.cpf_cnpj);
  }
  return [...found];
}

/** Whether some document of the office still has a name for this company; index `participante_de`, from the newest on, until the first. */
export async function isNomeada(trx: Trx, input: { contadorId: number; cpfCnpj: string }): Promise<boolean> {
  const row = await trx
    .selectFrom('participante')
    .select('documento_id')
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', '=', input.cpfCnpj)
    .where('nome', 'is not', null)
    .orderBy('documento_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Companies that no document names any more, with the words by which they were found. */
export async function deleteEmpresas(
  trx: Trx,
  input: { contadorId: number; cpfCnpjs: readonly string[] },
): Promise<void> {
  for (const part of idChunks(input.cpfCnpjs)) {
    for (const table of ['empresa', 'empresa_palavra'] as const) {
      await trx
        .deleteFrom(table)
        .where('contador_id', '=', input.contadorId)
        .where('cpf_cnpj', 'in', part)
        .execute();
    }
  }
}
