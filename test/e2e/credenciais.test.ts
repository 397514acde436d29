/** Tokens, OAuth clients and signing keys on the command line, beside a running server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Instalacao } from './linha-de-comando.ts';

const instalacao = new Instalacao();
let conta: Record<string, string>;
before(async () => {
  const { value } = await instalacao.json(
    ...['conta', 'criar', '--crm', '7', '--nome', 'Escritório', '--email', 'a@b.com'],
  );
  conta = value as Record<string, string>;
  await instalacao.json(
    ...['cliente', 'criar', '--crm', '7', '--cpf-cnpj', '11222333000181'],
    ...['--nome', 'Empresa', '--email', 'e@b.com'],
  );
  await instalacao.json(
    ...['cliente', 'criar', '--crm', '7', '--cpf-cnpj', '11144477735'],
    ...['--nome', 'Pessoa', '--email', 'p@b.com'],
  );
  await instalacao.serve();
});
after(() => instalacao.remove());

interface ErroJson {
  erro: { codigo: string; mensagem: string };
}

const fails = async (...args: string[]) => {
  const { code, value } = await instalacao.json(...args);
  assert.equal(code, 1, args.join(' '));
  return (value as unknown as ErroJson).erro.codigo;
};

const novos = async (token: unknown, cpfCnpj: string) => {
  const url = `${instalacao.url}/api/v1/000007/${cpfCnpj}/documentos/0/novos`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = (await answer.json()) as { codigo?: string };
  return body.codigo ?? answer.status;
};

describe('malote token', () => {
  it('makes tokens that are limited to clients, and lists and revokes them by number', async () => {
    const { code, value } = await instalacao.json(
      ...['token', 'gerar', '--crm', '7', '--adicional', '--nome', 'ERP'],
      ...['--cliente', '11222333000181', '--dias', '30'],
    );
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(value), ['codigoCrm', 'nome', 'adicional', 'token', 'numero']);
    assert.equal(await novos(value.token, '11222333000181'), 200);
    assert.equal(await novos(value.token, '11144477735'), 'cliente_nao_encontrado');
    assert.equal(await novos(conta.token, '11144477735'), 200);
    const listed = await instalacao.json('token', 'listar', '--crm', '7');
    const [erp, main] = listed.value.tokens as {
      clientes: string[] | null;
      id: number;
      expiraEm: string | null;
    }[];
    assert.deepEqual([erp?.clientes, main?.clientes], [['11222333000181'], null]);
    assert.match(erp?.expiraEm ?? '', /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    const table = (await instalacao.malote('token', 'listar', '--crm', '7')).stdout;
    assert.match(table, /^número {2}nome .*\n\d+ +ERP +….{4} +exportação de 11222333000181 +vale até /);
    assert.ok(!table.includes(String(value.token)));
    const number = String(value.numero);
    assert.equal((await instalacao.json('token', 'revogar', '--crm', '7', '--numero', number)).code, 0);
    assert.equal(await fails('token', 'revogar', '--crm', '7', '--numero', number), 'token_nao_encontrado');
  });

  it('refuses limits of the main token, unknown clients and values that cannot be', async () => {
    assert.equal(await fails('token', 'gerar', '--crm', '7', '--escopo', 'importacao'), 'dados_invalidos');
    assert.equal(
      await fails('token', 'gerar', '--crm', '7', '--adicional', '--cliente', '52998224725'),
      'cliente_nao_encontrado',
    );
    for (const [option, ...call] of [
      ['--dias', 'token', 'gerar', '--crm', '7', '--dias', '0'],
      ['--numero', 'token', 'revogar', '--crm', '7', '--numero', 'abc'],
      ['--horas', 'oauth', 'girar', '--client-id', 'x', '--horas', '721'],
      ['--id', 'retencao', 'levantar', '--crm', '7', '--motivo', 'fim', '--id', 'x'],
      ['--dias', 'certificado', 'listar', '--crm', '7', '--dias', 'x'],
      ['--ancora', 'auditoria', 'verificar', '--ancora', '7'],
    ] as const) {
      const { code, stderr } = await instalacao.malote(...call);
      assert.deepEqual([code, stderr.includes(`${option} deve ser`)], [2, true], call.join(' '));
    }
  });
});

describe('malote oauth', () => {
  const grant = async (clientId: unknown, clientSecret: unknown) => {
    const form = {
      grant_type: 'client_credentials',
      client_id: String(clientId),
      client_secret: String(clientSecret),
    };
    const answer = await fetch(`${instalacao.url}/auth/realms/service/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return answer.status;
  };

  it('makes a client, gives it another secret, lists and revokes it', async () => {
    const made = (await instalacao.json('oauth', 'criar', '--crm', '7', '--nome', 'ERP')).value;
    assert.equal(await grant(made.client_id, made.client_secret), 200);
    const id = String(made.client_id);
    const turned = (await instalacao.json('oauth', 'girar', '--client-id', id, '--horas', '1')).value;
    const { clientes } = (await instalacao.json('oauth', 'listar', '--crm', '7')).value;
    const found = (clientes as { clientId: string; codigosCrm: string[]; criadoEm: unknown }[]).find(
      ({ clientId }) => clientId === id,
    );
    assert.deepEqual(found?.codigosCrm, ['000007']);
    assert.match(String(found?.criadoEm), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(await grant(id, made.client_secret), 200);
    assert.match(String(turned.anterior_vale_ate), /^\d{4}-\d\d-\d\dT/);
    assert.equal((await instalacao.json('oauth', 'revogar', '--client-id', id)).code, 0);
    assert.equal(await fails('oauth', 'revogar', '--client-id', id), 'cliente_oauth_nao_encontrado');
    assert.equal(await fails('oauth', 'girar', '--client-id', id), 'cliente_oauth_nao_encontrado');
    assert.match((await instalacao.malote('oauth', 'listar')).stdout, new RegExp(`${id} .* revogado em `));
  });

  it('asks for an office, except of a client that only introspects', async () => {
    assert.equal(await fails('oauth', 'criar', '--nome', 'x'), 'parametro_obrigatorio');
    assert.equal(await fails('oauth', 'criar', '--nome', 'x', '--crm', '999'), 'contador_nao_encontrado');
    const made = await instalacao.json('oauth', 'criar', '--nome', 'API', '--somente-introspeccao');
    assert.equal(made.code, 0);
    assert.equal(await grant(made.value.client_id, made.value.client_secret), 401);
  });
});

describe('malote chaves girar', () => {
  it('makes a key beside the present one', async () => {
    const { code, value } = await instalacao.json('chaves', 'girar');
    assert.equal(code, 0);
    assert.match(String(value.kid), /^[\w-]{43}$/);
    const addresses = await instalacao.json('chaves', 'girar-enderecos');
    assert.equal(addresses.code, 0);
    assert.match(String(addresses.value.kid), /^MLT[A-Z2-7]{17}$/);
    const { code: audited } = await instalacao.malote('auditoria', 'verificar');
    assert.equal(audited, 0);
  });
});
