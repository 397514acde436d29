import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../deps.ts';
import type { PecaLida } from '../documentos/tipos.ts';
import { ESPECIE } from '../fiscal/tipos.ts';
import { systemClock } from '../platform/clock.ts';
import { ensaiar } from './ensaio.ts';
import { countingReader } from './ensaio-testing.ts';
import { entradasDe } from './entradas.ts';
import type { Leitor } from './leitores.ts';

const DEPS = {
  clock: systemClock,
  databaseUrl: '',
  ocupado: () => false,
  atendendo: () => false,
  parou: () => false,
  rodadas: 3,
};

type Linha = { campos: Record<string, unknown>; texto: string };

function logInto(linhas: Linha[]): Pick<Logger, 'debug'> {
  const debug = (campos: Record<string, unknown>, texto: string) => void linhas.push({ campos, texto });
  return { debug } as unknown as Logger;
}

const NOTAS: readonly string[] = [ESPECIE.nfe, ESPECIE.nfce];

describe('rehearsed imports', () => {
  it('read and store the samples, every one valid and intact, and say so once', async () => {
    const [lidas, linhas]: [PecaLida[], Linha[]] = [[], []];
    const leitor = countingReader(lidas);
    await ensaiar({ ...DEPS, leitor, log: logInto(linhas) });
    assert.deepEqual(
      linhas.map(({ texto }) => texto),
      ['imports were rehearsed'],
    );
    const zip = new Uint8Array(readFileSync(new URL('../../amostras/importacao.zip', import.meta.url)));
    const especies = new Set<string>();
    let entradas = 0;
    for await (const _ of entradasDe({ bytes: zip, prontas: 0 })) entradas++;
    assert.ok(entradas > 50);
    assert.equal(lidas.length % entradas, 0);
    assert.ok(lidas.length / entradas >= Number(linhas[0]?.campos.rodadas));
    for (const peca of lidas) {
      assert.equal(peca.kind, 'registro');
      if (peca.kind !== 'registro') continue;
      especies.add(peca.registro.especie);
      if (peca.registro.classe !== 'documento') continue;
      // Of NFS-e some systems sign nothing; schemas come with the program for notes alone.
      if (peca.registro.especie !== ESPECIE.nfse)
        assert.equal(peca.assinatura.resultado, 'integra', peca.caminho);
      if (NOTAS.includes(peca.registro.especie)) assert.equal(peca.esquema.resultado, 'valido', peca.caminho);
    }
    const { cte, nfse, cfe, evento, inutilizacao } = ESPECIE;
    for (const especie of [...NOTAS, cte, nfse, cfe, evento, inutilizacao])
      assert.ok(especies.has(especie), especie);
  });

  it('wait while there are real files, and give way to one that comes', async () => {
    const [lidas, linhas]: [PecaLida[], Linha[]] = [[], []];
    const leitor = countingReader(lidas);
    let busy = true;
    const rehearsal = ensaiar({ ...DEPS, leitor, log: logInto(linhas), ocupado: () => busy });
    await sleep(800);
    assert.equal(lidas.length, 0);
    busy = false;
    while (lidas.length === 0) await sleep(5);
    busy = true;
    await sleep(500);
    const before = lidas.length;
    await sleep(300);
    assert.equal(lidas.length, before);
    busy = false;
    await rehearsal;
    assert.ok(lidas.length > before);
    assert.equal(linhas[0]?.texto, 'imports were rehearsed');
  });

  it('give way to who reads pages, and are done again when nobody does', async () => {
    const [lidas, linhas]: [PecaLida[], Linha[]] = [[], []];
    const leitor = countingReader(lidas);
    let reading = false;
    const rehearsal = ensaiar({
      ...DEPS,
      leitor,
      log: logInto(linhas),
      atendendo: () => reading,
      rodadas: 2,
    });
    while (lidas.length === 0) await sleep(5);
    reading = true;
    await sleep(300);
    reading = false;
    await rehearsal;
    assert.ok(Number(linhas[0]?.campos.rodadas) > 2);
  });

  it('are given up some time where pages are read all the time', async () => {
    const [lidas, linhas]: [PecaLida[], Linha[]] = [[], []];
    const leitor = countingReader(lidas);
    await ensaiar({ ...DEPS, leitor, log: logInto(linhas), atendendo: () => true, rodadas: 1 });
    assert.equal(linhas[0]?.campos.rodadas, 2);
  });

  it('end with the thread', async () => {
    const [lidas, linhas]: [PecaLida[], Linha[]] = [[], []];
    const leitor = countingReader(lidas);
    await ensaiar({ ...DEPS, leitor, log: logInto(linhas), parou: () => lidas.length > 0 });
    assert.equal(linhas[0]?.campos.rodadas, 1);
  });

  it('are rehearsed in memory where PostgreSQL cannot be had', async () => {
    const [lidas, linhas]: [PecaLida[], Linha[]] = [[], []];
    const deps = { ...DEPS, leitor: countingReader(lidas), log: logInto(linhas), rodadas: 1 };
    await ensaiar({ ...deps, databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' });
    assert.deepEqual(
      linhas.map(({ texto }) => texto),
      ['imports are not rehearsed on PostgreSQL', 'imports were rehearsed'],
    );
    assert.ok(lidas.length > 0);
  });

  it('never fail: what is broken is for those to be told who send a file', async () => {
    const linhas: Linha[] = [];
    const broken: Leitor = {
      atOnce: 1,
      read: () => Promise.reject(new Error('no reader can start')),
      close: async () => {},
    };
    await ensaiar({ ...DEPS, leitor: broken, log: logInto(linhas) });
    assert.equal(linhas.length, 1);
  });
});
