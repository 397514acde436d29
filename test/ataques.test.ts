/**
 * The attacks in their short form, on the engine that the run stands on. `npm run ataques` is the long one, whose figures
 * stand in docs/ataques.md.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ataque } from './ataques/ataque.ts';
import { Campo } from './ataques/campo.ts';
import { executar, type Resultado } from './ataques/executar.ts';
import { memoriaDe } from './ataques/limite.ts';
import { ATAQUES } from './ataques/lista.ts';
import { paginaDe, tabelaDe, totalDe } from './ataques/resultados.ts';
import { closeServidorComum } from './confiabilidade/servidor-postgres.ts';
import { MOTOR } from './support/motor.ts';

const SEMENTE = 'npm test';
/** It waits half a minute until nobody asks for anything: others go on meanwhile. */
const QUE_ESPERA = 'copias';
/**
 * These meet one service, one after the other: starting one for each took as long as all of them. Not those that look at its memory,
 * or at how long it takes for a document. Who reads the whole feed comes first.
 */
const EM_COMUM = [
  ...['falsos', 'direitos', 'senhas', 'caminhos', 'envios-lentos', 'vistas'],
  ...['nomes-longos', 'caminhos-longos', 'autorizados'],
];
const OPCOES = { motor: MOTOR, curto: true, semente: SEMENTE, aoAvancar: () => {} };

function attack(ataque: Ataque, campo?: () => Campo): void {
  it(`${ataque.nome}: ${ataque.titulo}`, async (context) => {
    const resultado = await executar(ataque, campo ? { ...OPCOES, campo: campo() } : OPCOES);
    if (resultado.pulado !== null) return context.skip(resultado.pulado);
    context.diagnostic(`${resultado.feito}: ${resultado.medido}`);
    assert.deepEqual(resultado.faltas, []);
  });
}

describe('attacks: one file, one token or one stranger takes nobody down and displaces nothing', {
  concurrency: 2,
}, () => {
  const here = ATAQUES.filter(({ motores, motoresCurtos }) => (motoresCurtos ?? motores).includes(MOTOR));
  const together = EM_COMUM.flatMap((nome) => here.filter((ataque) => ataque.nome === nome));
  describe('that wait', { concurrency: 1 }, () => {
    for (const ataque of here) if (ataque.nome === QUE_ESPERA) attack(ataque);
  });
  describe('that press', { concurrency: 1 }, () => {
    for (const ataque of here) if (ataque.nome !== QUE_ESPERA && !together.includes(ataque)) attack(ataque);
    describe('one after the other', { concurrency: 1 }, () => {
      let campo: Campo | null = null;
      before(async () => {
        if (together.length > 0) campo = await Campo.abrir({ ...OPCOES, comServidorProprio: false });
      });
      after(() => campo?.[Symbol.asyncDispose]());
      for (const ataque of together) attack(ataque, () => campo ?? assert.fail('no field'));
    });
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
