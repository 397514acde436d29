import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoDeTeste, openBancoDeTeste } from '../contas/banco-de-teste.ts';
import { HORA_MS } from './decidir.ts';
import { Relogio } from './relogio.ts';

const T0 = Date.UTC(2026, 10, 29, 12);
const MINUTO = 60_000;

describe('the steady clock', () => {
  let banco: BancoDeTeste;
  let parede = T0;
  let corrido = 1_000;
  beforeEach(async () => {
    banco = await openBancoDeTeste();
    [parede, corrido] = [T0, 1_000];
  });
  afterEach(() => banco.close());

  const open = (partida: string) =>
    Relogio.open({ db: banco.db, clock: { now: () => parede } }, { partida, corrido: () => corrido });

  it('goes on as the machine runs, whatever becomes of the wall clock, also in a process that starts later', async () => {
    const first = await open('a');
    assert.equal(first.agora(), T0);
    parede += 7 * HORA_MS;
    corrido += MINUTO;
    assert.equal(first.agora(), T0 + MINUTO);
    const second = await open('a');
    assert.equal(second.agora(), T0 + MINUTO);
    assert.equal(second.naParede(second.agora() + 1), parede + 1);
    parede -= 20 * HORA_MS;
    assert.equal((await open('a')).agora(), T0 + MINUTO);
  });

  for (const [what, moved] of [
    ['stands a day ahead', 24 * HORA_MS],
    ['stands three hours ahead', 3 * HORA_MS],
    ['stands years behind', -9_000 * HORA_MS],
    ['is right', 2 * MINUTO],
  ] as const) {
    it(`leaves an hour as long as it was when the machine was started again and its wall clock ${what}`, async () => {
      const first = await open('a');
      corrido += 10 * MINUTO;
      const due = first.agora() + HORA_MS;
      await first.anotar();
      parede += moved;
      corrido = 40_000;
      const second = await open('b');
      assert.equal(due - second.agora(), HORA_MS);
      corrido += HORA_MS;
      assert.equal(second.agora(), due);
      assert.equal((await open('b')).agora(), due);
    });
  }

  it('of a machine that joins is never ahead of the others, however long it has run', async () => {
    const first = await open('a');
    corrido += 10 * MINUTO;
    await first.anotar();
    const noted = first.agora();
    corrido = 72 * HORA_MS;
    assert.equal((await open('b')).agora(), noted);
  });

  it('is never noted backwards', async () => {
    const first = await open('a');
    corrido += MINUTO;
    await first.anotar();
    corrido -= 30_000;
    await first.anotar();
    assert.equal((await open('b')).agora(), T0 + MINUTO);
  });
});
