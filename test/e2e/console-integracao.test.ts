/** The console's page for programs, the audit log and the health page, over HTTP. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClienteOauth } from '../../src/autorizacao/cliente-oauth.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { loadPacotes } from '../../src/importacao/standards/esquemas-instalados.ts';
import { fetchAccessToken } from '../support/acesso-contas.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { answerOnce } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  type Malote,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { MOTOR } from '../support/motor.ts';

const CLIENTE = '11222333000181';
const OUTRO = '11444777000161';

let malote: Malote;
let escritorio: Escritorio;
let admin: Pedinte;
let vizinho: Pedinte;
/** Where the service keeps its own backups. */
let copias: string;
before(async () => {
  copias = mkdtempSync(join(tmpdir(), 'malote-copias-'));
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_COPIA_PASTA: copias } });
  escritorio = await createEscritorio(malote.dataFolder, { crm: '123', clientes: [CLIENTE, OUTRO] });
  admin = await logInToConsole(malote, escritorio);
  vizinho = await logInToConsole(malote, await createEscritorio(malote.dataFolder, { crm: '456' }));
});
after(async () => {
  await malote[Symbol.asyncDispose]();
  rmSync(copias, { recursive: true });
});

const reads = (token: string, cpfCnpj = CLIENTE) =>
  fetchJson(`${malote.url}/api/v1/${escritorio.codigoCrm}/${cpfCnpj}/documentos/0/novos`, { token }).then(
    ({ status }) => status,
  );
const sends = (token: string) =>
  fetchJson(`${malote.url}/storage`, { token, json: { size: 1, extension: '.xml' } }).then(
    ({ status }) => status,
  );

describe('integration tokens', () => {
  it('are shown once, work within their limits, tell their last use, and stop when revoked', async () => {
    const json = {
      nome: 'ERP da padaria',
      escopo: ['exportacao'],
      clientes: [CLIENTE],
      expiraEm: '2099-12-31',
    };
    const made = await admin.ask('/tokens', { json });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { token, id } = made.body;
    assert.match(token, /^mlt_[0-9A-Za-z]{49}$/);
    assert.deepEqual([await reads(token), await reads(token, OUTRO), await sends(token)], [200, 404, 403]);
    const find = async () =>
      (await admin.ask('/tokens')).body.itens.find((one: { id: number }) => one.id === id);
    const listed = await answerOnce('the last use is noted', {
      ask: find,
      is: ({ ultimoUso }) => ultimoUso !== null,
    });
    assert.deepEqual(
      [listed.nome, listed.escopo, listed.clientes, listed.expiraEm, listed.principal, listed.ultimoUso.ip],
      ['ERP da padaria', ['exportacao'], [CLIENTE], '2099-12-31T23:59:59-03:00', false, '127.0.0.1'],
    );
    assert.equal(token.slice(-4), listed.finais);
    assert.ok(!JSON.stringify((await admin.ask('/tokens')).body).includes(token));
    await admin.ask(`/tokens/${id}`, { method: 'PUT', json: { nome: 'Outro nome' } });
    assert.equal((await find()).nome, 'Outro nome');
    for (const [method, path, body] of [
      ['PUT', `/tokens/${id}`, { nome: 'Meu' }],
      ['POST', `/tokens/${id}/revogar`, undefined],
    ] as const) {
      const answer = await vizinho.ask(path, { method, ...(body ? { json: body } : {}) });
      assert.equal(answer.body.codigo, 'token_nao_encontrado', 'of another office');
    }
    assert.equal((await admin.ask(`/tokens/${id}/revogar`, { method: 'POST' })).status, 200);
    assert.notEqual((await find()).revogadoEm, null);
    assert.equal(
      (await admin.ask(`/tokens/${id}/revogar`, { method: 'POST' })).body.codigo,
      'token_nao_encontrado',
    );
  });

  it('a new main one takes the place of the one before; the named ones stay', async () => {
    const named = (await admin.ask('/tokens', { json: { nome: 'Ao lado' } })).body.token;
    const main = (await admin.ask('/tokens', { json: { nome: 'Chave única', principal: true } })).body.token;
    const { itens } = (await admin.ask('/tokens')).body;
    const alive = itens.filter(
      (one: { principal: boolean; revogadoEm: string | null }) => one.principal && one.revogadoEm === null,
    );
    assert.deepEqual(
      alive.map(({ finais }: { finais: string }) => finais),
      [main.slice(-4)],
    );
    assert.deepEqual([await reads(named), await sends(main)], [200, 200]);
  });

  it('limits that contradict each other, and clients that are not there, are named', async () => {
    for (const [json, campo] of [
      [{ nome: 'x' }, 'nome'],
      [{ nome: 'Ok', clientes: ['52998224725'] }, 'clientes[0]'],
      [{ nome: 'Ok', clientes: [CLIENTE], escopo: ['importacao'] }, 'escopo'],
      [{ nome: 'Ok', expiraEm: '2020-01-01' }, 'expiraEm'],
      [{ nome: 'Ok', expiraEm: '2099-02-30' }, 'expiraEm'],
      [{ nome: 'Ok', expiraEm: '2099-13-01' }, 'expiraEm'],
      [{ nome: 'Ok', escopo: ['exportacao'], principal: true }, 'adicional'],
    ] as const) {
      const { status, body } = await admin.ask('/tokens', { json });
      assert.deepEqual([status, body.erros?.[0]?.campo], [400, campo], JSON.stringify(json));
    }
  });
});

