/** Statements of the first page. None of them grows with the number of documents: they read counts, feeds' ends and clients. */

import { sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import { idChunks } from '../../documentos/bytes/chunks.ts';
import { temBytes } from '../../documentos/bytes/queries-envios.ts';
import type { Alcance } from '../acesso.ts';
import { MODELOS_DA_ESPECIE } from '../documentos/filtro.ts';

const DAY_MS = 86_400_000;

interface Escopo {
  contadorId: number;
  alcance: Alcance;
}

function clientesDe(db: Db, { contadorId, alcance }: Escopo) {
  const query = db.selectFrom('cliente').where('cliente.contador_id', '=', contadorId);
  return alcance === null ? query : query.where('cliente.id', 'in', alcance);
}

/** Documents by day of issue and model, from the kept counts, in whose primary key days are found behind the model. */
export async function sumPorDia(db: Db, escopo: Escopo & { desde: string }) {
  const rows = await db
    .selectFrom('contagem')
    .select((eb) => ['dia', 'modelo', eb.fn.sum('quantidade').as('quantidade')])
    .where('cliente_id', 'in', clientesDe(db, escopo).select('cliente.id'))
    .where('modelo', 'in', MODELOS_DA_ESPECIE.todas)
    .where('dia', '>=', escopo.desde)
    .groupBy(['dia', 'modelo'])
    .orderBy('dia')
    .execute();
  return rows.map((row) => ({ ...row, quantidade: Number(row.quantidade) }));
}

/** Files of the office since an instant; index `arquivo_contador`. */
export async function countImportacoes(db: Db, input: { contadorId: number; desde: number }) {
  const rows = await db
    .selectFrom('arquivo')
    .leftJoin('job', 'job.arquivo_id', 'arquivo.id')
    .select((eb) => [
      'arquivo.status',
      eb.fn.countAll<number>().as('arquivos'),
      eb.fn.sum('job.itens_prontos').as('documentos'),
      sql<number>`sum(case when arquivo.status = 'Com Erro' and ${FALHOU} then 1 else 0 end)`.as('comErro'),
    ])
    .where('arquivo.contador_id', '=', input.contadorId)
    .where('arquivo.criado_em', '>=', input.desde)
    .where('arquivo.status', '<>', 'Expirado')
    .groupBy('arquivo.status')
    .execute();
  return rows.map((row) => ({
    status: row.status,
    arquivos: Number(row.arquivos),
    documentos: Number(row.documentos ?? 0),
    comErro: Number(row.comErro),
  }));
}

/** Something of the file failed, or all of it; partial index `item_falha`. What waits for a client has not. */
const FALHOU = sql`(job.estado = 'falhou' or job.itens_prontos = 0 or exists (select 1 from item
  where item.arquivo_numero = arquivo.numero and item.resultado in ('rejeitado', 'conflito')))`;

/**
 * Days (since 1970, UTC) on which some clients got their last entries, and when the last of a day came; the primary key of
 * `entrada`, at most `limite` entries of each client.
 */
export async function findDiasDeChegada(db: Db, input: { ids: readonly number[]; limite: number }) {
  const found: { cliente_id: number; em: number }[] = [];
  for (const ids of idChunks(input.ids)) {
    const rows = await db
      .selectFrom('cliente')
      .crossJoin('entrada')
      .select((eb) => [
        'entrada.cliente_id',
        sql<number>`entrada.importado_em / ${sql.lit(DAY_MS)}`.as('dia'),
        eb.fn.max('entrada.importado_em').as('em'),
      ])
      .where('cliente.id', 'in', ids)
      .whereRef('entrada.cliente_id', '=', 'cliente.id')
      .whereRef('entrada.nsu', '>', sql<number>`cliente.ultimo_nsu - ${input.limite}`)
      .groupBy(['entrada.cliente_id', sql`2`])
      .execute();
    for (const { cliente_id, em } of rows) found.push({ cliente_id, em: Number(em) });
  }
  return found;
}

/** Clients whose last entry came before an instant: one row of each by its key. */
export async function findParadosDesde(db: Db, escopo: Escopo & { antesDe: number }) {
  return clientesDe(db, escopo)
    .innerJoin('entrada', (join) =>
      join
        .onRef('entrada.cliente_id', '=', 'cliente.id')
        .onRef('entrada.nsu', '=', 'cliente.ultimo_nsu')
        .on('entrada.importado_em', '<', escopo.antesDe),
    )
    .select(['cliente.id', 'cliente.cpf_cnpj as cpfCnpj', 'cliente.nome', 'cliente.ultimo_nsu as ultimoNsu'])
    .orderBy('cliente.nome')
    .execute();
}

/** Certificates in force that end before an instant; index `certificado_vencendo`. */
export async function findCertificados(db: Db, escopo: Escopo & { ate: number }) {
  return clientesDe(db, escopo)
    .innerJoin('certificado', 'certificado.cliente_id', 'cliente.id')
    .select(['cliente.cpf_cnpj as cpfCnpj', 'cliente.nome', 'certificado.valido_ate as validoAte'])
    .where('certificado.substituido_em', 'is', null)
    .where('certificado.valido_ate', '<', escopo.ate)
    .orderBy('certificado.valido_ate')
    .orderBy('cliente.cpf_cnpj')
    .execute();
}

/** How far each token has read; index `leitura_do_feed_contador`. */
export async function findLeituras(db: Db, escopo: Escopo) {
  return clientesDe(db, escopo)
    .innerJoin('leitura_do_feed', 'leitura_do_feed.cliente_id', 'cliente.id')
    .innerJoin('token_integracao', 'token_integracao.id', 'leitura_do_feed.token_id')
    .select([
      'cliente.cpf_cnpj as cpfCnpj',
      'cliente.nome',
      'cliente.ultimo_nsu as ultimoNsu',
      'token_integracao.nome as token',
      'leitura_do_feed.nsu',
      'leitura_do_feed.em',
    ])
    .where('token_integracao.revogado_em', 'is', null)
    .execute();
}

/** Uploads that can be given back, and the bytes that came with them, in whatever form they are kept now; over the office's rows. */
export async function sumArquivos(db: Db, contadorId: number) {
  const row = await db
    .selectFrom('arquivo')
    .select((eb) => [eb.fn.sum('tamanho').as('bytes'), eb.fn.countAll<number>().as('arquivos')])
    .where('contador_id', '=', contadorId)
    .where(temBytes())
    .executeTakeFirst();
  return { bytes: Number(row?.bytes ?? 0), arquivos: Number(row?.arquivos ?? 0) };
}

/** Entries of all clients: the ends of their feeds, added. */
export async function sumEntradas(db: Db, escopo: Escopo): Promise<number> {
  const row = await clientesDe(db, escopo)
    .select(sql<number>`coalesce(sum(cliente.ultimo_nsu), 0)`.as('entradas'))
    .executeTakeFirst();
  return Number(row?.entradas ?? 0);
}

/** What of the first steps an office has done: whether a row is there; an index of the office each. */
export async function findPassos(
  db: Db,
  contadorId: number,
): Promise<{ clientes: boolean; recebidos: boolean; leitores: boolean }> {
  const temLinha = (statement: ReturnType<typeof sql>) =>
    sql<number>`case when exists (${statement}) then 1 else 0 end`;
  const { rows } = await sql<Record<'clientes' | 'recebidos' | 'leitores', number>>`select
    ${temLinha(sql`select 1 from cliente where contador_id = ${contadorId}`)} as clientes,
    ${temLinha(sql`select 1 from arquivo where contador_id = ${contadorId} and recebido_em is not null`)} as recebidos,
    case when ${temLinha(sql`select 1 from leitura_do_feed where contador_id = ${contadorId}`)} = 1
      or ${temLinha(sql`select 1 from exportacao where contador_id = ${contadorId}`)} = 1
      or ${temLinha(sql`select 1 from usuario where contador_id = ${contadorId} and papel = 'cliente'`)} = 1
      then 1 else 0 end as leitores`.execute(db);
  const [row] = rows;
  return {
    clientes: Number(row?.clientes) === 1,
    recebidos: Number(row?.recebidos) === 1,
    leitores: Number(row?.leitores) === 1,
  };
}
