/**
 * What refers to a row that is not there is refused, and so is taking away what is referred to: on SQLite by foreign keys,
 * on PostgreSQL for what an import writes by triggers (migrations 0021 to 0025).
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  type Cofre,
  chaveDe,
  comEnvios,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
} from '../../src/documentos/cofre-testing.ts';
import type { PecaLida } from '../../src/documentos/tipos.ts';
import { MOTOR } from '../support/motor.ts';

interface Referencia {
  filho: string;
  coluna: string;
  pai: string;
  chave: string;
  /** Of a row that is inserted beside the one that it is like: what must not be the same. */
  outro?: Record<string, unknown>;
}

const para = (filho: string, coluna: string, pai: string, outro?: Record<string, unknown>): Referencia => ({
  filho,
  coluna,
  pai,
  chave: pai === 'arquivo' ? 'numero' : 'id',
  ...(outro && { outro }),
});

/** With `outro`: tables that others refer to, so that a row of theirs cannot make room for the one that is inserted. */
const REFERENCIAS: readonly Referencia[] = [
  para('documento', 'contador_id', 'contador', { chave: chaveDe({ numero: 99 }) }),
  para('versao', 'documento_id', 'documento', { servida: 0 }),
  para('participante', 'documento_id', 'documento'),
  para('conteudo', 'versao_id', 'versao'),
  para('conteudo', 'bloco_id', 'bloco'),
  para('bloco', 'contador_id', 'contador', {}),
  para('participacao', 'cliente_id', 'cliente'),
  para('participacao', 'documento_id', 'documento'),
  para('entrada', 'cliente_id', 'cliente'),
  para('entrada', 'documento_id', 'documento'),
  para('contagem', 'cliente_id', 'cliente'),
  para('item', 'arquivo_numero', 'arquivo'),
];

const NINGUEM = 987_654_321;

/** Batches as large as those of an import, of which the first come into tables that are nearly empty. */
const NOTAS_POR_LOTE = 350;
const POUCAS = 20;
const LOTES = 6;
const EM_SQLITE = MOTOR === 'sqlite' && 'SQLite has no plans that are kept';

