/** Over HTTP: how people come into the console, and what keeps others out. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { verifyAuditoria } from '../../src/auditoria/verificar.ts';
import { createConta } from '../../src/cli/conta.ts';
import { hashDe } from '../../src/console/sessao/sessoes.ts';
import { alterado } from '../support/alterado.ts';
import { Navegador } from '../support/console.ts';
import { answerOnce, until } from '../support/espera.ts';
import { createEscritorio, type Malote, makeDataFolder, startMalote, withDeps } from '../support/malote.ts';
import { ambienteDoBanco } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';
import {
  CLIENTE,
  type Conta,
  NavegadorEntreSites,
  type ProvedorOidc,
  startProvedorOidc,
} from '../support/provedor-oidc.ts';

const SENHA = 'cadeira-nublada-tamborim';
const OUTRA = 'pinguim-cozinha-alfabeto';

let malote: Malote;
let provedor: ProvedorOidc;
before(async () => {
  provedor = await startProvedorOidc();
  const { issuer } = provedor;
  const comum = { issuer, clientId: CLIENTE.id, clientSecret: CLIENTE.segredo };
  malote = await startMalote({
    env: {
      MALOTE_ENTRAR_COM: JSON.stringify([
        { ...comum, id: 'laboratorio', nome: 'Laboratório' },
        { ...comum, id: 'sumido', nome: 'Sumido', issuer: 'http://127.0.0.1:1' },
        { ...comum, id: 'interno', nome: 'Interno', confiaNoEmail: true, dominios: ['dentro.com.br'] },
      ]),
    },
  });
});
after(async () => {
  await malote[Symbol.asyncDispose]();
  await provedor[Symbol.asyncDispose]();
});

let offices = 0;
/** An office as `conta criar` makes it, and its administrator logged in. */
async function openOffice(email = `ana${++offices}@exemplo.com.br`, senha = SENHA, server = malote) {
  const conta = await withDeps(server.dataFolder, (deps) =>
    createConta(deps, { crm: String(1000 + ++offices), nome: 'Escritório Teste', email }),
  );
  const codigo = new URL(conta.convite_console).hash.slice(1);
  const navegador = new Navegador(server.url);
  const accepted = await navegador.ask('/convite/aceitar', { json: { codigo, nome: 'Ana Prado', senha } });
  assert.equal(accepted.body.etapa, 'pronto', JSON.stringify(accepted.body));
  return { conta, codigo, navegador, email, senha };
}

