/**
 * The second wall between offices. A session of PostgreSQL sees only rows of the office that it was told of,
 * whatever its statements ask for; unset, it sees nothing. The service runs as a role for which that holds.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { cnpj, nota } from '../../src/documentos/cofre-testing.ts';
import { deliverRetidos } from '../../src/documentos/store/retidos.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import { Preparador } from '../../src/exportacao/prepared/preparador.ts';
import { connectPostgres } from '../../src/platform/db/connect.ts';
import { serverWarnings } from '../../src/platform/db/server-warnings.ts';
import { actForOffice, newScope, runAsService, runInScope } from '../../src/platform/db/tenant.ts';
import { createLogger } from '../../src/platform/http/log.ts';
import { createHttpServer } from '../../src/platform/http/server.ts';
import { type BancoAberto, openBanco } from '../support/bancos.ts';
import { semPostgres } from '../support/postgres/banco.ts';

const AGORA = Date.parse('2026-04-01T12:00:00-03:00');
const motivo = await semPostgres();

/** Tables of an office with rows of both offices here, and how many each has. */
const COM_LINHAS = [
  'contador',
  'cliente',
  'documento',
  'versao',
  'conteudo',
  'bloco',
  'participante',
  'entrada',
  'participacao',
  'contagem',
] as const;

