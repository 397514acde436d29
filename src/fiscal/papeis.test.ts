import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONTADOR, DESTINATARIO, EMITENTE, PRODUTOR } from './amostras-de-teste.ts';
import { papelDe, tipoDe } from './papeis.ts';
import { type CpfCnpj, PAPEIS_POR_FORCA, type Participante } from './tipos.ts';

const part = (papel: Participante['papel'], id: string): Participante => ({
  papel,
  cpfCnpj: id as CpfCnpj,
  nome: null,
});

describe('papelDe', () => {
  it('gives the part a company plays, and null to a stranger', () => {
    const parts = [part('emitente', EMITENTE), part('autorizado', CONTADOR)];
    assert.equal(papelDe(parts, EMITENTE as CpfCnpj), 'emitente');
    assert.equal(papelDe(parts, CONTADOR as CpfCnpj), 'autorizado');
    assert.equal(papelDe(parts, PRODUTOR as CpfCnpj), null);
  });

  it('gives the strongest part where one company plays several, in any order', () => {
    const strongest = PAPEIS_POR_FORCA.map((_, i) => {
      const parts = PAPEIS_POR_FORCA.slice(i).map((papel) => part(papel, DESTINATARIO));
      return papelDe(parts.reverse(), DESTINATARIO as CpfCnpj);
    });
    assert.deepEqual(strongest, [...PAPEIS_POR_FORCA]);
  });
});

describe('tipoDe', () => {
  it('is Emitida for who issued and Recebida for everyone else', () => {
    const issued = PAPEIS_POR_FORCA.filter((papel) => tipoDe(papel) === 'Emitida');
    assert.deepEqual(issued, ['emitente', 'prestador']);
    assert.equal(tipoDe('transportador'), 'Recebida');
  });
});