describe('OAuth clients', () => {
  it('are made, rotate their secret with overlap, and are revoked', async () => {
    const made = (await admin.ask('/clientes-oauth', { json: { nome: 'ERP' } })).body;
    const tokenOf = (clientSecret: string) =>
      fetchAccessToken(malote, { clientId: made.clientId, clientSecret });
    assert.ok(await tokenOf(made.clientSecret));
    const rotated = (await admin.ask(`/clientes-oauth/${made.clientId}/trocar-segredo`, { method: 'POST' }))
      .body;
    assert.notEqual(rotated.clientSecret, made.clientSecret);
    assert.ok(Date.parse(rotated.anteriorValeAte) > Date.now());
    assert.ok(await tokenOf(made.clientSecret), 'the one before works for a while');
    assert.ok(await tokenOf(rotated.clientSecret), 'the new one works at once');
    assert.equal(
      (await vizinho.ask(`/clientes-oauth/${made.clientId}/revogar`, { method: 'POST' })).body.codigo,
      'cliente_oauth_nao_encontrado',
    );
    assert.equal(
      (await admin.ask(`/clientes-oauth/${made.clientId}/revogar`, { method: 'POST' })).status,
      200,
    );
    const [listed] = (await admin.ask('/clientes-oauth')).body.itens.filter(
      (one: { clientId: string }) => one.clientId === made.clientId,
    );
    assert.notEqual(listed.revogadoEm, null);
    assert.ok(!JSON.stringify((await admin.ask('/clientes-oauth')).body).includes(made.clientSecret));
  });

  it('one of several offices is not changed by one of them', async () => {
    const other = await createEscritorio(malote.dataFolder, { crm: '789' });
    const { clientId } = await withDeps(malote.dataFolder, (deps) =>
      createClienteOauth(deps, { contadorIds: [escritorio.contadorId, other.contadorId], nome: 'De dois' }),
    );
    for (const act of ['trocar-segredo', 'revogar'])
      assert.equal(
        (await admin.ask(`/clientes-oauth/${clientId}/${act}`, { method: 'POST' })).body.codigo,
        'oauth_compartilhado',
      );
  });
});

describe('testing a token', () => {
  const walk = async (token: string) =>
    (await admin.ask('/integracao/testar', { json: { token, cpfCnpj: CLIENTE } })).body;

  it('walks the real way: address, upload, import, export', async () => {
    const { token } = (await admin.ask('/tokens', { json: { nome: 'Teste' } })).body;
    const rastros = async () => {
      const { falhasPendentes, consumidores, importacoesHoje } = (await admin.ask('/inicio')).body;
      const { itens } = (await admin.ask('/importacoes')).body;
      // Others may have read meanwhile.
      const leu = consumidores.itens.some((um: { token: string }) => um.token === 'Teste');
      return { falhasPendentes, leu, importacoesHoje, itens };
    };
    const antes = await rastros();
    const body = await walk(token);
    assert.deepEqual(
      body.passos.map(({ certo, status }: { certo: boolean; status: number }) => [certo, status]),
      [
        [true, 200],
        [true, 200],
        [true, 200],
        [true, 200],
      ],
      JSON.stringify(body),
    );
    assert.equal(body.certo, true);
    assert.deepEqual(await rastros(), antes, 'nothing of it is left');
  });

  it('that is no token at all goes nowhere, least of all into the log', async () => {
    const { token } = (await admin.ask('/tokens', { json: { nome: 'Colado' } })).body;
    assert.equal((await walk(` ${token}\n`)).certo, true, 'as it is pasted');
    for (const broken of [`${token}\nx`, `${token} x`, 'ação€', '\u0000']) {
      const body = await walk(broken);
      assert.deepEqual([body.certo, body.passos.length], [false, 1], JSON.stringify(broken));
      assert.match(body.passos[0].mensagem, /Não é um token/);
    }
    assert.ok(!malote.log.join('\n').includes(token));
  });

  it('says what does not work, in the words of the area itself', async () => {
    const unknown = await walk(`mlt_${'a'.repeat(49)}`);
    assert.equal(unknown.certo, false);
    assert.deepEqual([unknown.passos.length, unknown.passos[0].status], [1, 401]);
    assert.match(unknown.passos[0].mensagem, /token/);
    const foreign = await walk((await vizinho.ask('/tokens', { json: { nome: 'Alheio' } })).body.token);
    assert.deepEqual([foreign.certo, foreign.passos.length], [false, 1], 'nothing is sent to another office');
    const half = await walk(
      (await admin.ask('/tokens', { json: { nome: 'Só leitura', escopo: ['exportacao'] } })).body.token,
    );
    assert.equal(half.certo, true);
    assert.match(half.passos[0].mensagem, /só serve à exportação/);
  });
});

