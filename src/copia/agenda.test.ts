import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../test/support/bancos.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/http/log.ts';
import { AgendaDeCopias, askForCopia, estadoDaAgenda, nomeDaCopia, proximaEm, rotate } from './agenda.ts';
import { ErroDeCopia } from './erros.ts';

const as = (text: string) => Date.parse(`${text}-03:00`);
const DAY_MS = 86_400_000;

let banco: BancoAberto;
let pasta: string;
let agora: number;
beforeEach(async () => {
  banco = await openBanco();
  pasta = mkdtempSync(join(tmpdir(), 'malote-agenda-'));
  agora = as('2026-11-29T12:00:00');
});
afterEach(async () => {
  await banco.close();
  rmSync(pasta, { recursive: true });
});

const deps = (env: Record<string, string> = {}) => ({
  config: readConfig({ MALOTE_COPIA_PASTA: pasta, MALOTE_COPIA_GUARDAR: '2', ...env }),
  clock: { now: () => agora },
  db: banco.db,
  log: createLogger('silent'),
});

/** A schedule of a process whose backups are empty files. */
function agenda(feitas: string[] = [], made = deps()): AgendaDeCopias {
  return new AgendaDeCopias(made, {
    backup: async ({ para }) => {
      writeFileSync(para, '');
      feitas.push(basename(para));
      return { aviso: null };
    },
  });
}

describe('when a backup is due', () => {
  it('is told by clocks in Brasília, today or tomorrow', () => {
    assert.equal(proximaEm('02:30', as('2026-11-29T01:00:00')), as('2026-11-29T02:30:00'));
    assert.equal(proximaEm('02:30', as('2026-11-29T02:30:00')), as('2026-11-30T02:30:00'));
    assert.equal(proximaEm('23:59', as('2026-11-29T12:00:00')), as('2026-11-29T23:59:00'));
    assert.equal(nomeDaCopia(as('2026-11-29T02:30:05')), 'malote-2026-11-29-023005.tar');
  });

  it('nothing is made before, one then, also when the service was away at that hour', async () => {
    const feitas: string[] = [];
    await agenda(feitas).wake();
    assert.deepEqual(feitas, [], 'the first start makes none');
    agora = as('2026-11-30T09:00:00');
    await agenda(feitas).wake();
    await agenda(feitas).wake();
    assert.deepEqual(feitas, ['malote-2026-11-30-090000.tar']);
    const { ultima, proximaEm: proxima, fazendo } = await estadoDaAgenda(deps());
    assert.deepEqual(
      [ultima, proxima, fazendo],
      [{ em: agora, erro: null }, as('2026-12-01T02:30:00'), false],
    );
  });

  it('another hour counts from now on', async () => {
    const feitas: string[] = [];
    await agenda(feitas).wake();
    await agenda(feitas, deps({ MALOTE_COPIA_HORA: '13:00' })).wake();
    assert.deepEqual(feitas, []);
    agora = as('2026-11-29T13:00:00');
    await agenda(feitas, deps({ MALOTE_COPIA_HORA: '13:00' })).wake();
    assert.equal(feitas.length, 1);
  });

  it('somebody who asks gets one at once', async () => {
    const feitas: string[] = [];
    const um = agenda(feitas);
    await um.wake();
    await askForCopia(deps());
    assert.equal((await estadoDaAgenda(deps())).fazendo, true);
    await um.wake();
    await um.wake();
    assert.equal(feitas.length, 1);
  });
});

describe('of several processes', () => {
  it('one makes it; when that is not heard of any more, another one does', async () => {
    await agenda().wake();
    agora += DAY_MS;
    const feitas: string[] = [];
    const hanging = Promise.withResolvers<{ aviso: null }>();
    const begun = Promise.withResolvers<void>();
    const dead = new AgendaDeCopias(deps(), {
      backup: () => {
        begun.resolve();
        return hanging.promise;
      },
    });
    const turn = dead.wake();
    await begun.promise;
    await askForCopia(deps());
    await agenda(feitas).wake();
    assert.deepEqual(feitas, [], 'another one is at it');
    agora += 2 * 60_000;
    await agenda(feitas).wake();
    assert.equal(feitas.length, 1);
    hanging.resolve({ aviso: null });
    await turn;
    assert.equal((await estadoDaAgenda(deps())).ultima?.em, agora);
  });
});

describe('what stays in the folder', () => {
  it('are the newest of the schedule’s own, and everything that is not its own', async () => {
    for (const name of [
      'malote-2026-11-01-023000.tar',
      'malote-2026-11-02-023000.tar',
      'malote-2026-11-03-023000.tar',
      'malote-2026-11-21.tar',
      'notas.tar',
    ])
      writeFileSync(join(pasta, name), '');
    assert.deepEqual(await rotate(pasta, 2), ['malote-2026-11-01-023000.tar']);
    assert.deepEqual(readdirSync(pasta).sort(), [
      'malote-2026-11-02-023000.tar',
      'malote-2026-11-03-023000.tar',
      'malote-2026-11-21.tar',
      'notas.tar',
    ]);
  });

  it('one that fails takes none away, leaves nothing half done behind, and says why', async () => {
    await agenda().wake();
    for (const name of [
      'malote-2026-11-01-023000.tar',
      'malote-2026-11-02-023000.tar',
      'malote-2026-11-03-023000.tar',
    ])
      writeFileSync(join(pasta, name), '');
    writeFileSync(join(pasta, 'malote-2026-11-04-023000.tar.parcial'), '');
    agora += DAY_MS;
    for (const [error, expected] of [
      [new ErroDeCopia('enospc', 'O disco está cheio: /copias'), 'O disco está cheio: /copias'],
      [Object.assign(new Error('x'), { code: 'EACCES' }), /MALOTE_COPIA_PASTA/],
    ] as const) {
      await askForCopia(deps());
      await new AgendaDeCopias(deps(), { backup: async () => Promise.reject(error) }).wake();
      assert.match((await estadoDaAgenda(deps())).ultima?.erro ?? '', new RegExp(expected));
    }
    assert.equal(readdirSync(pasta).length, 3);
  });

  it('is told when there is no room for another one, before anything is written', async () => {
    await banco.db.write
      .insertInto('copia_de_seguranca')
      .values({
        criada_em: 1,
        concluida_em: 1,
        destino: 'x',
        bytes: 2 ** 52,
        documentos: 0,
        arquivos: 0,
        faltas: 0,
        com_chave: 0,
        manifesto: '',
      })
      .execute();
    const feitas: string[] = [];
    const um = agenda(feitas);
    await um.wake();
    await askForCopia(deps());
    await um.wake();
    assert.deepEqual(feitas, []);
    assert.match((await estadoDaAgenda(deps())).ultima?.erro ?? '', /Não há espaço.*MALOTE_COPIA_GUARDAR/);
  });
});

describe('without a folder', () => {
  it('nothing is begun, and it is told to be off', async () => {
    const off = deps({ MALOTE_COPIA_PASTA: '' });
    const feitas: string[] = [];
    const um = agenda(feitas, off);
    um.start();
    await um.stop();
    assert.deepEqual([feitas, (await estadoDaAgenda(off)).ligada], [[], false]);
  });
});
