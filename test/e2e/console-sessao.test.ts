/** Over HTTP: logging in to the console, what its cookie is worth, and how it ends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  type Malote,
  startMalote,
  withDeps,
} from '../support/malote.ts';

/** Time for a note to be made that must not be. */
const SHOULD_NOT_COME_MS = 200;

let malote: Malote;
let escritorio: Escritorio;
before(async () => {
  malote = await startMalote();
  escritorio = await createEscritorio(malote.dataFolder, { crm: '123' });
});
after(() => malote[Symbol.asyncDispose]());

describe('a session', () => {
  it('tells who is there, where everything is, and ends for good when it is left', async () => {
    const pessoa = await logInToConsole(malote, { contadorId: escritorio.contadorId });
    const { body } = await pessoa.ask('/sessao');
    assert.equal(body.escritorio.codigoCrm, '000123');
    assert.equal(body.usuario.papel, 'administrador');
    assert.equal(body.usuario.clientes, null);
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

  it('ends after half an hour of a screen that only repeats its questions by itself', async () => {
    const pessoa = await logInToConsole(malote, { contadorId: escritorio.contadorId });
    assert.equal(await perguntar(pessoa, 'GET /sessao', { repeticao: '0', depoisDe: 29 }), 200);
    assert.equal(await perguntar(pessoa, 'GET /importacoes', { depoisDe: 29 }), 200, 'somebody was there');
    assert.equal(await perguntar(pessoa, 'GET /importacoes', { repeticao: '1', depoisDe: 29 }), 200);
    assert.equal(await perguntar(pessoa, 'GET /importacoes', { repeticao: '1', depoisDe: 2 }), 401);
  });

  it('goes on with what changes something, whatever that says of itself', async () => {
    const pessoa = await logInToConsole(malote, { contadorId: escritorio.contadorId });
    const preferencias = 'PUT /eu/preferencias';
    assert.equal(await perguntar(pessoa, preferencias, { repeticao: '1', depoisDe: 29 }), 200);
    assert.equal(await perguntar(pessoa, preferencias, { repeticao: '1', depoisDe: 29 }), 200);
  });
});

/** Asks a route so many minutes later, as far as the session can tell. */
async function perguntar(
  pessoa: Pedinte,
  rota: string,
  { repeticao, depoisDe }: { repeticao?: string; depoisDe: number },
): Promise<number> {
  await withDeps(malote.dataFolder, ({ db }) =>
    db.write
      .updateTable('sessao_console')
      .set((eb) => ({ vista_em: eb('vista_em', '-', depoisDe * 60_000) }))
      .where('usuario_id', '=', pessoa.usuarioId)
      .execute(),
  );
  const [method = '', path] = rota.split(' ');
  const { status } = await fetchJson(`${malote.url}/console/api${path}`, {
    method,
    ...(method === 'GET' ? {} : { json: {} }),
    headers: {
      cookie: pessoa.cookie,
      'x-csrf-token': pessoa.csrf,
      ...(repeticao ? { 'x-malote-repeticao': repeticao } : {}),
    },
  });
  if (status === 200 && (method !== 'GET' || repeticao !== '1')) {
    // Beside the answer.
    await until('the use is noted', async () => (await vistaEm(pessoa)) > Date.now() - 60_000);
  } else await delay(SHOULD_NOT_COME_MS);
  return status;
}

const vistaEm = (pessoa: Pedinte) =>
  withDeps(malote.dataFolder, async ({ db }) => {
    const query = db.read.selectFrom('sessao_console').select('vista_em');
    const row = await query.where('usuario_id', '=', pessoa.usuarioId).executeTakeFirst();
    return row?.vista_em ?? 0;
  });