describe('the audit log', () => {
  it('tells who did what, by filters and page after page, and only of the own office', async () => {
    const page = (await admin.ask('/auditoria?Tamanho=5')).body;
    assert.equal(page.itens.length, 5);
    const next = (await admin.ask(`/auditoria?Tamanho=5&depois=${page.proximo}`)).body;
    const ids = [...page.itens, ...next.itens].map(({ id }: { id: number }) => id);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => b - a),
    );
    const tokens = (await admin.ask('/auditoria?ato=token')).body.itens;
    assert.ok(tokens.length > 3 && tokens.every(({ ato }: { ato: string }) => ato.startsWith('token.')));
    assert.ok(tokens.every(({ oQue }: { oQue: string }) => oQue.startsWith('Token de integração ')));
    for (const { autor, ip } of tokens) assert.equal(ip, autor === 'cli' ? null : '127.0.0.1', autor);
    const byWords = (await admin.ask('/auditoria?ato=Token de integracao CRIADO')).body.itens;
    assert.ok(byWords.length > 0 && byWords.every(({ ato }: { ato: string }) => ato === 'token.criado'));
    const me = (await admin.ask('/auditoria?quem=pessoa 1')).body.itens;
    assert.ok(me.length > 0 && me.every(({ quem }: { quem: string }) => quem === 'Pessoa 1'));
    assert.deepEqual((await admin.ask('/auditoria?quem=ninguem aqui')).body.itens, []);
    assert.ok(
      (await admin.ask('/auditoria?quem=cli')).body.itens.every(
        ({ autor }: { autor: string }) => autor === 'cli',
      ),
    );
    assert.deepEqual((await admin.ask('/auditoria?ate=2020-01-01')).body.itens, []);
    for (const dia of ['2026-02-30', '2026-13-01', '2026-01-00'])
      assert.equal((await admin.ask(`/auditoria?de=${dia}`)).body.codigo, 'data_invalida', dia);
    const own = JSON.stringify((await vizinho.ask('/auditoria')).body);
    assert.ok(!own.includes('Pessoa 1"'));
  });

  it('names what was done to what: client, user, token; anything else as it is written', async () => {
    const um = async (ato: string) => (await admin.ask(`/auditoria?ato=${ato}&Tamanho=1`)).body.itens[0];
    await admin.ask(`/clientes/${CLIENTE}`, { method: 'PUT', json: { nome: 'Aurora Ltda' } });
    const cliente = await um('cliente.atualizado');
    assert.match(cliente.alvo, /^cliente\/\d+$/);
    assert.equal(cliente.sobre, 'Aurora Ltda (11.222.333/0001-81)');
    const { body } = await admin.ask('/tokens', { json: { nome: 'Sobre isto' } });
    assert.ok(body.id, JSON.stringify(body));
    assert.deepEqual(
      [(await um('token.criado')).alvo, (await um('token.criado')).sobre],
      [`token/${body.id}`, 'token Sobre isto'],
    );
    await admin.ask('/usuarios', {
      json: { nome: 'Bia', email: 'bia@exemplo.com.br', papel: 'operador' },
    });
    assert.equal((await um('usuario.criado')).sobre, 'Bia');
    await admin.ask('/auditoria/verificar', { method: 'POST' });
    const conferida = await um('auditoria.conferida');
    assert.equal(conferida.sobre, conferida.alvo);
  });

  it('goes into a spreadsheet without a formula in it', async () => {
    await admin.ask('/usuarios', {
      json: { nome: '=cmd|calc', email: 'formula@exemplo.com.br', papel: 'operador' },
    });
    const answer = await fetch(`${malote.url}/console/api/auditoria/csv`, {
      headers: { cookie: admin.cookie },
    });
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="auditoria-000123-\d{4}-\d{2}-\d{2}\.csv"$/,
    );
    const text = Buffer.from(await answer.arrayBuffer()).toString();
    assert.ok(text.startsWith('\ufeffnumero;quando;quem;'));
    assert.ok(text.split('\r\n').length > 10);
    assert.doesNotMatch(text, /(?:^|;|")[=+@]/m);
  });

  it('its chain is checked, and a row that was changed is named', async () => {
    const whole = (await admin.ask('/auditoria/verificar', { method: 'POST' })).body;
    assert.equal(whole.integra, true);
    assert.ok(whole.conferidos > 10);
    await withDeps(malote.dataFolder, async ({ db }) => {
      await db.write
        .updateTable('auditoria_fim')
        .set({ hash: '0'.repeat(64) })
        .execute();
    });
    const broken = (await admin.ask('/auditoria/verificar', { method: 'POST' })).body;
    assert.equal(broken.integra, false);
    assert.match(broken.mensagem, /registro \d+/);
  });
});

