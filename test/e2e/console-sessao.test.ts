/** Trust S50–S55 over HTTP: logging in to the console, what its cookie is worth, and how it ends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { entrarNoConsole } from '../support/console.ts';
import { createEscritorio, type Escritorio, fetchJson, type Malote, startMalote } from '../support/malote.ts';

let malote: Malote;
let escritorio: Escritorio;
before(async () => {
  malote = await startMalote();
  escritorio = await createEscritorio(malote.dataFolder, { crm: '123' });
});
after(() => malote[Symbol.asyncDispose]());

describe('a session', () => {
  it('tells who is there, where everything is, and ends for good when it is left', async () => {
    const pessoa = await entrarNoConsole(malote, { contadorId: escritorio.contadorId });
    const { body } = await pessoa.ask('/sessao');
    assert.equal(body.escritorio.codigoCrm, '000123');
    assert.equal(body.usuario.papel, 'administrador');
    assert.equal(body.usuario.cliente, null);
    assert.equal(body.enderecos.upload, `${malote.url}/upload`);
    const left = await pessoa.ask('/sair', { method: 'POST' });
    assert.equal(left.status, 200);
    assert.match(
      left.headers.getSetCookie().join('\n'),
      /__Host-malote=; Max-Age=0|__Host-malote=;.*Expires=Thu, 01 Jan 1970/,
    );
    const after = await pessoa.ask('/sessao');
    assert.deepEqual([after.status, after.body.codigo], [401, 'sessao_ausente']);
  });

  it('is needed: nothing else opens the console', async () => {
    const url = `${malote.url}/console/api/sessao`;
    for (const options of [{}, { token: escritorio.token }, { headers: { cookie: '__Host-malote=x' } }]) {
      const { status, body, headers } = await fetchJson(url, options);
      assert.deepEqual([status, body.codigo], [401, 'sessao_ausente']);
      assert.match(headers.get('www-authenticate') ?? '', /^Cookie /);
    }
  });
});
