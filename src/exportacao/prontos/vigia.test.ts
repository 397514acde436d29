import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FeedComNovos } from './novidades.ts';
import type { Intervalo } from './preparador.ts';
import { Vigia } from './vigia.ts';

const ORIGIN = 'https://notas.exemplo';

/** What the watcher is given: feeds of a hundred entries each, and a list of what it has prepared. */
function watcher(input: { news: (FeedComNovos[] | null)[]; origin?: string }) {
  const news = input.news;
  const prepared: string[] = [];
  const comGrupos: boolean[] = [];
  const state = { goesOn: false, idle: true, afterEach: () => {} };
  const vigia = new Vigia({
    origin: input.origin ?? ORIGIN,
    log: { debug: () => {} } as never,
    vigencias: { ask: async () => ({ feed: { ultimoNsu: 1_000, revisao: 1 }, tokenVive: true }) },
    novidades: { take: async () => news.shift() ?? null, goesOn: async () => state.goesOn },
    preparador: {
      get idle() {
        return state.idle;
      },
      trechos: async ({ clienteId, de, ate, variante, ...intervalo }: Intervalo) => {
        prepared.push(`${clienteId} ${de}-${ate} ${variante.origin}`);
        comGrupos.push(intervalo.comGrupos);
        state.afterEach();
        return [];
      },
      segmentos: async () => new Map(),
    },
  });
  return { vigia, prepared, comGrupos, state };
}

describe('feeds that nobody has read', () => {
  test('are prepared where their new entries begin, with the address that is set', async () => {
    const { vigia, prepared } = watcher({
      news: [
        [
          { clienteId: 1, quantos: 50 },
          { clienteId: 2, quantos: 300 },
        ],
      ],
    });
    await vigia.look();
    assert.deepEqual(prepared, [`1 951-1000 ${ORIGIN}`, `2 701-900 ${ORIGIN}`, `2 901-1000 ${ORIGIN}`]);
    await vigia.look();
    assert.equal(prepared.length, 3);
  });

  test('wait until callers have reached the process under some address', async () => {
    const { vigia, prepared } = watcher({ news: [[{ clienteId: 1, quantos: 5 }], [], []], origin: '' });
    await vigia.look();
    assert.deepEqual(prepared, []);
    vigia.alcancado('http://outra:8080');
    await vigia.look();
    assert.deepEqual(prepared, ['1 996-1000 http://outra:8080']);
  });

  test('wait while an import goes on or somebody waits for a page, and come later', async () => {
    const { vigia, prepared, state } = watcher({ news: [[{ clienteId: 1, quantos: 5 }], [], []] });
    state.goesOn = true;
    await vigia.look();
    state.goesOn = false;
    state.idle = false;
    await vigia.look();
    assert.deepEqual(prepared, []);
    state.idle = true;
    await vigia.look();
    assert.deepEqual(prepared, [`1 996-1000 ${ORIGIN}`]);
  });

  test('that an import interrupts go on where they stood', async () => {
    const { vigia, prepared, state } = watcher({ news: [[{ clienteId: 1, quantos: 400 }], []] });
    state.afterEach = () => {
      state.goesOn = true;
    };
    await vigia.look();
    assert.deepEqual(prepared, [`1 601-800 ${ORIGIN}`]);
    state.goesOn = false;
    state.afterEach = () => {};
    await vigia.look();
    assert.deepEqual(prepared, [`1 601-800 ${ORIGIN}`, `1 801-1000 ${ORIGIN}`]);
  });

  test('are left alone where somebody has read them, whom they are prepared for anyway', async () => {
    const { vigia, prepared } = watcher({ news: [[{ clienteId: 1, quantos: 5 }]] });
    const variante = { origin: 'http://leitor', comFinalidade: false };
    vigia.lido({ clienteId: 1, variante, comXml: true, comGrupos: false, ate: 990 });
    await vigia.look();
    assert.deepEqual(prepared, ['1 991-1000 http://leitor']);
  });
});

describe('feeds that somebody has read', () => {
  const variante = { origin: ORIGIN, comFinalidade: false };

  test('are prepared compressed too for who once took them so, and only for these', async () => {
    const { vigia, prepared, comGrupos } = watcher({ news: [] });
    const leitura = { variante, comXml: false, ate: 990 };
    vigia.lido({ ...leitura, clienteId: 1, comGrupos: true });
    vigia.lido({ ...leitura, clienteId: 1, comXml: true, comGrupos: false });
    vigia.lido({ ...leitura, clienteId: 2, comGrupos: false });
    await vigia.look();
    assert.deepEqual(prepared, [`2 991-1000 ${ORIGIN}`, `1 991-1000 ${ORIGIN}`]);
    assert.deepEqual(comGrupos, [false, true]);
  });
});
