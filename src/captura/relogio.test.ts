import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BancoDeTeste, openBancoDeTeste } from '../contas/banco-de-teste.ts';
import { Relogio } from './relogio.ts';

const T0 = Date.UTC(2026, 10, 29, 12);
const HORA = 3_600_000;

describe('the steady clock', () => {
  let banco: BancoDeTeste;
  let parede = T0;
  let corrido = 1_000;
  before(async () => {
    banco = await openBancoDeTeste();
  });
  after(() => banco.close());

  const open = (partida: string) =>
    Relogio.open({ db: banco.db, clock: { now: () => parede } }, { partida, corrido: () => corrido });

  it('goes on as the machine runs, whatever becomes of the wall clock, also in a process that starts later', async () => {
    const first = await open('a');
    assert.equal(first.agora(), T0);
    parede += 7 * HORA;
    corrido += 60_000;
    assert.equal(first.agora(), T0 + 60_000);
    const second = await open('a');
    assert.equal(second.agora(), T0 + 60_000);
    assert.equal(second.naParede(second.agora() + 1), parede + 1);
    parede -= 20 * HORA;
    assert.equal((await open('a')).agora(), T0 + 60_000);
  });

  it('believes the wall clock anew when the machine was started again', async () => {
    assert.equal((await open('b')).agora(), parede);
  });
});