describe('the first run', () => {
  it('is opened by the link that the server prints, once, and there is no default password', async () => {
    const dataFolder = makeDataFolder();
    await using fresh = await startMalote({ dataFolder });
    const link = await fresh.line(/http:\S+\/console\/primeiro-uso#(\S+)/);
    const codigo = link[1] ?? '';
    const navegador = new Navegador(fresh.url);
    assert.deepEqual((await navegador.ask('/primeiro-uso')).body, { necessario: true });
    const json = {
      codigo,
      crm: '77',
      escritorio: 'Contabilidade Zênite',
      nome: 'Rui',
      email: 'rui@exemplo.com.br',
      senha: SENHA,
    };
    for (const [change, expected] of [
      [{ codigo: alterado(codigo) }, 'primeiro_uso_invalido'],
      [{ codigo: 'admin' }, 'primeiro_uso_invalido'],
      [{ senha: 'admin' }, 'senha_tamanho'],
      [{ senha: 'Password123!' }, 'senha_comum'],
      [{ crm: 'x', nome: '' }, 'dados_invalidos'],
    ] as const) {
      const { status, body } = await navegador.ask('/primeiro-uso', { json: { ...json, ...change } });
      assert.ok(status === 400 || status === 403, String(status));
      assert.ok(
        [body.codigo, ...body.erros.map((one: { codigo: string }) => one.codigo)].includes(expected),
        expected,
      );
    }
    const [one, two] = await Promise.all([
      navegador.ask('/primeiro-uso', { json }),
      new Navegador(fresh.url).ask('/primeiro-uso', { json: { ...json, crm: '78' } }),
    ]);
    assert.deepEqual([one.status, two.status].sort(), [200, 403], 'of two at once one is first');
    assert.deepEqual((await navegador.ask('/primeiro-uso')).body, { necessario: false });
    assert.equal(
      (await new Navegador(fresh.url).ask('/primeiro-uso', { json })).body.codigo,
      'primeiro_uso_invalido',
    );
    await fresh.stop();
    await using again = await startMalote({ dataFolder });
    const { body } = await new Navegador(again.url).ask('/entrar', {
      json: { email: json.email, senha: SENHA },
    });
    assert.equal(body.etapa, 'pronto');
    assert.doesNotMatch(again.said.join('\n'), /primeiro-uso/);
  });
});

describe('an invitation', () => {
  it('of conta criar tells whom it is for, works once, and its code is nowhere at rest', async () => {
    const conta = await withDeps(malote.dataFolder, (deps) =>
      createConta(deps, { crm: '900', nome: 'Escritório 900', email: 'bia@exemplo.com.br' }),
    );
    const url = new URL(conta.convite_console);
    assert.equal(url.pathname, '/console/convite');
    const codigo = url.hash.slice(1);
    const navegador = new Navegador(malote.url);
    const seen = await navegador.ask('/convite', { json: { codigo } });
    assert.deepEqual(seen.body, {
      email: 'bia@exemplo.com.br',
      nome: 'Escritório 900',
      papel: 'administrador',
      escritorio: 'Escritório 900',
      codigoCrm: '000900',
      redefinicao: false,
    });
    const weak = await navegador.ask('/convite/aceitar', { json: { codigo, senha: 'escritorio900' } });
    assert.equal(weak.body.erros[0].codigo, 'senha_comum');
    const first = await navegador.ask('/convite/aceitar', { json: { codigo, nome: 'Bia', senha: SENHA } });
    assert.equal(first.status, 200);
    assert.equal((await navegador.ask('/sessao')).body.usuario.nome, 'Bia');
    for (const path of ['/convite', '/convite/aceitar']) {
      const again = await navegador.ask(path, { json: { codigo, senha: OUTRA } });
      assert.equal(again.body.codigo, 'convite_invalido', path);
    }
    const rows = await withDeps(malote.dataFolder, ({ db }) =>
      db.read.selectFrom('convite_console').selectAll().execute(),
    );
    assert.ok(!JSON.stringify(rows).includes(codigo));
  });
});

describe('the cookie', () => {
  it('is for this host only, out of reach of scripts and other sites', async () => {
    const { email, senha } = await openOffice();
    const { headers } = await new Navegador(malote.url).ask('/entrar', { json: { email, senha } });
    const cookie = headers.getSetCookie().find((one) => one.startsWith('__Host-malote='));
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/'])
      assert.ok(cookie?.includes(part), cookie);
    assert.ok(!cookie?.includes('Domain'));
  });

  it('is another one after every log-in, and the one before is worth nothing', async () => {
    const { email, senha, navegador } = await openOffice();
    const before = navegador.cookie;
    await navegador.ask('/entrar', { json: { email, senha } });
    assert.notEqual(navegador.cookie, before);
    const old = new Navegador(malote.url, before);
    assert.equal((await old.ask('/sessao')).body.codigo, 'sessao_ausente');
    assert.equal((await navegador.ask('/sessao')).status, 200);
  });

  it('is weaker where a browser would not keep a strict one, and says so by its name', async () => {
    const { email, senha } = await openOffice();
    const plain = new Navegador(malote.url, '', { host: 'malote.rede.local:8080' });
    const { headers } = await plain.ask('/entrar', { json: { email, senha } });
    const [cookie = ''] = headers.getSetCookie();
    assert.match(cookie, /^malote_sessao=/);
    assert.ok(
      !cookie.includes('Secure') && cookie.includes('HttpOnly') && cookie.includes('SameSite=Strict'),
    );
    assert.equal((await plain.ask('/sessao')).status, 200);
    const planted = new Navegador(malote.url, plain.cookie);
    assert.equal(
      (await planted.ask('/sessao')).status,
      401,
      'where a strict one can be had it counts for nothing',
    );
  });

  it('stands for a hash in the database, and ends after half an hour without use or after twelve hours', async () => {
    const { navegador } = await openOffice();
    const secret = navegador.cookie.split('=')[1] ?? '';
    const hash = hashDe(secret);
    await withDeps(malote.dataFolder, async ({ db }) => {
      const rows = await db.read.selectFrom('sessao_console').selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(secret) && rows.some((row) => row.hash === hash));
      const age = (column: 'vista_em' | 'expira_em', by: number) =>
        db.write
          .updateTable('sessao_console')
          .set((eb) => ({ [column]: eb(column, '-', by) }))
          .where('hash', '=', hash)
          .execute();
      const seenAt = async () =>
        (
          await db.read
            .selectFrom('sessao_console')
            .select('vista_em')
            .where('hash', '=', hash)
            .executeTakeFirstOrThrow()
        ).vista_em;
      await age('vista_em', 29 * 60_000);
      const old = await seenAt();
      assert.equal((await navegador.ask('/sessao')).status, 200, 'used after 29 minutes');
      await until('the use is noted, behind the answer', async () => (await seenAt()) > old);
      await age('vista_em', 31 * 60_000);
      assert.equal((await navegador.ask('/sessao')).status, 401, 'not after 31');
      await age('vista_em', -31 * 60_000);
      assert.equal((await navegador.ask('/sessao')).status, 200);
      await age('expira_em', 12 * 3_600_000);
      assert.equal((await navegador.ask('/sessao')).status, 401, 'twelve hours are over');
    });
  });
});

