import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Intervalo } from './preparador.ts';
import { Vigia } from './vigia.ts';

const ORIGIN = 'https://notas.exemplo';

/** What the watcher is given: feeds of a thousand entries each, and a list of what it has prepared. */
function watcher() {
  const prepared: string[] = [];
  const comGrupos: boolean[] = [];
  const state = { idle: true };
  const vigia = new Vigia({
    log: { debug: () => {} } as never,
    vigencias: { ask: async () => ({ feed: { ultimoNsu: 1_000, revisao: 1 }, tokenVive: true }) },
    preparador: {
      get idle() {
        return state.idle;
      },
      trechos: async ({ clienteId, de, ate, variante, ...intervalo }: Intervalo) => {
        prepared.push(`${clienteId} ${de}-${ate} ${variante.origin}`);
        comGrupos.push(intervalo.comGrupos);
        return [];
      },
      segmentos: async () => new Map(),
    },
  });
  return { vigia, prepared, comGrupos, state };
}

describe('feeds that somebody has read', () => {
  const variante = { origin: ORIGIN, comFinalidade: false };

  test('are prepared compressed too for who once took them so, and only for these', async () => {
    const { vigia, prepared, comGrupos } = watcher();
    const leitura = { contadorId: 1, variante, comXml: false, ate: 990 };
    vigia.lido({ ...leitura, clienteId: 1, comGrupos: true });
    vigia.lido({ ...leitura, clienteId: 1, comXml: true, comGrupos: false });
    vigia.lido({ ...leitura, clienteId: 2, comGrupos: false });
    await vigia.look();
    assert.deepEqual(prepared, [`2 991-1000 ${ORIGIN}`, `1 991-1000 ${ORIGIN}`]);
    assert.deepEqual(comGrupos, [false, true]);
  });

  test('wait while somebody waits for a page, and come later, once', async () => {
    const { vigia, prepared, state } = watcher();
    vigia.lido({ contadorId: 1, clienteId: 1, variante, comXml: true, comGrupos: true, ate: 990 });
    state.idle = false;
    await vigia.look();
    assert.deepEqual(prepared, []);
    state.idle = true;
    await vigia.look();
    await vigia.look();
    assert.deepEqual(prepared, [`1 991-1000 ${ORIGIN}`]);
  });
});
