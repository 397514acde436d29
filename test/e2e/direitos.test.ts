/**
 * Whatever was made for somebody is held against what that somebody may do now, when it is fetched: exports, files,
 * extracts, packages, addresses, invitations and log-ins under way, after the role was lowered, the person moved to
 * another client, was deactivated or removed, or the token was revoked or lost clients.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { createToken, revokeToken } from '../../src/autorizacao/tokens.ts';
import type { Papel } from '../../src/banco/tabelas-console.ts';
import { type CenarioDeExportacao, DOCUMENTOS, prepareCenario } from '../support/cenario-exportacao.ts';
import { logInToConsole, Navegador, type Pedinte } from '../support/console.ts';
import { answerOnce, servedAtMost } from '../support/espera.ts';
import { createEscritorio, fetchJson, type Malote, startMalote, withDeps } from '../support/malote.ts';

const SENHA = 'malote andarilho azul 42';
const OUTRA_SENHA = 'carteiro sonolento verde 73';
/** How long what was read of a token may still hold. */
const FEITO_EM_MS = 5_000;

let malote: Malote;
let cenario: CenarioDeExportacao;
let admin: Pedinte;
/** Client of every document of the scenario, and another one that has no part in this one. */
let [A, B]: [string, string] = ['', ''];
let soDeA = '';

before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  cenario = await prepareCenario(malote, { crm: '61' });
  [A, B] = [cenario.emitente, cenario.destinatario];
  admin = await logInToConsole(malote, { contadorId: cenario.contadorId });
  soDeA = String((await admin.ask(`/documentos?chave=${DOCUMENTOS.nfce.chave}`)).body.itens[0].id);
});
after(() => malote[Symbol.asyncDispose]());

/** What an administrator does to somebody. */
const MUDANCAS = {
  nenhuma: null,
  operador: { papel: 'operador', clientes: () => null },
  carteiraB: { papel: 'operador', clientes: () => [B] },
  clienteA: { papel: 'cliente', clientes: () => [A] },
  clienteB: { papel: 'cliente', clientes: () => [B] },
  desativada: { ativo: false },
} as const;
type Mudanca = keyof typeof MUDANCAS;

async function mudar(usuarioId: number, mudanca: Mudanca): Promise<void> {
  const json = MUDANCAS[mudanca];
  if (json === null) return;
  const given = 'clientes' in json ? { ...json, clientes: json.clientes() } : json;
  const { status, body } = await admin.ask(`/usuarios/${usuarioId}`, { method: 'PUT', json: given });
  assert.equal(status, 200, JSON.stringify(body));
}

const pessoa = (papel: Papel, cpfCnpj?: string) =>
  logInToConsole(malote, {
    contadorId: cenario.contadorId,
    papel,
    ...(cpfCnpj ? { clientes: [cpfCnpj] } : {}),
  });

/** A file or page, by its path below the console's API. */
async function pegar(quem: Pedinte, path: string): Promise<number> {
  const answer = await fetch(`${malote.url}/console/api${path}`, { headers: { cookie: quem.cookie } });
  await answer.arrayBuffer();
  return answer.status;
}

async function exportar(quem: Pedinte, filtro: object = {}): Promise<string> {
  const { body } = await quem.ask('/exportacoes', { method: 'POST', json: { tipo: 'csv', filtro } });
  const { estado } = await answerOnce('the export has ended', {
    ask: async () => (await quem.ask(`/exportacoes/${body.id}`)).body,
    is: (now) => !['na_fila', 'em_andamento'].includes(now.estado),
  });
  assert.equal(estado, 'pronta');
  return body.id;
}

interface Feita {
  nome: string;
  /** Who it is made for. */
  papel: Papel;
  cpfCnpj?: () => string;
  /** Makes it while the rights are wide. @returns how it is fetched: the status */
  fazer(quem: Pedinte): Promise<() => Promise<number>>;
  espera: Partial<Record<Mudanca, number>>;
}

