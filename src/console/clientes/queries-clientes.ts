/** Statements behind the list of clients. One function is one statement. */

import { sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import type { Alcance } from '../acesso.ts';

/** Every client of an office with the end of its certificate: a few thousand small rows; the unique index. */
export async function findParaLista(db: Db, input: { contadorId: number; alcance: Alcance }) {
  const rows = db
    .selectFrom('cliente')
    .leftJoin('certificado', (join) =>
      join.onRef('certificado.cliente_id', '=', 'cliente.id').on('certificado.substituido_em', 'is', null),
    )
    .select([
      'cliente.id',
      'cliente.cpf_cnpj',
      'cliente.nome',
      'cliente.ultimo_nsu',
      'certificado.valido_ate',
    ])
    .where('cliente.contador_id', '=', input.contadorId);
  return input.alcance === null ? rows.execute() : rows.where('cliente.id', 'in', input.alcance).execute();
}

/** What a page shows of some clients of an office, and of their present certificates. */
export async function findDetalhes(db: Db, input: { contadorId: number; ids: readonly number[] }) {
  return db
    .selectFrom('cliente')
    .leftJoin('certificado', (join) =>
      join.onRef('certificado.cliente_id', '=', 'cliente.id').on('certificado.substituido_em', 'is', null),
    )
    .select([
      'cliente.id',
      'cliente.cpf_cnpj',
      'cliente.nome',
      'cliente.email',
      'cliente.trabalha_com_procuracao',
      'cliente.criado_em',
      'cliente.ultimo_nsu',
      'certificado.titular',
      'certificado.titular_nome',
      'certificado.serie',
      'certificado.impressao',
      'certificado.uf',
      'certificado.valido_de',
      'certificado.valido_ate',
    ])
    .where('cliente.contador_id', '=', input.contadorId)
    .where('cliente.id', 'in', input.ids)
    .execute();
}

/** When the newest entry of each of some clients came: one row each, by the primary key (client, NSU). */
export async function findUltimasEntradas(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('cliente')
    .innerJoin('entrada', (join) =>
      join.onRef('entrada.cliente_id', '=', 'cliente.id').onRef('entrada.nsu', '=', 'cliente.ultimo_nsu'),
    )
    .select(['cliente.id', 'entrada.importado_em'])
    .where('cliente.id', 'in', ids)
    .execute();
}

/** What tokens read last of some clients, the furthest last: a few rows a client. */
export async function findUltimasLeituras(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('leitura_do_feed')
    .innerJoin('token_integracao', 'token_integracao.id', 'leitura_do_feed.token_id')
    .select([
      'leitura_do_feed.cliente_id',
      'leitura_do_feed.nsu',
      'leitura_do_feed.em',
      'token_integracao.nome',
    ])
    .where('leitura_do_feed.cliente_id', 'in', ids)
    .orderBy('leitura_do_feed.nsu')
    .orderBy('leitura_do_feed.em')
    .execute();
}

/** Documents of some clients with a date of emission from a day on, out of the daily counts. */
export async function countDesde(db: Db, input: { ids: readonly number[]; dia: string }) {
  return db
    .selectFrom('contagem')
    .select(['cliente_id', sql<number>`cast(sum(quantidade) as bigint)`.as('quantidade')])
    .where('cliente_id', 'in', input.ids)
    .where('dia', '>=', input.dia)
    .groupBy('cliente_id')
    .execute();
}

/** Which of some CPF/CNPJ an office has already; the unique index. */
export async function findCadastrados(db: Db, input: { contadorId: number; cpfCnpjs: readonly string[] }) {
  const rows = await db
    .selectFrom('cliente')
    .select('cpf_cnpj')
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', 'in', input.cpfCnpjs)
    .execute();
  return new Set(rows.map((row) => row.cpf_cnpj));
}

/**
 * The state that keys of a company's own notes begin with, else that of the office's last certificate: index
 * `documento_numeracao`, then the office's few certificates.
 */
export async function findCodigoDeUf(
  db: Db,
  input: { contadorId: number; cpfCnpj: string },
): Promise<{ codigo: string | null; sigla: string | null }> {
  const nota = await db
    .selectFrom('documento')
    .select('chave')
    .where('contador_id', '=', input.contadorId)
    .where('ambiente', '=', 1)
    .where('emitente', '=', input.cpfCnpj)
    .where('classe', '=', 'documento')
    .where('modelo', 'in', ['55', '65', '57', '59', '67'])
    .limit(1)
    .executeTakeFirst();
  if (nota) return { codigo: nota.chave.slice(0, 2), sigla: null };
  const certificado = await db
    .selectFrom('certificado')
    .select('uf')
    .where('contador_id', '=', input.contadorId)
    .orderBy('criado_em', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { codigo: null, sigla: certificado?.uf ?? null };
}
