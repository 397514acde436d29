/**
 * Mass exports where several processes serve one installation: on SQLite with the files on disk, on PostgreSQL in S3.
 */
import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openZip } from '../support/abrir-zip.ts';
import { type CenarioDeExportacao, prepareCenario } from '../support/cenario-exportacao.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { answerOnce } from '../support/espera.ts';
import { exportacoesGuardadas } from '../support/exportacoes.ts';
import { type Malote, makeDataFolder, startMalote } from '../support/malote.ts';
import { ambienteDoBanco, MOTOR, releaseBanco } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';
import { type S3DeTeste, startS3 } from '../support/s3.ts';

const VIVAS = ['na_fila', 'em_andamento'];

const medium = MOTOR === 'postgres' ? 'S3' : 'a folder';

describe(`exports of several processes, with the files in ${medium}`, () => {
  const dataFolder = makeDataFolder();
  /** Where nothing has to be on a common disk, the second process has a folder of its own, as on another host. */
  const apart = medium === 'S3' ? makeDataFolder() : null;
  let s3: S3DeTeste | null = null;
  let env: Record<string, string> = {};
  let cenario: CenarioDeExportacao;
  let admin: Pedinte;
  let one: Malote;
  let two: Malote;
  const start = (modo: 'tudo' | 'api' = 'api') =>
    startMalote({ dataFolder, umProcesso: true, env: { ...env, MALOTE_MODO: modo } });

  before(async () => {
    if (medium === 'S3') {
      s3 = await startS3();
      env = { ...s3.env };
      // Credentials of the bucket are read from there.
      Object.assign(process.env, s3.env);
    }
    one = await start('tudo');
    if (apart) copyFileSync(join(dataFolder, 'chave-mestra'), join(apart, 'chave-mestra'));
    const elsewhere = apart ? { ...(await ambienteDoBanco(dataFolder)), MALOTE_DATA: apart } : {};
    two = await startMalote({
      dataFolder,
      umProcesso: true,
      env: { ...env, MALOTE_MODO: 'api', ...elsewhere },
    });
    cenario = await prepareCenario(one, { crm: '63' });
    admin = await logInToConsole(one, { contadorId: cenario.contadorId });
    const banco = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)), ...env };
    const semeado = await runJson(banco, 'semear', '--crm', '63', '--documentos', '100', '--clientes', '1');
    assert.equal(semeado.code, 0);
  });
  after(async () => {
    await Promise.all([one, two].map((malote) => malote?.stop('SIGKILL')));
    await releaseBanco(dataFolder);
    for (const name of Object.keys(s3?.env ?? {})) delete process.env[name];
    await s3?.[Symbol.asyncDispose]();
    for (const folder of [dataFolder, apart]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Asks one of the processes as the same person. */
  async function ask(malote: Malote, path: string, options: { method?: string; json?: unknown } = {}) {
    const { json, method = json === undefined ? 'GET' : 'POST' } = options;
    const answer = await fetch(`${malote.url}/console/api${path}`, {
      method,
      headers: {
        cookie: admin.cookie,
        'x-csrf-token': admin.csrf,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, body };
  }
  async function exportacao(malote: Malote, id: string) {
    return JSON.parse((await ask(malote, `/exportacoes/${id}`)).body.toString());
  }
  async function pedir(malote: Malote, json: object): Promise<string> {
    const { status, body } = await ask(malote, '/exportacoes', { json });
    assert.equal(status, 200, body.toString());
    return JSON.parse(body.toString()).id;
  }
  const fimDe = (malote: Malote, id: string) =>
    answerOnce('the export has ended', {
      ask: () => exportacao(malote, id),
      is: ({ estado }) => !VIVAS.includes(estado),
    });
  const guardadas = () => exportacoesGuardadas(dataFolder, env);
  /** Longer than a start takes, two after the other: every document of the office drawn. */
  const lenta = () => ({ tipo: 'zip', comPdf: true, filtro: {} });

  it('the file of one is given out, whole, by the other, and deleted by it', async () => {
    const id = await pedir(one, { tipo: 'zip', filtro: { cliente: cenario.emitente } });
    const feita = await fimDe(two, id);
    assert.equal(feita.estado, 'pronta', feita.erro);
    const [here, there] = await Promise.all([one, two].map((m) => ask(m, `/exportacoes/${id}/arquivo`)));
    assert.deepEqual([here?.status, there?.status], [200, 200]);
    assert.equal(Number(there?.headers.get('content-length')), feita.bytes);
    assert.deepEqual(there?.body, here?.body);
    // Documents, the events beside them, and the page that counts them.
    assert.equal((await openZip(there?.body ?? Buffer.alloc(0))).size, 11);
    assert.equal((await ask(two, `/exportacoes/${id}`, { method: 'DELETE' })).status, 200);
    assert.equal((await ask(one, `/exportacoes/${id}/arquivo`)).status, 404);
    assert.deepEqual(await guardadas(), []);
  });

  it('the start and end of a third disturbs nothing that others are making', async () => {
    const ids: string[] = [];
    for (const malote of [one, two]) {
      for (let i = 0; i < 2; i++) ids.push(await pedir(malote, lenta()));
    }
    let isThere = false;
    const starting = start().finally(() => {
      isThere = true;
    });
    // Some are being made however long it takes to start.
    for (; !isThere; await delay(50)) {
      const { estado } = await exportacao(two, ids.at(-1) ?? '');
      if (!VIVAS.includes(estado)) ids.push(await pedir(two, lenta()));
    }
    await using third = await starting;
    assert.equal((await exportacao(third, ids.at(-1) ?? '')).erro ?? null, null);
    assert.equal(await third.stop(), 0);
    for (const id of ids) {
      const { estado, erro } = await fimDe(two, id);
      assert.equal(estado, 'pronta', erro);
    }
  });

  it('what is cancelled through another process ends, and leaves nothing', async () => {
    const before = await guardadas();
    const [first, second] = [await pedir(one, lenta()), await pedir(one, lenta())];
    for (const id of [first, second]) {
      assert.equal((await ask(two, `/exportacoes/${id}`, { method: 'DELETE' })).status, 200);
    }
    // The next one's turn comes when those have ended.
    const next = await fimDe(two, await pedir(one, { tipo: 'csv' }));
    assert.equal(next.estado, 'pronta', next.erro);
    const more = (await guardadas()).filter((key) => !before.includes(key));
    assert.deepEqual(more, [`${next.id}-exportacao`]);
  });

  it('what a killed process was making is told as interrupted by those that live, and theirs is not', async () => {
    const lost: string[] = [];
    // So many that the last ones have not been begun when it is killed.
    for (let i = 0; i < 4; i++) lost.push(await pedir(one, lenta()));
    await one.kill();
    const mine = await pedir(two, lenta());
    for (const id of lost) {
      const { estado, erro } = await fimDe(two, id);
      // The first ones may just have been done.
      if (estado !== 'pronta' || id === lost.at(-1)) assert.equal(estado, 'interrompida');
      if (estado === 'interrompida') assert.match(erro, /Peça-a de novo/);
    }
    assert.equal((await fimDe(two, mine)).estado, 'pronta');
    one = await start('tudo');
  });
});
