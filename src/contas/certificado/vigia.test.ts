import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { observado } from '../../../test/support/consultas.ts';
import { type BancoDeTeste, openBancoDeTeste } from '../banco-de-teste.ts';
import { registerCliente } from '../clientes.ts';
import { createContador } from '../contadores.ts';
import { keepA1 } from './a1-de-teste.ts';
import { diasRestantes, listCertificados, medidasDeCertificados, VigiaDeCertificados } from './vigia.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

let banco: BancoDeTeste;
let agora: number;
const clock = { now: () => agora };
let warned: { dias: number; cpfCnpj: string; codigoCrm: string; texto: string }[];
const log = {
  warn(fields: { diasRestantes: number; cpfCnpj: string; codigoCrm: string }, texto: string) {
    const { diasRestantes: dias, cpfCnpj, codigoCrm } = fields;
    warned.push({ dias, cpfCnpj, codigoCrm, texto });
  },
};
const vigia = () => new VigiaDeCertificados({ db: banco.db, clock, log } as never);
const daysWarned = () => warned.map(({ dias }) => dias);

beforeEach(async () => {
  banco = await openBancoDeTeste();
  agora = START;
  warned = [];
  await createContador({ db: banco.db, clock }, { codigoCrm: '1', nome: 'Um', email: 'a@b.co' });
});
afterEach(() => banco.close());

/** A client whose certificate ends so many days, and an hour, after the start. */
async function cliente(cpfCnpj: string, dias: number): Promise<void> {
  const { id } = await registerCliente(
    { db: banco.db, clock },
    { contadorId: 1, cpfCnpj, nome: `Cliente ${dias}`, email: 'a@b.co', aoRegistrar: async () => {} },
  );
  const certificado = {
    chave: Buffer.from('chave'),
    cadeia: [Buffer.from('certificado')],
    titular: null,
    titularNome: null,
    serie: '01',
    impressao: 'ab',
    validoDe: START - DAY_MS,
    validoAte: START + dias * DAY_MS + 3_600_000,
  };
  await keepA1(banco.db, banco.vault, { contadorId: 1, clienteId: id, certificado, agora });
}

describe('days left', () => {
  const dias = (validoAte: string, agora: string) => diasRestantes(Date.parse(validoAte), Date.parse(agora));

  it('are counted by the calendar of São Paulo, whatever the time of the day', () => {
    const fim = '2026-11-27T09:00:00-03:00';
    assert.equal(dias(fim, '2026-11-26T00:00:00-03:00'), 1);
    assert.equal(dias(fim, '2026-11-26T23:59:59-03:00'), 1, 'ends tomorrow, though in less than 24 hours');
    assert.equal(dias(fim, '2026-11-27T00:00:00-03:00'), 0);
    assert.equal(dias(fim, '2026-09-28T23:00:00-03:00'), 60);
    assert.equal(dias('2026-11-27T01:00:00Z', '2026-11-26T12:00:00Z'), 0, 'still the 26th there');
  });

  it('are negative as soon as it has run out', () => {
    const fim = '2026-11-27T09:00:00-03:00';
    assert.equal(dias(fim, '2026-11-27T09:00:00-03:00'), 0);
    assert.equal(dias(fim, '2026-11-27T09:00:01-03:00'), -1);
    assert.equal(dias(fim, '2026-11-28T23:00:00-03:00'), -1);
    assert.equal(dias(fim, '2026-11-29T00:00:00-03:00'), -2);
  });
});

