/** Every statement of `malote verificar`. They read whole tables, each in one statement and so from one moment. */
import { type Kysely, sql } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';

type Db = Kysely<Tabelas>;

/** What the engine itself finds wrong in its file; an empty list when all is well. SQLite only. */
export async function findEngineFaults(db: Db): Promise<string[]> {
  const quick = await sql<{ quick_check: string }>`pragma quick_check(20)`.execute(db);
  const foreign = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  return [
    ...quick.rows.map((row) => row.quick_check).filter((text) => text !== 'ok'),
    ...foreign.rows.slice(0, 20).map((row) => `linha de ${row.table} sem a sua em ${row.parent}`),
  ];
}

export interface FalhaDeNsu {
  codigo_crm: string;
  cpf_cnpj: string;
  ultimo_nsu: number;
  entradas: number;
  primeiro: number | null;
  ultimo: number | null;
}

/** Clients whose entries are not exactly 1…ultimo_nsu. */
export async function findNsuFaults(db: Db): Promise<FalhaDeNsu[]> {
  const { rows } = await sql<FalhaDeNsu>`
    select contador.codigo_crm, cliente.cpf_cnpj, cliente.ultimo_nsu,
      count(entrada.nsu) as entradas, min(entrada.nsu) as primeiro, max(entrada.nsu) as ultimo
    from cliente
    join contador on contador.id = cliente.contador_id
    left join entrada on entrada.cliente_id = cliente.id
    group by cliente.id, contador.codigo_crm, cliente.cpf_cnpj, cliente.ultimo_nsu
    having count(entrada.nsu) <> cliente.ultimo_nsu
      or coalesce(max(entrada.nsu), 0) <> cliente.ultimo_nsu
      or coalesce(min(entrada.nsu), 1) <> 1`.execute(db);
  return rows;
}

/** Entries whose document belongs to another office than the client. */
export async function findForeignEntries(
  db: Db,
): Promise<{ codigo_crm: string; cpf_cnpj: string; nsu: number; chave: string }[]> {
  return db
    .selectFrom('entrada')
    .innerJoin('cliente', 'cliente.id', 'entrada.cliente_id')
    .innerJoin('contador', 'contador.id', 'cliente.contador_id')
    .innerJoin('documento', 'documento.id', 'entrada.documento_id')
    .select(['contador.codigo_crm', 'cliente.cpf_cnpj', 'entrada.nsu', 'documento.chave'])
    .whereRef('documento.contador_id', '<>', 'cliente.contador_id')
    .execute();
}

/** Entries without a listing row of the same client and document, and the reverse, or whose newest NSU differs. */
export async function findUnlistedEntries(
  db: Db,
): Promise<{ cliente_id: number; documento_id: number; nsu: number }[]> {
  const { rows } = await sql<{ cliente_id: number; documento_id: number; nsu: number }>`
    select entrada.cliente_id, entrada.documento_id, max(entrada.nsu) as nsu
    from entrada
    left join participacao on participacao.cliente_id = entrada.cliente_id
      and participacao.documento_id = entrada.documento_id
    group by entrada.cliente_id, entrada.documento_id, participacao.nsu
    having participacao.nsu is null or participacao.nsu <> max(entrada.nsu)
    union all
    select participacao.cliente_id, participacao.documento_id, participacao.nsu
    from participacao
    left join entrada on entrada.cliente_id = participacao.cliente_id and entrada.nsu = participacao.nsu
      and entrada.documento_id = participacao.documento_id
    where entrada.nsu is null`.execute(db);
  return rows;
}

/** Documents that have not exactly one served version, and versions without bytes. */
export async function findVersionFaults(
  db: Db,
): Promise<{ chave: string; servidas: number; vazias: number }[]> {
  const { rows } = await sql<{ chave: string; servidas: number; vazias: number }>`
    select documento.chave, coalesce(sum(versao.servida), 0) as servidas,
      sum(case when versao.id is not null and conteudo.versao_id is null then 1 else 0 end) as vazias
    from documento
    left join versao on versao.documento_id = documento.id
    left join conteudo on conteudo.versao_id = versao.id
    group by documento.id, documento.chave
    having coalesce(sum(versao.servida), 0) <> 1
      or sum(case when versao.id is not null and conteudo.versao_id is null then 1 else 0 end) > 0`.execute(
    db,
  );
  return rows;
}

export interface FalhaDeContagem {
  cliente_id: number;
  modelo: string;
  dia: string;
  contado: number;
  listado: number;
}

/** Days whose counter differs from the rows of the listing. */
export async function findCountFaults(db: Db): Promise<FalhaDeContagem[]> {
  const { rows } = await sql<FalhaDeContagem>`
    select cliente_id, modelo, dia, sum(contado) as contado, sum(listado) as listado
    from (
      select cliente_id, modelo, dia, tipo, status, carta_correcao, quantidade as contado, 0 as listado
      from contagem
      union all
      select cliente_id, modelo, dia, tipo, status, carta_correcao, 0, count(*)
      from participacao
      where classe <> 'evento'
      group by cliente_id, modelo, dia, tipo, status, carta_correcao
    ) as lados
    group by cliente_id, modelo, dia, tipo, status, carta_correcao
    having sum(contado) <> sum(listado)`.execute(db);
  return rows;
}

/** Kept bytes behind a version's id, with what was noted of them; primary keys, at most `limite` rows. */
export async function findConteudosAfter(db: Db, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('versao')
    .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select([
      'versao.id',
      'versao.sha256',
      'versao.tamanho',
      'documento.chave',
      'conteudo.formato',
      'conteudo.bytes',
    ])
    .where('versao.id', '>', input.depoisDe)
    .orderBy('versao.id')
    .limit(input.limite)
    .execute();
}

/** Rows of some tables, for the report. */
export async function countRows(
  db: Db,
): Promise<{ clientes: number; documentos: number; entradas: number; versoes: number }> {
  const { rows } = await sql<{ clientes: number; documentos: number; entradas: number; versoes: number }>`
    select (select count(*) from cliente) as clientes, (select count(*) from documento) as documentos,
      (select count(*) from entrada) as entradas, (select count(*) from versao) as versoes`.execute(db);
  const [row] = rows;
  return row ?? { clientes: 0, documentos: 0, entradas: 0, versoes: 0 };
}

/** Uploaded files behind an id whose bytes are kept; primary key, at most `limite` rows. */
export async function findBlobsAfter(db: Db, input: { depoisDe: string; limite: number }) {
  return db
    .selectFrom('arquivo')
    .select(['id', 'blob', 'sha256'])
    .where('blob', 'is not', null)
    .where('id', '>', input.depoisDe)
    .orderBy('id')
    .limit(input.limite)
    .execute();
}
