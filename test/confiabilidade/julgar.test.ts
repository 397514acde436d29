/** A checker that cannot fail proves nothing: each fault is put into a sound journal and must be found. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fato } from './diario.ts';
import { julgar } from './julgar.ts';

const ESCOPO = '000001/11222333000181';
const ALHEIO = '000002/11222333000181';
const TERMINOU = 5_000;

function doc(identidade: string, escopos: string[] = [ESCOPO]) {
  return { identidade, sha256: `sha-${identidade}`, escopos };
}

function entrada(nsu: number, identidade: string) {
  return { nsu, identidade, sha256: `sha-${identidade}` };
}

/** Two files, three documents, one poller, all well. */
function sadio(): Fato[] {
  const entradas = [entrada(1, 'a'), entrada(2, 'b'), entrada(3, 'c')];
  return [
    { fato: 'arquivo', nome: 'um', crm: '000001', sha256: 's1', documentos: [doc('a'), doc('b')] },
    { fato: 'arquivo', nome: 'dois', crm: '000001', sha256: 's2', documentos: [doc('c')] },
    { fato: 'ticket', id: 'i1', arquivo: 'um' },
    { fato: 'ticket', id: 'i2', arquivo: 'dois' },
    { fato: 'aceito', id: 'i1', em: 1_000 },
    { fato: 'aceito', id: 'i2', em: 1_100 },
    { fato: 'no_ar', em: 2_000, levouMs: 700 },
    { fato: 'status', id: 'i1', status: 'Em Processamento', em: 2_500, quem: 'v' },
    { fato: 'status', id: 'i1', status: 'Uploaded', em: TERMINOU, quem: 'v' },
    { fato: 'status', id: 'i2', status: 'Uploaded', em: TERMINOU, quem: 'v' },
    ...entradas.map((entry): Fato => ({ fato: 'visto', escopo: ESCOPO, quem: 'p', ...entry })),
    ...entradas.map((entry): Fato => ({ fato: 'final', escopo: ESCOPO, ...entry })),
    { fato: 'feed_lido', escopo: ESCOPO, quantos: 3, total: 3 },
    { fato: 'itens', id: 'i1', quantos: 2, repetidos: [] },
    { fato: 'baixado', escopo: ESCOPO, identidade: 'a', sha256: 'sha-a' },
    { fato: 'verificar', codigo: 0, achados: [] },
  ];
}

const regras = (fatos: Fato[]) => [...new Set(julgar(fatos).map(({ regra }) => regra))].sort();

/** The sound journal with every fact of a kind that matches changed, or left out (null). */
function com(change: (fato: Fato) => Fato | Fato[] | null): Fato[] {
  return sadio().flatMap((fato) => change(fato) ?? []);
}

