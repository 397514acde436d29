import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import type { Logger } from '../../deps.ts';
import { formatOwner, machineHere } from '../../platform/jobs/owner.ts';
import { LEASE_MS, LeaseWatch } from '../../platform/jobs/takeover.ts';
import { VidaDasExportacoes } from './vida.ts';

const AGORA = Date.UTC(2026, 10, 21);
const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) } as unknown as Logger;

describe('which exports are still being made', () => {
  let banco: BancoAberto;
  let monotonic = 0;
  beforeEach(async () => {
    banco = await openBanco();
    await banco.db.write
      .insertInto('contador')
      .values({ codigo_crm: '000001', nome: 'n', email: 'e', criado_em: AGORA })
      .execute();
  });
  afterEach(() => banco.close());

  function processo(minhas: string[] = []) {
    const seen = { perdidas: [] as string[], interrompidas: [] as string[] };
    const vida = new VidaDasExportacoes(
      { db: banco.db, clock: { now: () => AGORA }, log },
      {
        minhas: () => minhas,
        onPerdida: (id) => seen.perdidas.push(id),
        onInterrompida: async (id) => {
          seen.interrompidas.push(id);
        },
        watch: new LeaseWatch(() => monotonic),
      },
    );
    return { vida, ...seen };
  }
  async function exportacao(processo: string): Promise<string> {
    const id = randomUUID();
    const { id: contador_id } = await banco.db.read
      .selectFrom('contador')
      .select('id')
      .executeTakeFirstOrThrow();
    await banco.db.write
      .insertInto('exportacao')
      .values({
        id,
        contador_id,
        usuario_id: 1,
        cliente_id: null,
        tipo: 'csv',
        pedido: '{}',
        estado: 'em_andamento',
        processo,
        total: null,
        bytes: null,
        erro: null,
        criado_em: AGORA,
        fim_em: null,
        expira_em: AGORA + 1,
      })
      .execute();
    return id;
  }
  const estadoDe = async (id: string) =>
    (
      await banco.db.read
        .selectFrom('exportacao')
        .select('estado')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).estado;

  it('those of a dead process of this machine are interrupted at once, those of a living one are not', async () => {
    const owner = { host: machineHere(), processRun: 'a', threadRun: 'exportacoes' };
    const dead = await exportacao(formatOwner({ ...owner, pid: 0x3fff_fff0 }));
    const living = await exportacao(formatOwner({ ...owner, pid: process.ppid }));
    const { vida, interrompidas } = processo();
    await vida.look();
    assert.deepEqual([await estadoDe(dead), await estadoDe(living)], ['interrompida', 'em_andamento']);
    assert.deepEqual(interrompidas, [dead]);
  });

  it('those of another machine are interrupted when its signs of life have stopped, and no sooner', async () => {
    const elsewhere = (host: string) =>
      exportacao(formatOwner({ host, pid: 1, processRun: 'b', threadRun: 'exportacoes' }));
    const [silent, counting] = [await elsewhere('silenciosa'), await elsewhere('viva')];
    const { vida } = processo();
    for (const at of [0, LEASE_MS / 2, LEASE_MS - 1]) {
      monotonic = at;
      await vida.look();
      assert.deepEqual([await estadoDe(silent), await estadoDe(counting)], ['em_andamento', 'em_andamento']);
      await banco.db.write
        .updateTable('exportacao')
        .set((eb) => ({ batida: eb('batida', '+', 1) }))
        .where('id', '=', counting)
        .execute();
    }
    monotonic = LEASE_MS;
    await vida.look();
    assert.deepEqual([await estadoDe(silent), await estadoDe(counting)], ['interrompida', 'em_andamento']);
  });

  it('a process shows that it lives, and learns what is no longer its own', async () => {
    const minhas: string[] = [];
    const { vida, perdidas } = processo(minhas);
    const [kept, cancelled] = [await exportacao(vida.processo), await exportacao(vida.processo)];
    minhas.push(kept, cancelled);
    await banco.db.write.deleteFrom('exportacao').where('id', '=', cancelled).execute();
    await vida.look();
    assert.deepEqual(perdidas, [cancelled]);
    const row = await banco.db.read
      .selectFrom('exportacao')
      .select('batida')
      .where('id', '=', kept)
      .executeTakeFirstOrThrow();
    assert.equal(row.batida, 1);
    await vida.stop();
    assert.equal(await estadoDe(kept), 'interrompida');
  });
});
