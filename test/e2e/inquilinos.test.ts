/** Tenancy: three offices with three clients each, every route, one answer for each case and no leak. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openContas } from '../support/acesso-contas.ts';
import { type Caso, LINHAS } from '../support/inquilinos.ts';
import { createEscritorio, fetchJson, type Malote, startMalote } from '../support/malote.ts';
import { createMundo, type Mundo, type Pessoa, pessoas } from '../support/mundo.ts';
import { type Resposta, send } from '../support/pedido.ts';
import { outraGrafia, toPedido } from '../support/tabela-de-erros.ts';

let malote: Malote;
let mundo: Mundo;
before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  mundo = await createMundo(malote);
});
after(() => malote[Symbol.asyncDispose]());

async function routes(): Promise<string[]> {
  const { body } = await fetchJson(`${malote.url}/openapi.json`);
  return Object.entries<object>(body.paths)
    .filter(([path]) => !path.startsWith('/auth/')) // it gives tokens: src/autorizacao/emissor/protocolo.test.ts
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
}

/** The answer without what differs from request to request: its id, its path, the moment it was signed at. */
function bare({ status, headers, text }: Resposta): unknown {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  const body = text
    .replace(/"requestId":"[^"]*"/, '')
    .replace(/"instance":"[^"]*"/, '')
    .replace(/(Expires|Signature|StorageAccessKeyId)=[^"&]*/g, '$1=');
  return { status, headers: Object.keys(rest).sort(), body };
}

function assertAnswer(answer: Resposta, caso: Caso, where: string): void {
  if (caso.espera === 200) {
    assert.equal(answer.status, 200, `${where}: ${answer.text}`);
    return;
  }
  assert.equal(JSON.parse(answer.text).codigo, caso.espera, `${where}: ${answer.text}`);
}

/** Everything by which a client of another office could be known. */
function foreignWords({ escritorio }: Pessoa): string[] {
  return mundo.escritorios
    .filter((other) => other !== escritorio)
    .flatMap(({ codigoCrm, clientes }) => [
      codigoCrm,
      ...clientes.flatMap(({ cpfCnpj, chave }) => [cpfCnpj, chave]),
    ]);
}

describe('the tenant matrix', () => {
  it('has a row for every route of the OpenAPI document, and none of routes that are gone', async () => {
    assert.deepEqual(Object.keys(LINHAS).sort(), (await routes()).sort());
  });

  it('gives every case its one answer, the same whether what is foreign exists or not, and leaks nothing', async () => {
    let asked = 0;
    for (const [route, cases] of Object.entries(LINHAS)) {
      const groups = new Map<string, unknown>();
      for (const pessoa of pessoas(mundo)) {
        let own: unknown;
        for (const caso of await cases(mundo, pessoa)) {
          const where = `${route}, ${pessoa.escritorio.codigoCrm}/${pessoa.cliente.cpfCnpj}, ${caso.nome}`;
          const answer = await send(toPedido(route.split(' ')[1] ?? '', caso.draft));
          asked++;
          assertAnswer(answer, caso, where);
          const plain = bare(answer);
          own ??= plain;
          if (caso.comoProprio) assert.deepEqual(plain, own, where);
          // Who writes it otherwise gets neither more nor less; what is not to be done twice is told apart elsewhere.
          if (caso.draft.method !== 'POST' && pessoa.cliente === pessoa.escritorio.clientes[0]) {
            const other = await send(outraGrafia(route.split(' ')[1] ?? '', caso.draft));
            assert.deepEqual(bare(other), plain, `${where}, em outra grafia`);
          }
          if (caso.grupo) {
            if (!groups.has(caso.grupo)) groups.set(caso.grupo, plain);
            assert.deepEqual(plain, groups.get(caso.grupo), where);
          }
          // A refusal repeats the path that was asked for, and nothing else.
          const said = answer.text.replace(/"(?:instance|requestId)":"[^"]*"/g, '');
          for (const word of foreignWords(pessoa)) assert.ok(!said.includes(word), `${where}: ${word}`);
        }
      }
    }
    assert.ok(asked > 800, `${asked} requests`);
  });

  it('one NSU of two clients answers each its own document', async () => {
    for (const { escritorio, cliente } of pessoas(mundo)) {
      const url = `${malote.url}/api/v1/${escritorio.codigoCrm}/${cliente.cpfCnpj}/documentos/1`;
      assert.equal((await fetchJson(url, { token: escritorio.token })).body.chave, cliente.chave);
    }
  });

  it('a company may be a client of several offices, and none of them learns of the others', async () => {
    const [one, two] = mundo.escritorios;
    assert.ok(one && two);
    const json = { cpfCnpj: '11222333000181', nomeEmpresa: 'De dois', email: 'a@b.co' };
    const answers = [];
    for (const { codigoCrm, contas } of [one, two]) {
      const url = `${malote.url}/api/contas/platform/contador/${codigoCrm}/cliente`;
      const { status, body } = await fetchJson(url, { token: contas, json });
      answers.push([status, body.data.message]);
    }
    assert.deepEqual(answers[0], answers[1]);
  });

  it('an OAuth client of two offices reaches both and no third one', async () => {
    const made = [];
    for (const crm of ['404', '505']) made.push(await createEscritorio(malote.dataFolder, { crm }));
    const { token } = await openContas(malote, { contadorIds: made.map(({ contadorId }) => contadorId) });
    const ask = async (crm: string) => {
      const url = `${malote.url}/api/contas/platform/contador/${crm}/cliente`;
      const json = { cpfCnpj: '12ABC34501DE35', nomeEmpresa: 'Cliente', email: 'a@b.co' };
      return (await fetchJson(url, { token, json })).status;
    };
    assert.deepEqual([await ask('404'), await ask('505'), await ask('101')], [200, 200, 403]);
  });
});
