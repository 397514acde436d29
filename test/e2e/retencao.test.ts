/** Retention over HTTP, as the console does it: preview, hold, deletion in two steps, and what is left of it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { answerOnce } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  importFile,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';

const emitente = generateEmpresa('retencao', { perfil: 'industria', uf: 'SP' });
const destinatario = generateEmpresa('retencao-dest', { perfil: 'comercio', uf: 'SP' });
const DIA_MS = 24 * 3_600_000;

const nota = (numero: number, emissao: Date) =>
  generateNfe({
    semente: `retencao-${numero}`,
    emitente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero,
    emissao,
    itens: 2,
  });
const velha = nota(1, new Date(Date.UTC(2013, 4, 6, 15)));
const guardada = nota(2, new Date(Date.UTC(2013, 4, 7, 15)));
const nova = nota(3, new Date(Date.UTC(2026, 2, 9, 15)));

let malote: Malote;
let escritorio: Escritorio;
let admin: Pedinte;

before(async () => {
  malote = await startMalote();
  escritorio = await createEscritorio(malote.dataFolder, { crm: '77', clientes: [emitente.id] });
  for (const { xml } of [velha, guardada, nova]) {
    await importFile(malote, { token: escritorio.token, extension: '.xml', bytes: Buffer.from(xml) });
  }
  await withDeps(malote.dataFolder, ({ db, clock }) =>
    db.write
      .updateTable('documento')
      .set({ importado_em: clock.now() - 60 * DIA_MS })
      .execute(),
  );
  admin = await logInToConsole(malote, { contadorId: escritorio.contadorId });
});
after(() => malote[Symbol.asyncDispose]());

const inState = (id: string, estado: string) =>
  answerOnce(`the deletion is ${estado}`, {
    ask: async () => (await admin.ask(`/retencao/exclusoes/${id}`)).body,
    is: (body) => body.estado === estado,
  });

function paginaDeNovos() {
  const path = `/api/v1/${escritorio.codigoCrm}/${emitente.id}/documentos/0/novos`;
  return fetchJson(`${malote.url}${path}?Xml=true`, { token: escritorio.token });
}

describe('retention', () => {
  it('is a matter of administrators', async () => {
    const { contadorId } = escritorio;
    const operador = await logInToConsole(malote, { contadorId, papel: 'operador' });
    const cliente = await logInToConsole(malote, { contadorId, papel: 'cliente', clientes: [emitente.id] });
    for (const pessoa of [operador, cliente]) {
      const { status, body } = await pessoa.ask('/retencao');
      assert.deepEqual([status, body.codigo], [403, 'papel_insuficiente']);
    }
  });

  it('names every faulty field of a hold', async () => {
    const json = { motivo: '', chave: 'x', emissaoDe: '31/01/2026' };
    const { status, body } = await admin.ask('/retencao/guardas', { method: 'POST', json });
    assert.equal(status, 400);
    assert.deepEqual(
      body.erros.map((erro: { campo: string }) => erro.campo),
      ['motivo', 'chave', 'emissaoDe'],
    );
  });

  it('previews, prepares with a copy, deletes what is due, and leaves what is held', async () => {
    const hold = await admin.ask('/retencao/guardas', {
      method: 'POST',
      json: { chave: guardada.chave, motivo: 'fiscalização estadual' },
    });
    assert.equal(hold.status, 200);
    const { body: previa } = await admin.ask('/retencao');
    assert.deepEqual([previa.vencidos, previa.sobGuarda], [1, 1]);

    const { body: asked, status } = await admin.ask('/retencao/exclusoes', { method: 'POST' });
    assert.equal(status, 200, JSON.stringify([asked, malote.log.slice(-3)]));
    const prepared = await inState(asked.id, 'preparada');
    assert.deepEqual([prepared.documentos, prepared.pacotes.length], [1, 1]);
    const early = await admin.ask(`/retencao/exclusoes/${asked.id}/confirmar`, { method: 'POST' });
    assert.deepEqual([early.status, early.body.codigo], [409, 'pacote_nao_baixado']);
    const copy = await fetch(`${malote.url}/console/api/retencao/exclusoes/${asked.id}/pacotes/1`, {
      headers: { cookie: admin.cookie },
    });
    assert.equal(copy.headers.get('content-type'), 'application/zip');
    assert.ok((await copy.bytes()).length > 500);

    const confirmed = await admin.ask(`/retencao/exclusoes/${asked.id}/confirmar`, { method: 'POST' });
    assert.equal(confirmed.status, 200);
    const done = await inState(asked.id, 'concluida');
    assert.deepEqual([done.excluidos, done.mantidos, done.arquivosApagados], [1, 0, 1]);

    const { body: page } = await paginaDeNovos();
    assert.equal(page.total, 3);
    const [first, second, third] = page.documentos;
    assert.deepEqual([first.nsu, first.chave, first.xml, first.url_download], [1, velha.chave, '', '']);
    assert.ok(second.xml.startsWith('<') && third.xml.startsWith('<'));
  });

  it('tries again, from the command line, what has failed; and only that', async () => {
    const { body } = await admin.ask('/retencao/exclusoes');
    const [{ id }] = body.exclusoes;
    await withDeps(malote.dataFolder, ({ db }) =>
      db.write.updateTable('exclusao').set({ estado: 'falhou', erro: 'o disco parou' }).execute(),
    );
    const env = { MALOTE_DATA: malote.dataFolder, ...(await ambienteDoBanco(malote.dataFolder)) };
    const again = () => runJson(env, 'retencao', 'retomar', '--crm', '77', '--id', id);
    const { code, value } = await again();
    assert.deepEqual([code, value.estado, value.erro, value.excluidos], [0, 'concluida', null, 1]);
    const twice = await again();
    assert.deepEqual([twice.code, twice.value.erro.codigo], [1, 'exclusao_em_outro_estado']);
  });

  it('leaves a gap for who exports, and stops nobody at it', async () => {
    const para = join(makeDataFolder(), 'saida');
    const ask = ['exportar', '--url', malote.url, '--crm', '77', '--cpf-cnpj', emitente.id, '--para', para];
    const { code, value } = await runJson({ MALOTE_TOKEN: escritorio.token }, ...ask);
    assert.equal(code, 0, JSON.stringify(value));
    assert.deepEqual([value.nsu, value.documentos, value.novos, value.excluidos], [3, 3, 2, 1]);
    rmSync(dirname(para), { recursive: true });
  });

  it('shows another office nothing of it', async () => {
    const other = await createEscritorio(malote.dataFolder, { crm: '78' });
    const stranger = await logInToConsole(malote, { contadorId: other.contadorId });
    const { body } = await admin.ask('/retencao/exclusoes');
    const { status } = await stranger.ask(`/retencao/exclusoes/${body.exclusoes[0].id}`);
    assert.equal(status, 404);
    assert.deepEqual((await stranger.ask('/retencao/guardas')).body, { guardas: [] });
  });
});
