/** `malote migrar-banco`: SQLite to PostgreSQL, killed on the way, with every number, byte and token as it was. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importFile, startMalote } from '../support/malote.ts';
import { lerFeed } from '../support/observador.ts';
import { type BancoDePostgres, createBanco, semPostgres } from '../support/postgres/banco.ts';
import { ambiente, BIN, runJson } from '../support/programa.ts';
import { generateRemessa, type Remessa } from '../support/remessa.ts';

const skip = await semPostgres();
const LIVRE = { MALOTE_LIMITE_MINUTO: '0' };

describe('malote migrar-banco', { skip: skip ?? false }, () => {
  let base: string;
  let origem: string;
  let remessa: Remessa;
  let token: string;
  const codigoCrm = '000042';
  const bancos: BancoDePostgres[] = [];
  const newBanco = async () => {
    const banco = await createBanco({ vazio: true });
    bancos.push(banco);
    return banco.url;
  };
  let copies = 0;
  /** Each test has the installation for itself. */
  const copyOf = (folder: string) => {
    const copy = join(base, `c-${copies++}`);
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
  const feedsOf = (server: { url: string }) =>
    Promise.all(remessa.clientes.map((cpfCnpj) => lerFeed(server, { codigoCrm, token, cpfCnpj })));
  const move = (de: string, para: string, ...args: string[]) =>
    runJson({}, 'migrar-banco', '--de', de, '--para', para, ...args);
  /** Runs it until a failpoint kills it. */
  async function moveAndDie(de: string, para: string, ponto: string): Promise<void> {
    const child = spawn(process.execPath, [BIN, 'migrar-banco', '--de', de, '--para', para], {
      env: { ...ambiente({}), MALOTE_PONTO_DE_FALHA: ponto },
      stdio: 'ignore',
    });
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL', `${ponto} was not reached`);
  }

  before(async () => {
    base = mkdtempSync(join(tmpdir(), 'malote-mudar-'));
    origem = join(base, 'origem');
    remessa = await generateRemessa({
      semente: 'mudar',
      clientes: 3,
      documentos: 120,
      porArquivo: 15,
      outras: 10,
    });
    const env = { MALOTE_DATA: origem };
    const conta = await runJson(
      env,
      'conta',
      'criar',
      '--crm',
      '42',
      '--nome',
      'Escritório',
      '--email',
      'a@b.c',
    );
    token = conta.value.token;
    for (const cpfCnpj of remessa.clientes) {
      await runJson(
        env,
        'cliente',
        'criar',
        '--crm',
        '42',
        '--cpf-cnpj',
        cpfCnpj,
        '--nome',
        'Cliente',
        '--email',
        'c@d.e',
      );
    }
    const malote = await startMalote({ dataFolder: origem, env: { ...LIVRE, DATABASE_URL: '' } });
    const [last, ...first] = remessa.arquivos.toReversed();
    assert.ok(last);
    for (const arquivo of first) await importFile(malote, { token, ...arquivo });
    await malote.stop();
  });
  after(async () => {
    for (const banco of bancos) await banco.drop();
    rmSync(base, { recursive: true, force: true });
  });

  it('killed five times on its way it goes on, and the installation is the same; the next numbers follow', async () => {
    const de = copyOf(origem);
    const para = await newBanco();
    const before = await startMalote({ dataFolder: copyOf(origem), env: { ...LIVRE, DATABASE_URL: '' } });
    const feeds = await feedsOf(before);
    await before.stop();

    for (const [i, ponto] of ['antes:2', 'depois:9', 'antes:5', 'depois:3', 'antes:7'].entries()) {
      const [when, n] = ponto.split(':');
      await moveAndDie(de, para, `mudanca_${when}_do_commit:${n}`);
      if (i > 0) continue;
      const early = await runJson({ MALOTE_DATA: de, DATABASE_URL: para }, 'verificar');
      assert.deepEqual([early.code, early.value.erro.codigo], [1, 'configuracao_invalida']);
      assert.match(early.value.erro.mensagem, /não terminou/, 'nothing works on half a database');
    }
    const { code, value } = await move(de, para);
    assert.equal(code, 0, JSON.stringify(value));
    assert.equal(value.continuada, true);
    const rows = Object.fromEntries(
      value.tabelas.map((tabela: { nome: string; linhas: number }) => [tabela.nome, tabela.linhas]),
    );
    for (const nome of [
      'documento',
      'conteudo',
      'entrada',
      'token_integracao',
      'auditoria',
      'cliente_oauth',
    ]) {
      assert.ok(rows[nome] > 0, nome);
    }

    const once = await move(de, para);
    assert.deepEqual([once.code, once.value.completa], [0, true], 'killed behind its end it says so');
    assert.deepEqual(once.value.tabelas, value.tabelas);

    const env = { MALOTE_DATA: de, DATABASE_URL: para };
    const check = await runJson(env, 'verificar');
    assert.equal(check.code, 0, JSON.stringify(check.value));
    assert.equal((await runJson(env, 'auditoria', 'verificar')).code, 0);
    const now = await startMalote({ dataFolder: de, env: { ...LIVRE, DATABASE_URL: para } });
    try {
      assert.deepEqual(await feedsOf(now), feeds, 'every NSU, key and byte');
      const last = remessa.arquivos.at(-1);
      assert.ok(last);
      await importFile(now, { token, ...last });
      const later = await feedsOf(now);
      for (const [i, feed] of later.entries()) {
        assert.deepEqual(feed.slice(0, feeds[i]?.length), feeds[i]);
        assert.deepEqual(
          feed.map(({ nsu }) => nsu),
          feed.map((_, at) => at + 1),
        );
        const esperadas = remessa.esperadas.get(remessa.clientes[i] ?? '');
        assert.equal(feed.length, esperadas?.size);
      }
    } finally {
      await now.stop();
    }
    const again = await move(de, para);
    assert.deepEqual([again.code, again.value.erro.codigo], [1, 'destino_com_dados']);
  });

  // That nobody opens it meanwhile: src/platform/db/sqlite-executor.test.ts.
  it('is refused while the source is in use', async () => {
    const de = copyOf(origem);
    const malote = await startMalote({ dataFolder: de, env: { ...LIVRE, DATABASE_URL: '' } });
    const { code, value } = await move(de, await newBanco());
    await malote.stop();
    assert.deepEqual([code, value.erro.codigo], [1, 'origem_em_uso']);
  });

  it('notices that the source was written to after an interruption, and begins anew only when told so', async () => {
    const de = copyOf(origem);
    const para = await newBanco();
    await moveAndDie(de, para, 'mudanca_depois_do_commit:6');
    await runJson(
      { MALOTE_DATA: de },
      'conta',
      'criar',
      '--crm',
      '43',
      '--nome',
      'Outro',
      '--email',
      'a@b.c',
    );
    const refused = await move(de, para);
    assert.deepEqual([refused.code, refused.value.erro.codigo], [1, 'origem_mudou']);
    const { code, value } = await move(de, para, '--recomecar');
    assert.equal(code, 0, JSON.stringify(value));
    assert.equal(value.continuada, false);
    assert.equal(value.tabelas.find(({ nome }: { nome: string }) => nome === 'contador').linhas, 2);
  });

  it('says what is wrong with its arguments', async () => {
    const { code, value } = await move(join(base, 'nada'), await newBanco());
    assert.deepEqual([code, value.erro.codigo], [1, 'origem_inexistente']);
    assert.equal((await move(origem, 'mysql://x/y')).code, 2);
    const away = await move(copyOf(origem), 'postgres://u:segredo@127.0.0.1:1/x');
    assert.equal(away.code, 1);
    assert.doesNotMatch(JSON.stringify(away.value), /segredo/);
  });
});