describe(`references between rows (${MOTOR})`, () => {
  let cofre: Cofre;
  before(async () => {
    cofre = await openCofre();
    for (const cliente of [EMITENTE, DESTINATARIO]) await cofre.registrar(cliente);
    await cofre.gravar(...[1, 2, 3, 4, 5].map((numero) => nota({ numero })), evento(chaveDe({ numero: 1 })));
    await comEnvios(cofre);
    const [arquivo] = await rowsOf(cofre.db.write, 'arquivo');
    await sql`insert into item (arquivo_numero, ordem, caminho, especie, resultado) values (${arquivo?.numero}, 1, '', 'NFe', 'armazenado')`.execute(
      cofre.db.write,
    );
  });
  after(() => cofre.db.close());

  for (const { filho, coluna, pai, chave, outro } of REFERENCIAS) {
    it(`lets no row of ${filho} be inserted whose ${coluna} is nobody's`, async () => {
      await refused(async (trx) => {
        const row = await oneThatRefers(trx, { filho, coluna });
        const { id, ...rest } = row;
        if (!outro) await deleteLike(trx, filho, row);
        await insert(trx, filho, { ...rest, ...outro, [coluna]: NINGUEM });
      });
    });

    it(`lets no row of ${filho} be given a ${coluna} that is nobody's`, async () => {
      await refused((trx) =>
        sql`update ${sql.table(filho)} set ${sql.ref(coluna)} = ${NINGUEM} where ${sql.ref(coluna)} = (
          select max(${sql.ref(coluna)}) from ${sql.table(filho)})`.execute(trx),
      );
    });

    it(`lets no row of ${pai} go as long as ${filho} refers to it`, async () => {
      await refused((trx) =>
        sql`delete from ${sql.table(pai)} where ${sql.ref(chave)} in (select ${sql.ref(coluna)} from ${sql.table(filho)})`.execute(
          trx,
        ),
      );
    });

    if (outro) continue;
    it(`lets a row of ${filho} be inserted as it was, with its own ${coluna}`, async () => {
      await cofre.db.write.transaction().execute(async (trx) => {
        const row = await oneThatRefers(trx, { filho, coluna });
        await deleteLike(trx, filho, row);
        await insert(trx, filho, row);
      });
    });
  }

  for (const [onde, deNinguem] of [
    ['behind the last one', (ids: readonly number[]) => Math.max(...ids) + 1],
    ['before the first one', (ids: readonly number[]) => Math.min(...ids) - 1],
    ['far from all others', () => NINGUEM],
  ] as const)
    it(`lets no batch of entries in of which one refers to a document that is not there, ${onde}`, async () => {
      const ids = await idsDosDocumentos();
      await refused((trx) => inserirEntradas(trx, [...ids, deNinguem(ids)]));
    });

  it('lets no batch of entries in of which one refers to a document that is gone from between the others', async () => {
    const ids = await idsDosDocumentos();
    const [gone = 0] = ids.slice(1, 2);
    let left = ids.length;
    await refused(async (trx) => {
      for (const { filho, coluna, pai } of REFERENCIAS)
        if (pai === 'documento') await apagar(trx, filho, coluna, gone);
      await apagar(trx, 'documento', 'id', gone);
      left = (await rowsOf(trx, 'documento')).length;
      await inserirEntradas(trx, ids);
    });
    assert.equal(left, ids.length - 1);
  });

  it('lets a batch of entries in that refers to some of the documents, to one, or again and again to the same', async () => {
    const ids = await idsDosDocumentos();
    const [first = 0, , third = 0] = ids;
    for (const some of [[first], [first, third], [third, first, third, third], ids])
      await cofre.db.write.transaction().execute((trx) => inserirEntradas(trx, some));
  });

  async function idsDosDocumentos(): Promise<number[]> {
    const rows = await rowsOf(cofre.db.write, 'documento');
    return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  async function inserirEntradas(trx: Db, documentoIds: readonly number[]): Promise<void> {
    const entradas = await rowsOf(trx, 'entrada');
    const [entrada] = entradas;
    const numeros = entradas.map(({ nsu }) => Number(nsu));
    const rows = documentoIds.map(
      (id, at) =>
        sql`(${entrada?.cliente_id}, ${Math.max(...numeros) + 1 + at}, ${id}, ${entrada?.importado_em})`,
    );
    await sql`insert into entrada (cliente_id, nsu, documento_id, importado_em) values ${sql.join(rows)}`.execute(
      trx,
    );
  }

  /** With what refers to it in turn, as far as these tables do. */
  async function apagar(trx: Db, table: string, coluna: string, id: number): Promise<void> {
    const meus = sql`select id from versao where documento_id = ${id}`;
    if (table === 'versao') await sql`delete from conteudo where versao_id in (${meus})`.execute(trx);
    await sql`delete from ${sql.table(table)} where ${sql.ref(coluna)} = ${id}`.execute(trx);
  }

  /** In a transaction that is gone afterwards. */
  async function refused(act: (trx: Db) => Promise<unknown>): Promise<void> {
    await assert.rejects(
      cofre.db.write.transaction().execute(act),
      (error: Error & { code?: string }) =>
        error.code === '23503' || /FOREIGN KEY constraint failed/.test(error.message),
    );
  }
});

describe(`references between rows of large batches (${MOTOR})`, { skip: EM_SQLITE }, () => {
  let cofre: Cofre;
  // Of its own for each test: how rows are looked up is decided with the first of them.
  beforeEach(async () => {
    cofre = await openCofre();
    await cofre.registrar(EMITENTE);
  });
  afterEach(() => cofre.db.close());

  it('are looked up by key: a batch reads no more rows the more there are', async () => {
    const lidas: number[] = [];
    for (let lote = 1; lote <= LOTES; lote++)
      lidas.push(await tuplesReadBy(cofre, () => cofre.gravar(...notasDoLote(lote))));
    const [, segundo = 0] = lidas;
    assert.ok(segundo > NOTAS_POR_LOTE, `the server told of ${lidas}`);
    assert.ok((lidas.at(-1) ?? 0) < segundo + NOTAS_POR_LOTE, `batch by batch the server read ${lidas}`);
  });

  it('are looked up by key where documents change: no more entries are read the more there are', async () => {
    const canceladas = (lote: number, quantas: number) =>
      numerosDoLote(lote)
        .slice(0, quantas)
        .map((numero) => evento(chaveDe({ numero })));
    await cofre.gravar(...notasDoLote(1));
    await cofre.gravar(...canceladas(1, NOTAS_POR_LOTE));
    await cofre.gravar(...notasDoLote(2));
    const lidas = await tuplesReadBy(cofre, () => cofre.gravar(...canceladas(2, POUCAS)), 'participacao');
    assert.ok(lidas >= POUCAS, `the server told of ${lidas}`);
    assert.ok(lidas < NOTAS_POR_LOTE, `for ${POUCAS} events the server read ${lidas} entries`);
  });
});

function numerosDoLote(lote: number): number[] {
  return Array.from({ length: NOTAS_POR_LOTE }, (_, at) => 1000 * lote + at);
}

function notasDoLote(lote: number): PecaLida[] {
  return numerosDoLote(lote).map((numero) => nota({ numero }));
}

async function tuplesReadBy(
  { db }: Cofre,
  act: () => Promise<unknown>,
  table: string | null = null,
): Promise<number> {
  const before = await tuplesRead(db.write, table);
  await act();
  return (await tuplesRead(db.write, table)) - before;
}

/** Rows that the server has read, of one table or of all, by way of indexes or of whole tables. */
async function tuplesRead(db: Db, table: string | null): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ lidas: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_read, 0))::bigint as lidas
    from pg_stat_user_tables
    left join (select relid, sum(idx_tup_read) as idx_tup_read from pg_stat_user_indexes group by relid) i using (relid)
    where ${table}::text is null or relname = ${table}`.execute(db);
  return rows[0]?.lidas ?? 0;
}

type Db = Cofre['db']['write'];
type Row = Record<string, unknown>;

async function rowsOf(db: Db, table: string): Promise<Row[]> {
  return (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows;
}

async function oneThatRefers(trx: Db, { filho, coluna }: Pick<Referencia, 'filho' | 'coluna'>): Promise<Row> {
  const row = (await rowsOf(trx, filho)).find((one) => one[coluna] !== null);
  assert.ok(row, `no row of ${filho} refers by ${coluna}`);
  return row;
}

async function deleteLike(trx: Db, table: string, row: Row): Promise<void> {
  const same = Object.entries(row)
    .filter(([, value]) => value !== null && !(value instanceof Uint8Array))
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`delete from ${sql.table(table)} where ${sql.join(same, sql` and `)}`.execute(trx);
}

async function insert(trx: Db, table: string, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
    trx,
  );
}