const arquivoDe = (filtro?: () => object) => async (quem: Pedinte) => {
  const id = await exportar(quem, filtro?.());
  return async () => {
    const [status, shown, listed] = [
      await pegar(quem, `/exportacoes/${id}/arquivo`),
      await pegar(quem, `/exportacoes/${id}`),
      (await quem.ask('/exportacoes')).body.itens ?? [],
    ];
    assert.equal(shown, status, 'the export is as hidden as its file');
    assert.equal(
      listed.some((one: { id: string }) => one.id === id),
      status === 200,
      'and as the list',
    );
    return status;
  };
};

/** What is made at the moment it is fetched, by an address that was there before. */
const endereco = (path: () => string) => async (quem: Pedinte) => () => pegar(quem, path());

const enderecoDeEnvio = async (quem: Pedinte) => {
  const json = { nome: 'a.xml', tamanho: 4 };
  const { body } = await quem.ask('/importacoes', { method: 'POST', json });
  return async () => (await fetch(body.url, { method: 'PUT', body: '<a/>' })).status;
};

const FEITAS: readonly Feita[] = [
  {
    nome: 'an export of everything',
    papel: 'administrador',
    fazer: arquivoDe(),
    espera: { nenhuma: 200, operador: 200, carteiraB: 404, clienteA: 404, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'an export of one client, made by the office',
    papel: 'operador',
    fazer: arquivoDe(() => ({ cliente: A })),
    espera: { nenhuma: 200, clienteA: 200, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'an export of one’s own client',
    papel: 'cliente',
    cpfCnpj: () => A,
    fazer: arquivoDe(),
    espera: { nenhuma: 200, operador: 200, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'the XML of a document',
    papel: 'administrador',
    fazer: endereco(() => `/documentos/${soDeA}/xml`),
    espera: { nenhuma: 200, operador: 200, carteiraB: 404, clienteA: 200, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'the PDF of a document',
    papel: 'administrador',
    fazer: endereco(() => `/documentos/${soDeA}/pdf`),
    espera: { nenhuma: 200, clienteA: 200, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'a client’s eyes (visualizar como), and a filter that was kept',
    papel: 'administrador',
    fazer: async (quem) => {
      const json = { filtros: [{ cliente: A }] };
      assert.equal((await quem.ask('/eu/preferencias', { method: 'PUT', json })).status, 200);
      return () => pegar(quem, `/documentos?cliente=${A}`);
    },
    espera: { nenhuma: 200, operador: 200, carteiraB: 404, clienteA: 200, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'a file that was uploaded',
    papel: 'administrador',
    fazer: async (quem) => {
      const { id } = (await admin.ask('/importacoes')).body.itens[0];
      return () => pegar(quem, `/importacoes/${id}/arquivo`);
    },
    espera: { nenhuma: 200, operador: 200, carteiraB: 404, clienteA: 404, clienteB: 404, desativada: 401 },
  },
  {
    nome: 'an extract of the audit log',
    papel: 'administrador',
    fazer: endereco(() => '/auditoria/csv'),
    espera: { nenhuma: 200, operador: 403, clienteA: 403, desativada: 401 },
  },
  {
    nome: 'a package of a deletion',
    papel: 'administrador',
    fazer: async (quem) => {
      const { id } = (await quem.ask('/retencao/exclusoes', { method: 'POST' })).body;
      return () => pegar(quem, `/retencao/exclusoes/${id}/pacotes/1`);
    },
    // Nothing is due: there is no package, and that is all an administrator learns.
    espera: { nenhuma: 404, operador: 403, clienteA: 403, desativada: 401 },
  },
  {
    nome: 'an address to upload to',
    papel: 'operador',
    fazer: enderecoDeEnvio,
    espera: { nenhuma: 200, carteiraB: 403, clienteA: 403, clienteB: 403, desativada: 403 },
  },
  {
    nome: 'an address to upload documents of one’s own client to',
    papel: 'cliente',
    cpfCnpj: () => A,
    fazer: enderecoDeEnvio,
    espera: { nenhuma: 200, operador: 200, carteiraB: 403, clienteB: 403, desativada: 403 },
  },
];

describe('what was made for somebody of the console', () => {
  for (const { nome, papel, cpfCnpj, fazer, espera } of FEITAS) {
    for (const [mudanca, status] of Object.entries(espera) as [Mudanca, number][]) {
      it(`${nome}: ${status} after "${mudanca}"`, async () => {
        const quem = await pessoa(papel, cpfCnpj?.());
        const fetchIt = await fazer(quem);
        await mudar(quem.usuarioId, mudanca);
        assert.equal(await fetchIt(), status);
      });
    }
  }

  it('an export is there again when the right to it is', async () => {
    const quem = await pessoa('cliente', A);
    const id = await exportar(quem);
    await mudar(quem.usuarioId, 'clienteB');
    assert.equal(await pegar(quem, `/exportacoes/${id}/arquivo`), 404);
    assert.equal((await quem.ask(`/exportacoes/${id}`, { method: 'DELETE' })).status, 404);
    await mudar(quem.usuarioId, 'clienteA');
    assert.equal(await pegar(quem, `/exportacoes/${id}/arquivo`), 200);
  });
});

describe('an invitation', () => {
  /** @returns the invited person's id, and what becomes of the code */
  async function convidar(papel: Papel) {
    const email = `convidada${Math.random()}@exemplo.com.br`;
    const json = { nome: 'Convidada', email, papel };
    const { id, link } = (await admin.ask('/usuarios', { method: 'POST', json })).body;
    const navegador = new Navegador(malote.url);
    const aceitar = () =>
      navegador.ask('/convite/aceitar', {
        json: { codigo: new URL(link).hash.slice(1), nome: 'Convidada', senha: SENHA },
      });
    return { id, navegador, aceitar };
  }

  it('gives the role of now, not that of when it was made', async () => {
    const { id, navegador, aceitar } = await convidar('administrador');
    await mudar(id, 'clienteB');
    assert.equal((await aceitar()).status, 200);
    const { usuario } = (await navegador.ask('/sessao')).body;
    assert.deepEqual([usuario.papel, usuario.clientes[0].cpfCnpj], ['cliente', B]);
    assert.equal((await navegador.ask('/usuarios')).status, 403);
    assert.equal((await navegador.ask(`/documentos/${soDeA}`)).status, 404);
  });

  it('is worth nothing once its person is deactivated, or removed', async () => {
    for (const end of [
      (id: number) => mudar(id, 'desativada'),
      async (id: number) => void (await admin.ask(`/usuarios/${id}`, { method: 'DELETE' })),
    ]) {
      const { id, aceitar } = await convidar('operador');
      await end(id);
      const { status, body } = await aceitar();
      assert.deepEqual([status, body.codigo], [404, 'convite_invalido']);
    }
  });
});

describe('a log-in under way', () => {
  it('ends with the rights of now: none for who was deactivated, another password begins anew', async () => {
    const email = 'emcurso@exemplo.com.br';
    const { id, link } = (
      await admin.ask('/usuarios', {
        method: 'POST',
        json: { nome: 'Em curso', email, papel: 'administrador' },
      })
    ).body;
    const navegador = new Navegador(malote.url);
    const codigo = new URL(link).hash.slice(1);
    await navegador.ask('/convite/aceitar', { json: { codigo, nome: 'Em curso', senha: SENHA } });
    const { segredo } = (await navegador.ask('/eu/totp', { json: { senha: SENHA } })).body;
    const totp = new TOTP({ secret: Secret.fromBase32(segredo) });
    const ligado = await navegador.ask('/eu/totp/confirmar', { json: { codigo: totp.generate() } });
    const [um, dois, tres] = ligado.body.codigosDeRecuperacao as string[];
    const outro = new Navegador(malote.url);
    const senha = async (text: string) =>
      (await outro.ask('/entrar', { json: { email, senha: text } })).body.desafio as string;
    const confirmar = (desafio: string, text = '') =>
      outro.ask('/entrar/totp', { json: { desafio, codigo: text } });

    const lowered = await senha(SENHA);
    await mudar(id, 'clienteB');
    assert.equal((await confirmar(lowered, um)).status, 200);
    assert.equal((await outro.ask('/usuarios')).status, 403);
    const changed = await senha(SENHA);
    await outro.ask('/eu/senha', { json: { atual: SENHA, nova: OUTRA_SENHA } });
    assert.equal((await confirmar(changed, dois)).body.codigo, 'desafio_invalido');
    const disabled = await senha(OUTRA_SENHA);
    await mudar(id, 'desativada');
    assert.equal((await confirmar(disabled, tres)).body.codigo, 'desafio_invalido');
  });
});

describe('what was made for a token', () => {
  const novo = (more: object = {}) =>
    withDeps(malote.dataFolder, (deps) =>
      createToken(deps, { contadorId: cenario.contadorId, nome: 'Passageiro', adicional: true, ...more }),
    );
  const revogar = (id: number) =>
    withDeps(malote.dataFolder, (deps) => revokeToken(deps, { contadorId: cenario.contadorId, id }));
  const bilhete = async (token: string) =>
    (await fetchJson(`${malote.url}/storage`, { token, json: { size: 4, extension: '.xml' } })).body;
  const enviar = async (url: string) => {
    const answer = await fetch(url, { method: 'PUT', body: '<a/>' });
    return [answer.status, /<Code>(\w+)/.exec(await answer.text())?.[1] ?? null];
  };

  it('an address to upload to is worth nothing once the token is revoked, or over', async () => {
    const { id, token } = await novo();
    const [first, second] = [await bilhete(token), await bilhete(token)];
    assert.deepEqual(await enviar(first.url), [200, null]);
    await revogar(id);
    assert.deepEqual(await enviar(second.url), [403, 'AccessDenied']);
    const brief = await novo({ expiraEm: Date.now() + 3_600_000 });
    const third = await bilhete(brief.token);
    await withDeps(malote.dataFolder, ({ db }) =>
      db.write
        .updateTable('token_integracao')
        .set({ expira_em: Date.now() - 1 })
        .where('id', '=', brief.id)
        .execute(),
    );
    await answerOnce('the token is over', {
      ask: () => fetchJson(`${malote.url}/storage/arquivo/x`, { token: brief.token }),
      is: ({ status }) => status === 401,
    });
    assert.deepEqual(await enviar(third.url), [403, 'AccessDenied']);
  });

  it('pages end within five seconds when it is revoked or loses the client, however often they were asked for', async () => {
    const [idA, idB] = await withDeps(malote.dataFolder, async ({ db }) => {
      const rows = await db.read.selectFrom('cliente').select(['id', 'cpf_cnpj']).execute();
      return [A, B].map((one) => rows.find(({ cpf_cnpj }) => cpf_cnpj === one)?.id ?? 0);
    });
    assert.ok(idA && idB);
    const url = `${cenario.base(A)}/documentos/0/novos?Xml=true`;
    for (const [espera, perder] of [
      [401, revogar],
      [
        404,
        (id: number) =>
          withDeps(malote.dataFolder, ({ db }) =>
            db.write
              .updateTable('token_integracao_cliente')
              .set({ cliente_id: idB })
              .where('token_id', '=', id)
              .execute(),
          ).then(() => {}),
      ],
    ] as const) {
      const { id, token } = await novo({ clienteIds: [idA] });
      for (let at = 0; at < 5; at++) assert.equal((await fetchJson(url, { token })).status, 200);
      const { clientes } = (await fetchJson(`${cenario.base(A).replace(/[^/]+$/, 'clientes')}`, { token }))
        .body;
      assert.deepEqual(
        clientes.map(({ cpf_cnpj }: { cpf_cnpj: string }) => cpf_cnpj),
        [A],
      );
      await perder(id);
      await servedAtMost(FEITO_EM_MS, async () => (await fetchJson(url, { token })).status !== espera);
      assert.equal((await fetchJson(url, { token })).status, espera);
    }
  });

  it('signed addresses name one document each, and their end; nothing else of the token is in them', async () => {
    const { id, token } = await novo();
    const asked = Date.now();
    const url = `${cenario.base(A)}/documentos/0/finalidade?Finalidade=true`;
    const { documentos } = (await fetchJson(url, { token })).body;
    await revogar(id);
    for (const { url_download, url_finalidade } of documentos) {
      // What the client issued itself has no purpose.
      for (const one of [url_download, url_finalidade].filter((text) => text !== '')) {
        const seconds = Number(new URL(one).searchParams.get('Expires')) - asked / 1_000;
        assert.ok(seconds > 0 && seconds <= 15 * 60 + 1, `${seconds}`);
      }
    }
    const other = await createEscritorio(malote.dataFolder, { crm: '62' });
    assert.equal((await fetchJson(url, { token: other.token })).status, 403);
  });
});
