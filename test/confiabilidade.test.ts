/**
 * The crash campaign in its short form, on the engine that the run stands on. `npm run confiabilidade` is the long one, whose figures stand
 * in docs/confiabilidade.md.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Pulado } from './confiabilidade/cenario.ts';
import { CENARIOS } from './confiabilidade/lista.ts';
import { type Linha, paginaDe } from './confiabilidade/resultados.ts';
import { closeServidorComum } from './confiabilidade/servidor-postgres.ts';
import { MOTOR } from './support/motor.ts';

const SEMENTE = 'npm test';
/** Kills are a number of the long form; the short one has its own. */
const QUEDAS = 0;

describe('reliability: nothing acknowledged is lost, doubled, missed or shown to others', () => {
  after(closeServidorComum);
  for (const cenario of CENARIOS) {
    const motores = cenario.motoresCurtos ?? cenario.motores;
    for (const motor of motores.filter((one) => one === MOTOR)) {
      it(`${cenario.id} ${motor}: ${cenario.titulo}`, async (context) => {
        const contexto = { motor, curta: true, semente: SEMENTE, quedas: QUEDAS, aoAvancar: () => {} };
        try {
          const { feito, medido, violacoes } = await cenario.rodar(contexto);
          context.diagnostic(`${feito}: ${medido}`);
          assert.deepEqual(violacoes, []);
        } catch (error) {
          if (!(error instanceof Pulado)) throw error;
          context.skip(error.message);
        }
      });
    }
  }
});

describe('the page of the campaign', () => {
  const linha: Linha = {
    id: 'R01',
    motor: 'sqlite',
    titulo: 'kill -9',
    forma: 'longa',
    semente: 's',
    feito: '300 kill -9',
    medido: '1 | 2',
    violacoes: [],
    pulado: null,
    segundos: 9,
    dia: '2026-11-21',
    commit: 'abc',
    maquina: 'uma máquina',
  };

  it('says what was run, where and with what result, and nothing of its own', () => {
    const page = paginaDe([linha]);
    assert.match(
      page,
      /\| R01 \| kill -9 \| SQLite \| 300 kill -9 \| 1 \/ 2 \| passa \| 0 \| 2026-11-21 \| `abc` \| longa \|/,
    );
    assert.match(page, /Máquina: uma máquina\./);
    assert.doesNotMatch(page, /## Violações/);
  });

  it('shows violations, and why a row was left out', () => {
    const violacoes = [{ regra: 'I2', detalhe: 'x falta em y' }];
    const page = paginaDe([
      { ...linha, violacoes },
      { ...linha, id: 'R07', pulado: 'sem root' },
    ]);
    assert.match(page, /\| 1 violações \| 1 \|/);
    assert.match(page, /- R01 SQLite, I2: x falta em y/);
    assert.match(page, /\| pulado: sem root \| – \|/);
  });
});
