import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type EventoParaStatus, effectiveStatus, statusDoEvento, statusDoProtocolo } from './status.ts';

const CANCELA: EventoParaStatus = { codigo: '110111', sequencia: 1, efeito: 'cancela' };
const CARTA: EventoParaStatus = { codigo: '110110', sequencia: 1, efeito: 'carta_correcao' };
const CIENCIA: EventoParaStatus = {
  codigo: '210210',
  sequencia: 1,
  efeito: 'manifestacao',
  nProt: '891260000000009',
};
const CONFIRMACAO: EventoParaStatus = {
  codigo: '210200',
  sequencia: 1,
  efeito: 'manifestacao',
  nProt: '891260000000005',
};
const DESCONHECIMENTO: EventoParaStatus = {
  codigo: '210220',
  sequencia: 1,
  efeito: 'manifestacao',
  nProt: '891260000000007',
};
const DESFAZ: EventoParaStatus = {
  codigo: '110001',
  sequencia: 1,
  efeito: 'cancela_evento',
  desfaz: { codigo: '110111', sequencia: 1, nProt: null },
};
const ENTREGA: EventoParaStatus = { codigo: '110130', sequencia: 1, efeito: 'nenhum' };
const ALL = [CANCELA, CARTA, CIENCIA, CONFIRMACAO, DESCONHECIMENTO, DESFAZ, ENTREGA];

describe('effectiveStatus', () => {
  it('does not depend on the order in which events came', () => {
    fc.assert(
      fc.property(
        fc
          .subarray(ALL)
          .chain((events) =>
            fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
          ),
        fc.constantFrom('Autorizada', 'Denegada', 'Cancelada', 'Pendente' as const),
        ([events, shuffled], statusProtocolo) => {
          assert.deepEqual(
            effectiveStatus({ statusProtocolo, eventos: shuffled }),
            effectiveStatus({ statusProtocolo, eventos: events }),
          );
        },
      ),
    );
  });

  it('is Cancelada whatever the protocol says, once a cancellation is registered', () => {
    for (const statusProtocolo of ['Autorizada', 'Denegada', 'Pendente', 'Cancelada'] as const) {
      assert.equal(effectiveStatus({ statusProtocolo, eventos: [CANCELA] }).status, 'Cancelada');
    }
  });

  it('stays Cancelada: there is no cancellation of a cancellation', () => {
    assert.equal(
      effectiveStatus({ statusProtocolo: 'Autorizada', eventos: [CANCELA, DESFAZ] }).status,
      'Cancelada',
    );
  });

  it('is what the protocol says when no event cancels', () => {
    const eventos = [CARTA, CONFIRMACAO, ENTREGA, DESFAZ];
    for (const statusProtocolo of ['Autorizada', 'Denegada', 'Pendente', 'Cancelada'] as const) {
      assert.equal(effectiveStatus({ statusProtocolo, eventos }).status, statusProtocolo);
    }
  });

  it('flags a letter of correction only on a document that is in force', () => {
    const flag = (statusProtocolo: 'Autorizada' | 'Denegada', eventos: EventoParaStatus[]) =>
      effectiveStatus({ statusProtocolo, eventos }).cartaCorrecao;
    assert.equal(flag('Autorizada', [CARTA]), true);
    assert.equal(flag('Autorizada', []), false);
    assert.equal(flag('Autorizada', [CARTA, CANCELA]), false);
    assert.equal(flag('Denegada', [CARTA]), false);
  });

  it('shows the manifestation that holds: a conclusive one before ciência, the later one among those', () => {
    const of = (...eventos: EventoParaStatus[]) =>
      effectiveStatus({ statusProtocolo: 'Autorizada', eventos }).manifestacao;
    assert.equal(of(), null);
    assert.equal(of(CIENCIA), '210210');
    assert.equal(of(CIENCIA, CONFIRMACAO), '210200');
    assert.equal(of(DESCONHECIMENTO, CONFIRMACAO, CIENCIA), '210220');
  });
});

describe('statusDoProtocolo', () => {
  it('reads the cStat of SEFAZ, and knows a rejection', () => {
    const expected = {
      Autorizada: ['100', '150'],
      Cancelada: ['101', '151', '155'],
      Denegada: ['110', '205', '301', '302', '303'],
      Pendente: [null, '124', '136'],
    };
    for (const [status, codes] of Object.entries(expected)) {
      for (const code of codes) assert.equal(statusDoProtocolo(code), status, String(code));
    }
    for (const code of ['204', '225', '539', '999', '0', 'stri']) assert.equal(statusDoProtocolo(code), null);
  });
});

describe('statusDoEvento', () => {
  it('tells a cancellation and a letter of correction from the other events', () => {
    assert.equal(statusDoEvento(CANCELA), 'Cancelada');
    assert.equal(statusDoEvento(CARTA), 'CartaCorrecao');
    for (const event of [CIENCIA, DESFAZ, ENTREGA]) assert.equal(statusDoEvento(event), 'Evento');
  });
});
