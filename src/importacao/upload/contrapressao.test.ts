import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readConfig } from '../../config.ts';
import type { Logger } from '../../deps.ts';
import { type Cofre, openCofre } from '../../documentos/cofre-testing.ts';
import { newScope, runInScope } from '../../platform/db/tenant.ts';
import { addJob } from '../../platform/jobs/queue.ts';
import { Contrapressao } from './contrapressao.ts';

const QUIET = { warn() {}, info() {} } as unknown as Logger;
const GB = 1_000_000_000;

describe('back-pressure', () => {
  let cofre: Cofre;
  let other: number;
  let agora = 0;
  let files = 0;
  let disk = { free: 100 * GB, total: 200 * GB };
  let looks = 0;
  beforeEach(async () => {
    cofre = await openCofre();
    other = await cofre.novoContador();
    disk = { free: 100 * GB, total: 200 * GB };
    looks = 0;
  });
  afterEach(() => cofre.db.close());

  async function queue(contadorId: number, jobs: number): Promise<void> {
    for (let n = 0; n < jobs; n++) {
      const id = `f${files++}`;
      const row = { id, contador_id: contadorId, extensao: 'xml', tamanho_anunciado: 1, status: 's' };
      await cofre.db.write
        .insertInto('arquivo')
        .values({ ...row, criado_em: 1, expira_em: 1, kid: 'k' })
        .execute();
      await addJob(cofre.db.write, { tipo: 't', arquivoId: id, contadorId, pesoBytes: 1, now: 1 });
    }
    agora += 1_000;
  }
  function open(env: Record<string, string>): Contrapressao {
    return new Contrapressao(
      { db: cofre.db, log: QUIET, config: readConfig(env) },
      {
        monotonic: () => agora,
        disk: async () => {
          looks += 1;
          return disk;
        },
      },
    );
  }

  it('puts those off who fill the queue, and at twice its depth everybody', async () => {
    const pressure = open({ MALOTE_FILA_MAXIMA: '200' });
    await queue(cofre.contadorId, 199);
    assert.equal(await pressure.motivo(cofre.contadorId), null);
    await queue(cofre.contadorId, 1);
    assert.equal(await pressure.motivo(cofre.contadorId), 'fila');
    assert.equal(await pressure.motivo(other), null, 'who has nothing in the queue goes on');
    await queue(other, 2);
    assert.equal(await pressure.motivo(other), 'fila', 'a hundredth of it is its own');
    const third = await cofre.db.write
      .insertInto('contador')
      .values({ codigo_crm: '000009', nome: 'n', email: 'e', criado_em: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    assert.equal(await pressure.motivo(third.id), null);
    await queue(cofre.contadorId, 198);
    assert.equal(await pressure.motivo(third.id), 'fila');
    await assert.rejects(pressure.admitir(third.id), { codigo: 'indisponivel', status: 503 });
    await cofre.db.write.updateTable('job').set({ estado: 'feito' }).execute();
    assert.equal(await pressure.motivo(third.id), 'fila', 'what it knows is up to a second old');
    agora += 1_000;
    assert.equal(await pressure.motivo(third.id), null, 'without a restart');
  });

  it('counts the jobs of all offices, also when one of them asks', async () => {
    const pressure = open({ MALOTE_FILA_MAXIMA: '100' });
    await queue(cofre.contadorId, 200);
    const asking = { ...newScope(), tenant: String(other) };
    assert.equal(await runInScope(asking, () => pressure.motivo(other)), 'fila');
  });

  it('puts uploads off while the disk is nearly full, by the reserve or by a tenth of a small disk', async () => {
    const pressure = open({ MALOTE_DISCO_MINIMO: '500' });
    const at = async (free: number, total: number) => {
      disk = { free, total };
      agora += 1_000;
      return pressure.motivo(1);
    };
    assert.equal(await at(499_000_000, 100 * GB), 'disco');
    assert.equal(await at(501_000_000, 100 * GB), null);
    assert.equal(await at(10_000_000, 64_000_000), null, 'the reserve is never all of a small disk');
    assert.equal(await at(6_000_000, 64_000_000), 'disco');
    assert.equal(await at(0, 64_000_000), 'disco');
  });

  it('looks once a second, however many ask', async () => {
    const pressure = open({});
    await Promise.all(Array.from({ length: 100 }, () => pressure.motivo(1)));
    for (let n = 0; n < 10; n++) await pressure.motivo(1);
    assert.equal(looks, 1);
    agora += 1_000;
    await Promise.all(Array.from({ length: 100 }, () => pressure.motivo(1)));
    assert.equal(looks, 2);
  });

  it('can be switched off', async () => {
    const pressure = open({ MALOTE_FILA_MAXIMA: '0', MALOTE_DISCO_MINIMO: '0' });
    await queue(cofre.contadorId, 3);
    disk = { free: 0, total: GB };
    assert.equal(await pressure.motivo(cofre.contadorId), null);
  });
});