describe('the wall between offices', { skip: motivo ?? false }, () => {
  let banco: BancoAberto;
  let client: pg.Client;
  const offices: number[] = [];

  before(async () => {
    banco = await openBanco({ motor: 'postgres' });
    for (const at of [1, 2]) {
      await banco.db.write.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('contador')
          .values({ codigo_crm: `00000${at}`, nome: 'n', email: 'e', criado_em: AGORA })
          .returning('id')
          .executeTakeFirstOrThrow();
        const emitente = cnpj(100000000000 + at);
        await trx
          .insertInto('cliente')
          .values({
            contador_id: id,
            cpf_cnpj: emitente,
            nome: 'n',
            email: 'e',
            criado_em: AGORA,
            atualizado_em: AGORA,
          })
          .execute();
        await deliverRetidos(
          trx,
          { contadorId: id, cpfCnpj: emitente },
          { agora: AGORA, homologacao: false },
        );
        const pecas = [1, 2, 3, 4].map((numero) => nota({ emitente, numero }));
        await storeLotes(trx, {
          lotes: [{ arquivoNumero: at, contadorId: id, pecas }],
          agora: AGORA,
          homologacao: false,
        });
        offices.push(id);
      });
    }
    client = new pg.Client({ connectionString: banco.settings.databaseUrl });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await banco?.close();
  });

  const count = async (table: string): Promise<number> =>
    Number((await client.query(`select count(*) as n from ${table}`)).rows[0].n);
  const be = (value: string | null) =>
    value === null
      ? client.query('reset malote.contador')
      : client.query("select set_config('malote.contador', $1, false)", [value]);

  it('hides every row of every table of an office from a session that names none, or something else', async () => {
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace",
    );
    assert.ok(rows.length > 20);
    for (const value of [null, '', '0', '999', '-1', 'x', '**', '1 or true', '9'.repeat(40)]) {
      await be(value);
      for (const { name } of rows) assert.equal(await count(name), 0, `${name} with ${value}`);
    }
  });

  it('shows an office its own rows alone, and the service all', async () => {
    for (const table of COM_LINHAS) {
      await be('*');
      const all = await count(table);
      const own: number[] = [];
      for (const office of offices) {
        await be(String(office));
        own.push(await count(table));
      }
      assert.ok(
        own.every((n) => n > 0),
        table,
      );
      assert.equal(own[0], own[1], table);
      assert.equal((own[0] ?? 0) + (own[1] ?? 0), all, table);
    }
  });

  it('lets an office change, delete and add nothing of another', async () => {
    await be(String(offices[0]));
    const other = offices[1];
    for (const statement of [
      `update documento set status = 'Cancelada' where contador_id = ${other}`,
      `delete from participante where contador_id = ${other}`,
      'update cliente set ultimo_nsu = 0 where contador_id <> malote_contador()',
    ])
      assert.equal((await client.query(statement)).rowCount, 0, statement);
    for (const statement of [
      `insert into cliente (contador_id, cpf_cnpj, nome, email, criado_em, atualizado_em) values (${other}, '1', 'n', 'e', 0, 0)`,
      `update cliente set contador_id = ${other}`,
    ])
      await assert.rejects(client.query(statement), /row-level security/, statement);
  });

  it('holds for the owner of the tables, which the service is; a superuser is warned of', async () => {
    const { rows } = await client.query(
      "select relowner = (select oid from pg_roles where rolname = current_user) as own from pg_class where relname = 'documento'",
    );
    assert.equal(rows[0].own, true);
    const about = (warnings: string[]) => warnings.filter((warning) => /row level security/.test(warning));
    assert.deepEqual(about(await serverWarnings(banco.db)), []);
    const superuser = connectPostgres({ url: banco.urlDoAdministrador, connections: 1 });
    assert.equal(about(await serverWarnings(superuser)).length, 1);
    await superuser.close();
  });

  it('stands around a request from the moment its office is known: a query that forgets the office finds its own', async () => {
    const everything = () => banco.db.read.selectFrom('documento').select('contador_id').execute();
    await runInScope(newScope(), async () => {
      assert.equal((await everything()).length, 8, 'credentials are looked up before');
      actForOffice(offices[0] ?? 0);
      const seen = await everything();
      assert.deepEqual([...new Set(seen.map((row) => row.contador_id))], [offices[0]]);
      assert.equal(seen.length, 4);
      assert.equal((await runAsService(everything)).length, 8);
      actForOffice(999);
      assert.deepEqual(await everything(), []);
    });
    assert.equal((await everything()).length, 8, 'outside of any request it is the service itself');
  });

  it('keeps requests that share few connections apart', async () => {
    const asOffice = (office: number) =>
      runInScope(newScope(), async () => {
        actForOffice(office);
        const rows = await banco.db.read.selectFrom('documento').select('contador_id').execute();
        assert.ok(rows.length === 4 && rows.every((row) => row.contador_id === office));
        await banco.db.write
          .transaction()
          .execute(async (trx) => {
            const inside = await trx.selectFrom('cliente').select('contador_id').execute();
            assert.deepEqual(
              inside.map((row) => row.contador_id),
              [office],
            );
            throw new Error('rolled back');
          })
          .catch((error: Error) => assert.equal(error.message, 'rolled back'));
      });
    await Promise.all(Array.from({ length: 200 }, (_, at) => asOffice(offices[at % 2] ?? 0)));
  });

  it('stands around the threads that make pages: for one office they see nothing of another, whatever they are asked for', async () => {
    const [mine = 0, other = 0] = offices;
    const clienteDe = (office: number) =>
      banco.db.read
        .selectFrom('cliente')
        .select('id')
        .where('contador_id', '=', office)
        .executeTakeFirstOrThrow();
    const versoes = await banco.db.read
      .selectFrom('versao')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .select('versao.id')
      .where('documento.contador_id', '=', other)
      .execute();
    const versaoIds = versoes.map(({ id }) => id);
    assert.equal(versaoIds.length, 4);
    const preparador = new Preparador({
      config: banco.settings,
      clock: { now: () => AGORA },
      enderecos: { current: () => ({ kid: 'k', secret: Buffer.alloc(32) }) },
      log: { error: () => {} },
    } as never);
    try {
      const asked = {
        clienteId: (await clienteDe(other)).id,
        variante: { origin: 'http://x', comFinalidade: false },
        feed: { ultimoNsu: 4, revisao: 0 },
        de: 1,
        ate: 4,
        comGrupos: false,
      };
      const paginacao = { total: 4, tamanho: 4, pagina: 1 };
      const seenBy = async (contadorId: number) => {
        const trechos = await preparador.trechos({ ...asked, contadorId });
        const textos = await preparador.segmentos(contadorId, versaoIds);
        const pagina = await preparador.paginaInteira(
          { ...asked, contadorId },
          { paginacao, codificacao: 'identity' },
        );
        const { documentos } = JSON.parse(
          pagina ? Buffer.from(pagina.bytes).toString() : '{"documentos":[]}',
        );
        return [trechos.flatMap(({ registros }) => registros).length, textos.size, documentos.length];
      };
      assert.deepEqual(await seenBy(mine), [0, 0, 0]);
      assert.deepEqual(await seenBy(other), [4, 4, 4]);
    } finally {
      await preparador.close();
    }
  });

  it('stands around a route whose query forgets the office, with a body and without', async () => {
    const app = await createHttpServer({
      log: createLogger('silent'),
      catalogo: {},
      https: false,
      logFields: () => ({}),
      answersContinueItself: () => false,
    });
    const guard = async (request: { headers: Record<string, unknown> }) =>
      actForOffice(Number(request.headers['x-office']));
    const forgetful = async () => (await banco.db.read.selectFrom('entrada').selectAll().execute()).length;
    app.get('/x', { onRequest: guard }, forgetful);
    app.post('/x', { onRequest: guard }, forgetful);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/x`;
    try {
      for (const [office, seen] of [
        [offices[0], '4'],
        [offices[1], '4'],
        [999, '0'],
      ]) {
        const headers = { 'x-office': String(office), 'content-type': 'application/json' };
        assert.equal(await (await fetch(url, { headers })).text(), seen);
        const body = JSON.stringify({ a: 'x'.repeat(300_000) });
        assert.equal(await (await fetch(url, { method: 'POST', headers, body })).text(), seen);
      }
    } finally {
      await app.close();
    }
  });
});