describe('the watch over certificates', () => {
  it('notes all that it warns of at once, however many clients an office has', async () => {
    const cnpjs = ['11222333000181', '11444777000161', '52998224725'];
    for (const cpfCnpj of cnpjs) await cliente(cpfCnpj, 20);
    const { db: write, consultas } = observado(banco.db.write);
    const db = { ...banco.db, write };
    await new VigiaDeCertificados({ db, clock, log } as never).check();
    assert.deepEqual(warned.map(({ cpfCnpj }) => cpfCnpj).sort(), [...cnpjs].sort());
    assert.equal(consultas.length, 1);
  });

  it('warns at 60, 30, 15, 7 and 1 days, once each, day after day', async () => {
    await cliente('11222333000181', 70);
    for (let day = 0; day <= 75; day++) {
      agora = START + day * DAY_MS;
      await vigia().check();
      await vigia().check();
    }
    assert.deepEqual(daysWarned(), [60, 30, 15, 7, 1]);
    assert.deepEqual(warned[0], {
      dias: 60,
      cpfCnpj: '11222333000181',
      codigoCrm: '000001',
      texto: 'certificado perto de vencer',
    });
  });

  it('that was away warns of the present state once, not of every day that it missed', async () => {
    await cliente('11222333000181', 70);
    agora = START + 60 * DAY_MS;
    await vigia().check();
    assert.deepEqual(daysWarned(), [10]);
    agora = START + 80 * DAY_MS;
    await vigia().check();
    assert.deepEqual(daysWarned(), [10, -10]);
    assert.equal(warned[1]?.texto, 'certificado vencido');
  });

  it('warns on the day of the calendar, however late on that day it looks', async () => {
    await cliente('11222333000181', 8);
    agora = START + 2 * 3_600_000; // 23:00 there
    await vigia().check();
    assert.deepEqual(daysWarned(), [8]);
    agora = START + 4 * 3_600_000; // 01:00 there
    await vigia().check();
    assert.deepEqual(daysWarned(), [8, 7]);
  });

  it('in two processes at once warns once', async () => {
    for (const [at, id] of ['11222333000181', '00000000000191', '12ABC34501DE35'].entries())
      await cliente(id, 10 + at);
    await Promise.all([vigia().check(), vigia().check()]);
    assert.deepEqual(daysWarned().sort(), [10, 11, 12]);
  });

  it('begins anew with the certificate that replaces another', async () => {
    await cliente('11222333000181', 10);
    await vigia().check();
    await banco.db.write.updateTable('certificado').set({ substituido_em: agora }).execute();
    agora = START + DAY_MS;
    await vigia().check();
    assert.deepEqual(daysWarned(), [10]);
  });
});

describe('certificates by days left', () => {
  it('are listed, the first to end first', async () => {
    await cliente('11222333000181', 200);
    await cliente('00000000000191', -3);
    await cliente('12ABC34501DE35', 5);
    const listed = await listCertificados({ db: banco.db, clock }, { contadorId: 1 });
    assert.deepEqual(
      listed.map(({ cpfCnpj, diasRestantes }) => [cpfCnpj, diasRestantes]),
      [
        ['00000000000191', -3],
        ['12ABC34501DE35', 5],
        ['11222333000181', 200],
      ],
    );
    assert.deepEqual(await listCertificados({ db: banco.db, clock }, { contadorId: 2 }), []);
    assert.doesNotMatch(JSON.stringify(listed), /chave|selad/);
  });

  it('are counted for /metrics by threshold, without a word of whose they are', async () => {
    const samples = async () =>
      (await Promise.all(medidasDeCertificados({ db: banco.db, clock }).map(({ read }) => read()))).flat();
    assert.deepEqual(
      (await samples()).map(({ value }) => value),
      [0, 0, 0, 0, 0, 0, 0],
    );
    await cliente('11222333000181', 200);
    await cliente('00000000000191', -3);
    await cliente('12ABC34501DE35', 15);
    const read = await samples();
    assert.deepEqual(
      read.map(({ value, labels }) => [labels?.dias, value]),
      [
        ['0', 1],
        ['1', 1],
        ['7', 1],
        ['15', 2],
        ['30', 2],
        ['60', 2],
        ['+Inf', 3],
        [undefined, -3],
      ],
    );
  });
});