describe('the judge', () => {
  it('finds nothing in a sound journal', () => assert.deepEqual(julgar(sadio()), []));

  it('misses a document that is in no feed', () => {
    const lost = com((fato) => {
      if ((fato.fato === 'final' || fato.fato === 'visto') && fato.identidade === 'c') return null;
      return fato.fato === 'feed_lido' ? { ...fato, quantos: 2, total: 2 } : fato;
    });
    assert.deepEqual(regras(lost), ['I2']);
  });

  it('accepts that a file which was never acknowledged is not there', () => {
    const unacked = com((fato) => {
      if ((fato.fato === 'final' || fato.fato === 'visto') && fato.identidade === 'c') return null;
      if (fato.fato === 'aceito' && fato.id === 'i2') return null;
      return fato.fato === 'feed_lido' ? { ...fato, quantos: 2, total: 2 } : fato;
    });
    assert.deepEqual(julgar(unacked), []);
  });

  it('sees a document that is there twice', () => {
    const doubled = com((fato) => {
      if (fato.fato === 'feed_lido') return { ...fato, quantos: 4, total: 4 };
      if ((fato.fato === 'final' || fato.fato === 'visto') && fato.identidade === 'c')
        return [fato, { ...fato, nsu: 4 }];
      return fato;
    });
    assert.deepEqual(regras(doubled), ['I2']);
  });

  it('sees a file whose items were written twice', () => {
    const again = com((fato) => (fato.fato === 'itens' ? { ...fato, repetidos: ['b.xml'] } : fato));
    assert.deepEqual(regras(again), ['I2']);
  });

  it('sees a file of which fewer items are told than it holds', () => {
    const fewer = com((fato) => (fato.fato === 'itens' ? { ...fato, quantos: 1 } : fato));
    assert.deepEqual(regras(fewer), ['I2']);
  });

  it('sees a feed that nobody read to its end', () => {
    assert.deepEqual(regras(com((fato) => (fato.fato === 'feed_lido' ? null : fato))), ['I2']);
  });

  it('sees what a poller missed, and what it saw that is not there', () => {
    const missed = com((fato) => (fato.fato === 'visto' && fato.nsu === 2 ? null : fato));
    assert.deepEqual(regras(missed), ['I3']);
    const ghost = com((fato) =>
      fato.fato === 'visto' && fato.nsu === 3 ? [fato, { ...fato, nsu: 9 }] : fato,
    );
    assert.deepEqual(regras(ghost), ['I3']);
  });

  it('sees a hole, a number given to another document, and one that comes again', () => {
    const hole = com((fato) =>
      (fato.fato === 'final' || fato.fato === 'visto') && fato.nsu === 3 ? { ...fato, nsu: 4 } : fato,
    );
    assert.deepEqual(regras(hole), ['I4']);
    const reassigned = com((fato) =>
      fato.fato === 'visto' && fato.nsu === 3 ? { ...fato, ...entrada(3, 'a') } : fato,
    );
    assert.ok(regras(reassigned).includes('I4'));
    const again = com((fato) => (fato.fato === 'visto' && fato.nsu === 3 ? [fato, fato] : fato));
    assert.deepEqual(regras(again), ['I4']);
    const total = com((fato) => (fato.fato === 'feed_lido' ? { ...fato, total: 7 } : fato));
    assert.deepEqual(regras(total), ['I4']);
  });

  it('sees bytes that are not those sent', () => {
    for (const kind of ['final', 'visto', 'baixado'] as const) {
      const other = com((fato) =>
        fato.fato === kind && fato.identidade === 'a' ? { ...fato, sha256: 'outro' } : fato,
      );
      assert.deepEqual(regras(other), ['I5'], kind);
    }
  });

  it('sees a document of another office', () => {
    const foreign = [
      ...sadio(),
      { fato: 'final', escopo: ALHEIO, ...entrada(1, 'a') } satisfies Fato,
      { fato: 'feed_lido', escopo: ALHEIO, quantos: 1, total: 1 } satisfies Fato,
    ];
    assert.deepEqual(regras(foreign), ['I6']);
  });

  it('sees a file that never ends, ends badly, or too late', () => {
    const never = com((fato) => (fato.fato === 'status' && fato.id === 'i2' ? null : fato));
    assert.deepEqual(regras(never), ['I1']);
    const badly = com((fato) =>
      fato.fato === 'status' && fato.id === 'i2' ? { ...fato, status: 'Com Erro' } : fato,
    );
    assert.deepEqual(regras(badly), ['I1']);
    const late = com((fato) =>
      fato.fato === 'status' && fato.id === 'i2' ? { ...fato, em: 2_000 + 60_001 } : fato,
    );
    assert.deepEqual(regras(late), ['I1']);
  });

  it('sees a status that goes back, or changes after its end', () => {
    const back: Fato = { fato: 'status', id: 'i1', status: 'Em Processamento', em: 9_000, quem: 'v' };
    assert.deepEqual(regras([...sadio(), back]), ['I7']);
    const other: Fato = { fato: 'status', id: 'i1', status: 'Com Erro', em: 9_000, quem: 'outro' };
    assert.deepEqual(regras([...sadio(), other]), ['I7']);
    const waiting: Fato = { fato: 'status', id: 'i2', status: 'Aguardando Upload', em: 9_000, quem: 'v' };
    assert.deepEqual(regras([...sadio(), waiting]), ['I7']);
  });

  it('sees what the own check of the product finds, that it failed, and that nobody asked it', () => {
    const found = com((fato) =>
      fato.fato === 'verificar' ? { ...fato, codigo: 1, achados: ['nsu'] } : fato,
    );
    assert.deepEqual(regras(found), ['I8']);
    const failed = com((fato) => (fato.fato === 'verificar' ? { ...fato, codigo: 1 } : fato));
    assert.deepEqual(regras(failed), ['I8']);
    assert.deepEqual(regras(com((fato) => (fato.fato === 'verificar' ? null : fato))), ['I8']);
  });

  it('sees leaks and answers that must not be', () => {
    const leak: Fato = { fato: 'vazamento', onde: 'GET /x', trecho: 'at Object.<anonymous>' };
    assert.deepEqual(regras([...sadio(), leak]), ['I9']);
    const wrong: Fato = { fato: 'resposta_indevida', status: 500, onde: 'PUT', trecho: '' };
    assert.deepEqual(regras([...sadio(), wrong]), ['HTTP']);
  });
});
