/**
 * The attacks in their short form, on the engine that the run stands on. `npm run ataques` is the long one, whose figures
 * stand in docs/ataques.md.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Ataque } from './ataques/ataque.ts';
import { executar, type Resultado } from './ataques/executar.ts';
import { memoriaDe } from './ataques/limite.ts';
import { ATAQUES } from './ataques/lista.ts';
import { paginaDe, tabelaDe, totalDe } from './ataques/resultados.ts';
import { closeServidorComum } from './confiabilidade/servidor-postgres.ts';
import { MOTOR } from './support/motor.ts';

const SEMENTE = 'npm test';
/** It waits half a minute until nobody asks for anything: others go on meanwhile. */
const QUE_ESPERA = 'copias';

function attack(ataque: Ataque): void {
  it(`${ataque.nome}: ${ataque.titulo}`, async (context) => {
    const resultado = await executar(ataque, {
      motor: MOTOR,
      curto: true,
      semente: SEMENTE,
      aoAvancar: () => {},
    });
    if (resultado.pulado !== null) return context.skip(resultado.pulado);
    context.diagnostic(`${resultado.feito}: ${resultado.medido}`);
    assert.deepEqual(resultado.faltas, []);
  });
}

describe('attacks: one file, one token or one stranger takes nobody down and displaces nothing', {
  concurrency: 2,
}, () => {
  const here = ATAQUES.filter(({ motores, motoresCurtos }) => (motoresCurtos ?? motores).includes(MOTOR));
  describe('that wait', { concurrency: 1 }, () => {
    here.filter(({ nome }) => nome === QUE_ESPERA).forEach(attack);
  });
  describe('that press', { concurrency: 1 }, () => {
    here.filter(({ nome }) => nome !== QUE_ESPERA).forEach(attack);
  });
  after(closeServidorComum);
});

describe('what is told of the attacks', () => {
  const resultado: Resultado = {
    nome: 'copias',
    titulo: 'um zip | grande',
    motor: 'sqlite',
    pulado: null,
    feito: '3 cópias',
    medido: 'nada',
    caiu: 0,
    piorEsperaMs: 1_240,
    picoBytes: 300_000_000,
    semDono: 0,
    substituidas: 0,
    faltas: [],
    segundos: 9,
  };
  const caido = {
    ...resultado,
    caiu: 2,
    piorEsperaMs: 61_000,
    semDono: 1,
    substituidas: 3,
    faltas: ['caiu'],
  };
  const pulado = { ...resultado, motor: 'postgres' as const, pulado: 'não há PostgreSQL' };

  it('is the sum of what was run, and the worst of the waits', () => {
    const total = totalDe([resultado, caido, pulado]);
    assert.deepEqual(Object.entries(total), [
      ['ataques', 2],
      ['caiu', 2],
      ['pior_espera_de_outros_s', 61],
      ['sem_dono', 1],
      ['substituidas', 3],
    ]);
  });

  it('is a page with a row for each, and the faults below', () => {
    const page = paginaDe([resultado, caido, pulado], { semente: 's' });
    assert.match(
      page,
      /\| `copias` \| um zip \/ grande \| SQLite \| 3 cópias \| nada \| 0 \| 1,2 s \| 300 MB \| 0 \| 0 \| resiste \| 9 s \|/,
    );
    assert.match(page, /## Faltas\n\n- `copias`, SQLite: caiu\n/);
    assert.match(page, /pulado: não há PostgreSQL/);
    assert.doesNotMatch(paginaDe([resultado], { semente: 's' }), /## Faltas/);
  });

  it('is a table whose columns stand below each other', () => {
    const [head = '', first = ''] = tabelaDe([resultado, caido]).split('\n');
    assert.equal(head.indexOf('caiu'), first.indexOf('0 '));
    assert.ok(first.endsWith('resiste'));
  });

  it('counts the memory of a process that is there, and none of one that is not', () => {
    assert.ok(memoriaDe(process.pid) > 10_000_000);
    assert.equal(memoriaDe(2 ** 22 + 1), 0);
  });
});