describe('a page of another site', () => {
  it('changes nothing: every mutating route wants its token and our own page', async () => {
    const { navegador } = await openOffice();
    const paths = (await (await fetch(`${malote.url}/console/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    let asked = 0;
    for (const [path, methods] of Object.entries(paths.paths)) {
      if (!path.startsWith('/console/api/')) continue;
      for (const [method, { security }] of Object.entries(methods)) {
        if (method === 'get') continue;
        const url = path.slice('/console/api'.length).replace(/\{\w+\}/g, '1');
        const isPublic = security?.length === 0;
        const attempts: [string, Record<string, string>, string][] = [
          ['foreign origin', { origin: 'https://mal.exemplo' }, 'origem_recusada'],
          ['opaque origin', { origin: 'null' }, 'origem_recusada'],
          ['cross-site', { 'sec-fetch-site': 'cross-site' }, 'origem_recusada'],
          ['same-site', { 'sec-fetch-site': 'same-site' }, 'origem_recusada'],
          ...(isPublic
            ? []
            : ([
                ['no token', { 'x-csrf-token': '' }, 'csrf_invalido'],
                ['a wrong token', { 'x-csrf-token': 'x'.repeat(43) }, 'csrf_invalido'],
              ] as [string, Record<string, string>, string][])),
        ];
        for (const [name, headers, codigo] of attempts) {
          const { status, body } = await navegador.ask(url, {
            method: method.toUpperCase(),
            json: {},
            headers,
          });
          assert.deepEqual([status, body?.codigo], [403, codigo], `${method} ${path}: ${name}`);
          asked++;
        }
      }
    }
    assert.ok(asked > 50, `${asked}`);
    assert.equal((await navegador.ask('/sessao')).status, 200, 'and the session is still there');
  });

  it('of this very server is let through', async () => {
    const { navegador } = await openOffice();
    const headers = { origin: malote.url, 'sec-fetch-site': 'same-origin' };
    assert.equal(
      (await navegador.ask('/eu/preferencias', { method: 'PUT', json: { tema: 'escuro' }, headers })).status,
      200,
    );
    assert.deepEqual((await navegador.ask('/sessao')).body.preferencias, { tema: 'escuro' });
  });
});

describe('guessing', () => {
  it('tells nothing of who exists, and after ten failures nothing more; who knows the password gets in all the same', async () => {
    await using fresh = await startMalote();
    const conta = await withDeps(fresh.dataFolder, (deps) =>
      createConta(deps, { crm: '1', nome: 'Um', email: 'um@exemplo.com.br' }),
    );
    const codigo = new URL(conta.convite_console).hash.slice(1);
    await new Navegador(fresh.url).ask('/convite/aceitar', { json: { codigo, nome: 'Um', senha: SENHA } });
    const fresco = new Navegador(fresh.url);
    const bare = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
      status,
      ...body,
      requestId: '',
      instance: '',
    });
    const known = await fresco.ask('/entrar', { json: { email: 'um@exemplo.com.br', senha: 'errada' } });
    const unknown = await fresco.ask('/entrar', {
      json: { email: 'ninguem@exemplo.com.br', senha: 'errada' },
    });
    assert.deepEqual(bare(known), bare(unknown));
    assert.equal(known.body.codigo, 'credenciais_invalidas');
    for (let at = 2; at < 10; at++)
      await fresco.ask('/entrar', { json: { email: 'um@exemplo.com.br', senha: `errada ${at}` } });
    const held = await fresco.ask('/entrar', {
      json: { email: 'um@exemplo.com.br', senha: 'errada 10' },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    assert.deepEqual(
      [held.status, held.body.codigo],
      [429, 'tentativas_demais'],
      'a forwarding header changes nothing',
    );
    const seconds = Number(held.headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
    const right = await fresco.ask('/entrar', { json: { email: 'um@exemplo.com.br', senha: SENHA } });
    assert.deepEqual([right.status, right.body.etapa], [200, 'pronto']);
  });

  it('in parallel is no way around: what was tried while others failed is not let in', async () => {
    await using fresh = await startMalote();
    const { email, senha } = await openOffice('rui@exemplo.com.br', SENHA, fresh);
    const fresco = new Navegador(fresh.url);
    const guesses = [...Array.from({ length: 40 }, (_, at) => `errada ${at}`), senha];
    const answers = await Promise.all(
      guesses.map((guess) => fresco.ask('/entrar', { json: { email, senha: guess } })),
    );
    // 503: on a busy machine its turn has not come at all.
    assert.ok([429, 503].includes(answers.at(-1)?.status ?? 0), 'nor a right one');
    const tried = answers.filter(({ status }) => status === 401).length;
    assert.ok(tried <= 12, `${tried} were told that they are wrong`);
  });

  it('the codes of a second factor: none twice, five tries, then a delay; a recovery code still opens, once', async () => {
    await using fresh = await startMalote();
    const { navegador, email, senha } = await openOffice('ana@exemplo.com.br', SENHA, fresh);
    const prepared = await navegador.ask('/eu/totp', { json: { senha } });
    assert.equal(prepared.status, 200, JSON.stringify([prepared.body, fresh.log.slice(-3)]));
    const { segredo, uri, qrSvg } = prepared.body;
    assert.match(uri, /^otpauth:\/\/totp\/Malote:/);
    assert.match(qrSvg, /^<svg /);
    const totp = new TOTP({ secret: Secret.fromBase32(segredo) });
    assert.equal(
      (await navegador.ask('/eu/totp/confirmar', { json: { codigo: '000000' } })).body.codigo,
      'codigo_totp_invalido',
    );
    assert.equal((await navegador.ask('/sessao')).body.usuario.totpAtivo, false, 'not before a first code');
    const code = totp.generate();
    const confirmed = await navegador.ask('/eu/totp/confirmar', { json: { codigo: code } });
    const codigos: string[] = confirmed.body.codigosDeRecuperacao;
    assert.equal(new Set(codigos).size, 10);
    assert.equal((await navegador.ask('/eu/totp', { json: { senha } })).body.codigo, 'totp_ja_ativo');

    const outro = new Navegador(fresh.url);
    const pass = async () => (await outro.ask('/entrar', { json: { email, senha } })).body;
    const step = await pass();
    assert.deepEqual([step.etapa, outro.cookie], ['totp', ''], 'the password alone opens no session');
    const tryCode = (codigo: string, desafio = step.desafio) =>
      outro.ask('/entrar/totp', { json: { desafio, codigo } });
    assert.equal(
      (await tryCode(code)).body.codigo,
      'codigo_totp_invalido',
      'the code that set it up is used up',
    );
    const later = totp.generate({ timestamp: Date.now() + 30_000 });
    assert.equal((await tryCode(later)).body.etapa, 'pronto', 'one step ahead is in the window');
    assert.equal((await outro.ask('/sessao')).status, 200);
    assert.equal((await tryCode(later)).body.codigo, 'desafio_invalido', 'a challenge is answered once');
    const second = await pass();
    assert.equal(
      (await tryCode(later, second.desafio)).body.codigo,
      'codigo_totp_invalido',
      'a code is used once',
    );
    for (const far of [-90_000, 90_000])
      assert.equal(
        (await tryCode(totp.generate({ timestamp: Date.now() + far }), second.desafio)).body.codigo,
        'codigo_totp_invalido',
      );
    for (let at = 0; at < 2; at++) await tryCode('111111', second.desafio);
    const held = await tryCode('111111', second.desafio);
    assert.deepEqual([held.status, held.body.codigo], [429, 'tentativas_demais']);
    const [recuperacao = ''] = codigos;
    assert.equal(
      (await tryCode(recuperacao.toLowerCase().replaceAll('-', ' '), second.desafio)).body.etapa,
      'pronto',
    );
    assert.equal((await navegador.ask('/eu/totp')).body.codigosRestantes, 9);
    await withDeps(fresh.dataFolder, async ({ db }) => {
      const acts = (await db.read.selectFrom('auditoria').select('acao').execute()).map(({ acao }) => acao);
      assert.ok(acts.includes('totp.ativado'));
      const rows = JSON.stringify([
        await db.read.selectFrom('totp_console').selectAll().execute(),
        await db.read.selectFrom('codigo_de_recuperacao').selectAll().execute(),
      ]);
      assert.ok(
        !rows.includes(segredo) &&
          codigos.every((one) => !rows.includes(one) && !rows.includes(one.replaceAll('-', ''))),
      );
    });
    const third = await pass();
    assert.equal((await tryCode(recuperacao, third.desafio)).body.codigo, 'codigo_totp_invalido', 'used up');
    assert.equal(
      (await navegador.ask('/eu/totp', { method: 'DELETE', json: { senha: 'errada' } })).body.codigo,
      'credenciais_invalidas',
    );
    assert.equal((await navegador.ask('/eu/totp', { method: 'DELETE', json: { senha } })).status, 200);
    assert.equal((await pass()).etapa, 'pronto');
  });
});

describe('the tries of a stranger', () => {
  /** Everybody comes through a proxy that says from where. */
  const from = (malote: Malote, ip: string) => new Navegador(malote.url, '', { 'x-forwarded-for': ip });

  it('do not keep an owner out, from another place, from the same one, or while they go on', async () => {
    await using fresh = await startMalote({ env: { MALOTE_PROXIES: '127.0.0.1' } });
    const { email, senha } = await openOffice('dona@exemplo.com.br', SENHA, fresh);
    const stranger = from(fresh, '203.0.113.7');
    const guess = (at: number) => stranger.ask('/entrar', { json: { email, senha: `errada ${at}` } });
    await Promise.all(Array.from({ length: 30 }, (_, at) => guess(at)));
    let goesOn = true;
    const flood = Array.from({ length: 2 }, async (_, at) => {
      while (goesOn) assert.notEqual((await guess(100 + at)).status, 200);
    });
    // Who is told to come again does so: on a busy machine a turn may come too late.
    const getsIn = (what: string, who: Navegador) =>
      answerOnce(what, {
        ask: () => who.ask('/entrar', { json: { email, senha } }),
        is: ({ status, body }) => status === 200 && body.etapa === 'pronto',
      });
    await getsIn('the owner is in while they go on', from(fresh, '198.51.100.1')).finally(() => {
      goesOn = false;
    });
    await Promise.all(flood);
    await getsIn('behind the stranger’s own address', stranger);
  });

  it('from hundreds of places at once do not hold up who comes from where the account was entered before', async () => {
    await using fresh = await startMalote({ env: { MALOTE_PROXIES: '127.0.0.1' } });
    const { email, senha } = await openOffice('dono@exemplo.com.br', SENHA, fresh);
    const dono = from(fresh, '198.51.100.1');
    assert.equal((await dono.ask('/entrar', { json: { email, senha } })).status, 200);
    const guess = (at: number) =>
      from(fresh, `203.0.113.${at}`).ask('/entrar', { json: { email, senha: `errada ${at}` } });
    for (let at = 0; at < 10; at++) await guess(at);
    // More than may wait: whoever else comes to the account's lane takes somebody's place.
    for (let at = 0; at < 60; at++) guess(100 + at).catch(() => 'the server has stopped');
    const first = await dono.ask('/entrar', { json: { email, senha } });
    assert.deepEqual([first.status, first.body.etapa], [200, 'pronto'], 'at the first try');
    for (let at = 0; at < 10; at++) await dono.ask('/entrar', { json: { email, senha: `errada ${at}` } });
    const held = await dono.ask('/entrar', { json: { email, senha: 'errada outra vez' } });
    assert.equal(held.status, 429, 'there it is counted all the same');
    // The strangers still wait: nobody waits for them.
    await fresh.kill();
  });

  it('at the codes of somebody whose password they know: neither end a log-in that is under way, nor close recovery', async () => {
    await using fresh = await startMalote({ env: { MALOTE_PROXIES: '127.0.0.1' } });
    const { navegador, email, senha } = await openOffice('dona@exemplo.com.br', SENHA, fresh);
    const { segredo } = (await navegador.ask('/eu/totp', { json: { senha } })).body;
    const totp = new TOTP({ secret: Secret.fromBase32(segredo) });
    const { codigosDeRecuperacao } = (
      await navegador.ask('/eu/totp/confirmar', { json: { codigo: totp.generate() } })
    ).body;
    const dona = from(fresh, '198.51.100.1');
    const estranho = from(fresh, '203.0.113.7');
    const { desafio } = (await dona.ask('/entrar', { json: { email, senha } })).body;
    for (let at = 0; at < 6; at++) {
      const outro = (await estranho.ask('/entrar', { json: { email, senha } })).body.desafio;
      await estranho.ask('/entrar/totp', { json: { desafio: outro, codigo: '111111' } });
    }
    const held = await dona.ask('/entrar/totp', { json: { desafio, codigo: totp.generate() } });
    assert.deepEqual([held.status, held.body.codigo], [429, 'tentativas_demais']);
    assert.match(held.body.mensagem, /código de recuperação/);
    const codigo = codigosDeRecuperacao[0];
    const { status, body } = await dona.ask('/entrar/totp', { json: { desafio, codigo } });
    assert.deepEqual([status, body.etapa], [200, 'pronto'], JSON.stringify(body));
  });

  it('at links to set a password, and at challenges, hold nobody up', async () => {
    await using fresh = await startMalote();
    const conta = await withDeps(fresh.dataFolder, (deps) =>
      createConta(deps, { crm: '1', nome: 'Um', email: 'um@exemplo.com.br' }),
    );
    const codigo = new URL(conta.convite_console).hash.slice(1);
    const navegador = new Navegador(fresh.url);
    for (let at = 0; at < 15; at++) {
      const errado = `${codigo.slice(0, -8)}${String(at).padStart(8, '0')}`;
      assert.equal((await navegador.ask('/convite', { json: { codigo: errado } })).status, 404);
      const json = { codigo: errado, nome: 'Um', senha: SENHA };
      assert.equal((await navegador.ask('/convite/aceitar', { json })).status, 404);
      const desafio = { desafio: errado, codigo: '000000' };
      assert.equal((await navegador.ask('/entrar/totp', { json: desafio })).status, 401);
    }
    const json = { codigo, nome: 'Um', senha: SENHA };
    assert.equal((await navegador.ask('/convite/aceitar', { json })).body.etapa, 'pronto');
    assert.equal(
      (await navegador.ask('/entrar', { json: { email: 'um@exemplo.com.br', senha: SENHA } })).status,
      200,
    );
  });
});

describe('one’s own account', () => {
  it('a new password ends the other sessions, and the old one opens nothing', async () => {
    const { navegador, email, senha } = await openOffice();
    const outro = new Navegador(malote.url);
    await outro.ask('/entrar', { json: { email, senha } });
    assert.equal((await navegador.ask('/eu/sessoes')).body.itens.length, 2);
    assert.equal(
      (await navegador.ask('/eu/senha', { json: { atual: 'x', nova: OUTRA } })).body.codigo,
      'credenciais_invalidas',
    );
    assert.equal(
      (await navegador.ask('/eu/senha', { json: { atual: senha, nova: 'senha12345' } })).body.erros[0].codigo,
      'senha_comum',
    );
    assert.equal((await navegador.ask('/eu/senha', { json: { atual: senha, nova: OUTRA } })).status, 200);
    assert.equal((await outro.ask('/sessao')).status, 401);
    assert.equal((await navegador.ask('/sessao')).status, 200);
    assert.equal(
      (await outro.ask('/entrar', { json: { email, senha } })).body.codigo,
      'credenciais_invalidas',
    );
    assert.equal((await outro.ask('/entrar', { json: { email, senha: OUTRA } })).body.etapa, 'pronto');
  });

  it('a session is ended from another one; somebody else’s is not found', async () => {
    const { navegador, email, senha } = await openOffice();
    const { navegador: alheio } = await openOffice();
    const outro = new Navegador(malote.url);
    await outro.ask('/entrar', { json: { email, senha } });
    const { itens } = (await navegador.ask('/eu/sessoes')).body;
    const target = itens.find((one: { atual: boolean }) => !one.atual);
    assert.equal(
      (await alheio.ask(`/eu/sessoes/${target.id}`, { method: 'DELETE' })).body.codigo,
      'sessao_nao_encontrada',
    );
    assert.equal((await outro.ask('/sessao')).status, 200);
    assert.equal((await navegador.ask(`/eu/sessoes/${target.id}`, { method: 'DELETE' })).status, 200);
    assert.equal((await outro.ask('/sessao')).status, 401);
  });

  it('one address in two offices: the password opens its own, and where it opens both one is asked which', async () => {
    const email = 'duas@exemplo.com.br';
    const one = await openOffice(email, SENHA);
    await openOffice(email, OUTRA);
    const navegador = new Navegador(malote.url);
    await navegador.ask('/entrar', { json: { email, senha: SENHA } });
    assert.equal((await navegador.ask('/sessao')).body.escritorio.codigoCrm, one.conta.codigoCrm);
    await openOffice(email, SENHA);
    const { body } = await navegador.ask('/entrar', { json: { email, senha: SENHA } });
    assert.equal(body.etapa, 'escritorio');
    assert.equal(body.escritorios.length, 2);
    const { codigoCrm } = body.escritorios[1];
    await navegador.ask('/entrar', { json: { email: email.toUpperCase(), senha: SENHA, codigoCrm } });
    assert.equal((await navegador.ask('/sessao')).body.escritorio.codigoCrm, codigoCrm);
  });
});

it('everything of this is in the audit log, and its chain holds', async () => {
  await withDeps(malote.dataFolder, async ({ db }) => {
    const rows = await db.read.selectFrom('auditoria').selectAll().execute();
    const acts = new Set(rows.map((row) => row.acao));
    for (const acao of [
      'usuario.criado',
      'usuario.convidado',
      'senha.definida',
      'sessao.aberta',
      'sessao.recusada',
      'sessao.encerrada',
    ])
      assert.ok(acts.has(acao), acao);
    for (const { acao, detalhe } of rows)
      if (acao.startsWith('sessao.')) assert.equal(JSON.parse(detalhe).ip, '127.0.0.1', acao);
    assert.equal((await verifyAuditoria(db.read)).quebra, null);
    assert.ok(!JSON.stringify(rows).includes(SENHA));
  });
  assert.ok(!malote.log.join('\n').includes(SENHA));
});

it('an office that was there before the console is joined by the first run', async () => {
  const dataFolder = makeDataFolder();
  await createEscritorio(dataFolder, { crm: '55' });
  await using fresh = await startMalote({ dataFolder });
  const [, codigo = ''] = await fresh.line(/primeiro-uso#(\S+)/);
  const navegador = new Navegador(fresh.url);
  const json = {
    codigo,
    crm: '55',
    escritorio: 'Outro nome',
    nome: 'Rui',
    email: 'rui@exemplo.com.br',
    senha: SENHA,
  };
  assert.equal((await navegador.ask('/primeiro-uso', { json })).status, 200);
  assert.deepEqual((await navegador.ask('/sessao')).body.escritorio, {
    codigoCrm: '000055',
    nome: 'Escritório 55',
  });
});

it('who runs the server gives a new link to somebody who lost password and device', async () => {
  await using fresh = await startMalote();
  const { navegador, conta, email } = await openOffice('perdeu@exemplo.com.br', SENHA, fresh);
  const asked = await navegador.ask('/eu/totp', { json: { senha: 'errada' } });
  assert.equal(asked.body.codigo, 'credenciais_invalidas', 'nobody else sets one up at a screen left open');
  const { segredo } = (await navegador.ask('/eu/totp', { json: { senha: SENHA } })).body;
  const codigo = new TOTP({ secret: Secret.fromBase32(segredo) }).generate();
  await navegador.ask('/eu/totp/confirmar', { json: { codigo } });
  const env = { MALOTE_DATA: fresh.dataFolder, ...(await ambienteDoBanco(fresh.dataFolder)) };
  const listed = await runJson(env, 'usuario', 'listar', '--crm', conta.codigoCrm);
  assert.deepEqual(
    listed.value.usuarios.map((one: { email: string }) => one.email),
    [email],
  );
  const command = ['usuario', 'redefinir', '--crm', conta.codigoCrm, '--email'];
  const { link } = (await runJson(env, ...command, email.toUpperCase(), '--sem-totp')).value;
  const outro = new Navegador(fresh.url);
  const used = await outro.ask('/convite/aceitar', {
    json: { codigo: new URL(link).hash.slice(1), senha: OUTRA },
  });
  assert.equal(used.body.etapa, 'pronto');
  assert.equal((await navegador.ask('/sessao')).status, 401, 'the sessions of before are over');
  const unknown = await runJson(env, ...command, 'x@y.co');
  assert.deepEqual([unknown.code, unknown.value.erro.codigo], [1, 'usuario_nao_encontrado']);
});

describe('coming in by an identity provider', () => {
  /** To the provider and back as a certain account. @returns where it ends, and the browser */
  async function ida(conta: Conta, id = 'laboratorio') {
    provedor.conta = conta;
    const navegador = new NavegadorEntreSites();
    const { fim, passos } = await navegador.follow(`${malote.url}/console/api/entrar/externo/${id}`);
    return { fim: new URL(fim).search, passos, navegador };
  }
  async function entrar(conta: Conta, corpo: object = {}, id = 'laboratorio') {
    const { fim, navegador } = await ida(conta, id);
    assert.equal(fim, '?externo=1');
    const console = new Navegador(malote.url, navegador.cookie(malote.url));
    return { answer: await console.ask('/entrar/externo', { json: corpo }), console };
  }
  const conta = (sub: string, email: string, email_verified = true): Conta => ({
    sub,
    email,
    email_verified,
  });

  it('sends state, nonce and PKCE along, and lets an existing user in by a verified address', async () => {
    const { email } = await openOffice();
    const { answer, console } = await entrar(conta('sub-1', email.toUpperCase()));
    assert.deepEqual(answer.body, { etapa: 'pronto' });
    assert.equal((await console.ask('/sessao')).body.usuario.email, email);
    const { pedido } = provedor;
    assert.equal(pedido.get('code_challenge_method'), 'S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.match(pedido.get(name) ?? '', /^[A-Za-z0-9_-]{43}$/, name);
    assert.equal(
      new Set(['state', 'nonce', 'code_challenge'].map((name) => pedido.get(name))).size,
      3,
      'none tells another',
    );
  });

  it('the account is bound from then on: another one with the same address does not come in, until somebody resets it', async () => {
    const { email, navegador } = await openOffice();
    assert.equal((await entrar(conta('sub-2', email))).answer.status, 200);
    assert.equal(
      (await entrar(conta('sub-2', 'mudou@exemplo.com.br'))).answer.status,
      200,
      'whatever its address',
    );
    const taken = await entrar(conta('sub-3', email));
    assert.deepEqual([taken.answer.status, taken.answer.body.codigo], [403, 'sem_acesso_externo']);
    const { id } = (await navegador.ask('/sessao')).body.usuario;
    await navegador.ask(`/usuarios/${id}/redefinir`, { json: {} });
    assert.equal((await entrar(conta('sub-3', email))).answer.status, 200);
    assert.equal((await entrar(conta('sub-2', email))).answer.status, 403, 'and the first is out');
  });

  it('opens nothing for strangers, for addresses that are not verified, and for who was deactivated', async () => {
    const { email, navegador } = await openOffice();
    assert.equal(
      (await entrar(conta('sub-4', 'estranha@exemplo.com.br'))).answer.body.codigo,
      'sem_acesso_externo',
    );
    assert.equal((await ida(conta('sub-5', email, false))).fim, '?falha=email_nao_confirmado');
    const json = { nome: 'Rui', email: `rui${email}`, papel: 'operador' };
    const { id } = (await navegador.ask('/usuarios', { json })).body;
    assert.equal((await entrar(conta('sub-6', `rui${email}`))).answer.status, 200, 'invited is enough');
    const [rui] = (await navegador.ask('/usuarios')).body.itens.filter(
      (one: { id: number }) => one.id === id,
    );
    assert.equal(rui.situacao, 'ativo');
    await navegador.ask(`/usuarios/${id}`, { method: 'PUT', json: { ativo: false } });
    assert.equal((await entrar(conta('sub-6', `rui${email}`))).answer.body.codigo, 'sem_acesso_externo');
  });

  it('trusts addresses that are not said to be verified only where the setting says so, and only of its domains', async () => {
    const { email } = await openOffice('ana@dentro.com.br');
    assert.equal((await entrar(conta('sub-7', email, false), {}, 'interno')).answer.status, 200);
    assert.equal(
      (await ida(conta('sub-8', 'x@fora.com.br', false), 'interno')).fim,
      '?falha=email_nao_confirmado',
    );
  });

  it('asks for the second factor of Malote all the same', async () => {
    const { email, navegador, senha } = await openOffice();
    const { segredo } = (await navegador.ask('/eu/totp', { json: { senha } })).body;
    const totp = new TOTP({ secret: Secret.fromBase32(segredo) });
    const ligado = await navegador.ask('/eu/totp/confirmar', { json: { codigo: totp.generate() } });
    const { answer, console } = await entrar(conta('sub-9', email));
    assert.equal(answer.body.etapa, 'totp');
    assert.equal((await console.ask('/sessao')).status, 401);
    const json = { desafio: answer.body.desafio, codigo: ligado.body.codigosDeRecuperacao[0] };
    assert.deepEqual((await console.ask('/entrar/totp', { json })).body, { etapa: 'pronto' });
  });

  it('of several offices one is chosen', async () => {
    const email = 'contadora@duas.com.br';
    const [um, outro] = [await openOffice(email), await openOffice(email)];
    const { answer, console } = await entrar(conta('sub-10', email));
    assert.equal(answer.body.etapa, 'escritorio');
    assert.equal(answer.body.escritorios.length, 2);
    const { codigoCrm } = outro.conta;
    assert.equal((await console.ask('/entrar/externo', { json: { codigoCrm } })).status, 200);
    assert.equal((await console.ask('/sessao')).body.escritorio.codigoCrm, codigoCrm);
    assert.notEqual(um.conta.codigoCrm, codigoCrm);
  });

  it('an answer counts once, in the browser that asked, with its own state', async () => {
    const { email } = await openOffice();
    const { passos, navegador } = await ida(conta('sub-11', email));
    const retorno = passos.at(-1) ?? '';
    const tela = async (quem: NavegadorEntreSites, url: string) =>
      new URL((await quem.follow(url)).fim).search;
    assert.equal(
      await tela(new NavegadorEntreSites(), retorno),
      '?falha=resposta_invalida',
      'another browser',
    );
    const cookie = navegador.cookie(malote.url);
    const console = new Navegador(malote.url, cookie);
    assert.equal((await console.ask('/entrar/externo', { json: {} })).status, 200);
    const again = await new Navegador(malote.url, cookie).ask('/entrar/externo', { json: {} });
    assert.deepEqual([again.status, again.body.codigo], [401, 'entrada_externa_invalida']);
    const other = await ida(conta('sub-11', email));
    const forged = new URL(retorno);
    forged.searchParams.set('state', alterado(forged.searchParams.get('state') ?? ''));
    assert.equal(await tela(other.navegador, forged.href), '?falha=resposta_invalida');
  });

  it('says which providers there are, and that one does not answer', async () => {
    const navegador = new Navegador(malote.url);
    const { provedores } = (await navegador.ask('/entrar/externo')).body;
    assert.deepEqual(provedores[0], { id: 'laboratorio', nome: 'Laboratório' });
    assert.equal((await ida(conta('x', 'x@y.z'), 'sumido')).fim, '?falha=indisponivel');
    assert.equal((await navegador.ask('/entrar/externo/nenhum')).body.codigo, 'provedor_nao_encontrado');
  });
});