describe('the health page', () => {
  it('tells queue, room, engine, versions and packages, and warns of what is missing', async () => {
    const { body } = await admin.ask('/saude');
    assert.ok(body.disco.livre > 0 && body.disco.banco > 0 && body.disco.total > body.disco.livre);
    assert.ok(body.disco.recebidos >= body.disco.arquivos);
    assert.equal(body.banco.motor, MOTOR);
    assert.match(body.banco.versao, MOTOR === 'sqlite' ? /^3\./ : /^1[5-9]/);
    assert.deepEqual(Object.keys(body.fila), ['esperando', 'emExecucao', 'falharam', 'maisAntigoEm']);
    assert.equal(
      body.versoes.malote,
      JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
    );
    assert.ok(body.esquemas.length > 0 && body.esquemas[0].arquivos > 0);
    assert.deepEqual(
      body.avisos
        .map(({ codigo }: { codigo: string }) => codigo)
        .filter((one: string) => one !== 'disco_quase_cheio'),
      ['sem_copia_recente'],
    );
    assert.deepEqual(
      [body.podeInstalarEsquemas, (await vizinho.ask('/saude')).body.podeInstalarEsquemas],
      [true, false],
    );
  });

  it('makes a backup at a word of the first office’s administrator, which can be restored, and tells how it went', async () => {
    const agenda = async () => (await admin.ask('/inicio')).body.instalacao.agenda;
    const { ligada, ultima, guardar } = await answerOnce('the schedule has been reckoned', {
      ask: agenda,
      is: ({ proximaEm }) => proximaEm !== null,
    });
    assert.deepEqual([ligada, ultima, guardar], [true, null, 7]);
    assert.equal((await vizinho.ask('/inicio')).body.instalacao, null, 'of no concern to other offices');
    const pedir = (quem: Pedinte) => quem.ask('/saude/copia', { method: 'POST' });
    assert.equal((await pedir(vizinho)).body.codigo, 'somente_da_instalacao');
    assert.equal((await pedir(admin)).status, 200);
    const feita = await answerOnce('the backup is made', { ask: agenda, is: (now) => now.ultima !== null });
    assert.equal(feita.ultima.erro, null);
    assert.equal(feita.fazendo, false);
    const [name = ''] = readdirSync(copias);
    assert.match(name, /^malote-\d{4}-\d{2}-\d{2}-\d{6}\.tar$/);
    assert.ok(readFileSync(join(copias, name)).includes('manifesto.json'), 'whole: the manifest comes last');
    await answerOnce('the health page knows it', {
      ask: async () => (await admin.ask('/saude')).body,
      is: ({ copia, avisos }) =>
        copia?.destino === join(copias, name) &&
        !avisos.some(({ codigo }: { codigo: string }) => codigo === 'sem_copia_recente'),
    });
    assert.equal((await admin.ask('/auditoria?ato=copia.pedida')).body.itens.length, 1);
  });

  it('installs a package of schemas as the command does, for the first office only', async () => {
    const [pacote] = loadPacotes({ dataFolder: malote.dataFolder });
    assert.ok(pacote);
    const zip = await zipDe([...pacote.arquivos].map(([nome, bytes]) => ({ nome, bytes })));
    const json = { nome: 'PL_teste_v9.zip', arquivo: Buffer.from(zip).toString('base64') };
    assert.equal((await vizinho.ask('/saude/esquemas', { json })).body.codigo, 'somente_da_instalacao');
    const bad = await admin.ask('/saude/esquemas', { json: { nome: 'x.zip', arquivo: 'AAAA' } });
    assert.deepEqual([bad.status, bad.body.codigo], [422, 'pacote_de_esquemas_invalido']);
    const good = await admin.ask('/saude/esquemas', { json });
    assert.equal(good.status, 200, JSON.stringify(good.body));
    const [first] = (await admin.ask('/saude')).body.esquemas;
    assert.deepEqual(
      [first.nome, first.familia, first.versao, first.origem],
      ['PL_teste_v9', 'PL_teste', 'v9', 'instalado'],
    );
  });
});
