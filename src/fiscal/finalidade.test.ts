import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cfopPrincipal, type FinalidadeAquisicao, suggestFinalidade } from './finalidade.ts';
import type { ItemFiscal, Modelo } from './tipos.ts';

const received = (cfop: string | null, modelo: Modelo = '55') =>
  suggestFinalidade({ modelo, tipo: 'Recebida', tpNF: '1', cfop });
const line = (numero: number, cfop: string | null, valor: string | null): ItemFiscal => ({
  numero,
  cfop,
  ncm: null,
  valor,
});

describe('suggestFinalidade', () => {
  it('mirrors the CFOP of the seller and leaves it to be confirmed', () => {
    const expected: [string, FinalidadeAquisicao][] = [
      ['5102', 'Revenda'],
      ['6102', 'Revenda'],
      ['5405', 'Revenda'],
      ['5403', 'Revenda'],
      ['5402', 'Revenda'],
      ['5101', 'Industrializacao'],
      ['6101', 'Industrializacao'],
      ['5401', 'Industrializacao'],
      ['5124', 'Industrializacao'],
      ['5551', 'AtivoImobilizado'],
      ['5656', 'UsoConsumo'],
      ['6667', 'UsoConsumo'],
      ['5655', 'Revenda'],
      ['5353', 'Servico'],
      ['5933', 'Servico'],
      ['5910', 'Outras'],
      ['5949', 'Outras'],
      ['6152', 'Outras'],
      ['5202', 'Outras'],
    ];
    for (const [cfop, purpose] of expected) {
      assert.deepEqual(received(cfop), { finalidade_aquisicao: purpose, origem: 'sugerida' }, cfop);
    }
  });

  it('takes a CFOP of entry at its word', () => {
    const expected: [string, FinalidadeAquisicao][] = [
      ['1102', 'Revenda'],
      ['2403', 'Revenda'],
      ['1922', 'Revenda'],
      ['3101', 'Industrializacao'],
      ['1401', 'Industrializacao'],
      ['1556', 'UsoConsumo'],
      ['2407', 'UsoConsumo'],
      ['1653', 'UsoConsumo'],
      ['1551', 'AtivoImobilizado'],
      ['2406', 'AtivoImobilizado'],
      ['1933', 'Servico'],
      ['1353', 'Servico'],
      ['1202', 'Outras'],
      ['1910', 'Outras'],
    ];
    for (const [cfop, purpose] of expected) {
      const answer = suggestFinalidade({ modelo: '55', tipo: 'Emitida', tpNF: '0', cfop });
      assert.deepEqual(answer, { finalidade_aquisicao: purpose, origem: 'documento' }, cfop);
    }
  });

  it('takes what was bought at a till for consumption', () => {
    assert.deepEqual(received('5102', '65'), { finalidade_aquisicao: 'UsoConsumo', origem: 'sugerida' });
    assert.deepEqual(received(null, '59'), { finalidade_aquisicao: 'UsoConsumo', origem: 'sugerida' });
    const issued = suggestFinalidade({ modelo: '65', tipo: 'Emitida', tpNF: '1', cfop: '5102' });
    assert.equal(issued.finalidade_aquisicao, 'Revenda');
  });

  it('takes a CT-e for a transport service, whatever its CFOP', () => {
    const service = { finalidade_aquisicao: 'Servico', origem: 'sugerida' };
    for (const modelo of ['57', '67', '64'] as const) {
      for (const cfop of ['5353', '6352', '5360', '6932', '7358', null]) {
        assert.deepEqual(received(cfop, modelo), service, `${modelo} ${cfop}`);
      }
    }
  });

  it('takes a CF-e SAT that was received for consumption, and one that was issued for what was sold', () => {
    const consumption = { finalidade_aquisicao: 'UsoConsumo', origem: 'sugerida' };
    assert.deepEqual(received('5102', '59'), consumption);
    const issued = suggestFinalidade({ modelo: '59', tipo: 'Emitida', tpNF: null, cfop: '5102' });
    assert.deepEqual(issued, { finalidade_aquisicao: 'Revenda', origem: 'sugerida' });
  });

  it('has an answer without a CFOP', () => {
    assert.deepEqual(received(null), { finalidade_aquisicao: 'Outras', origem: 'sugerida' });
    assert.deepEqual(received(null, 'NFSe'), { finalidade_aquisicao: 'Servico', origem: 'sugerida' });
  });
});

describe('cfopPrincipal', () => {
  it('is the CFOP that carries most of the value, summed over the items', () => {
    const items = [
      line(1, '5102', '60.00'),
      line(2, '5405', '100.00'),
      line(3, '5102', '60.00'),
      line(4, null, '999.00'),
    ];
    assert.equal(cfopPrincipal(items), '5102');
  });

  it('is the first of equals, and null where no item has one', () => {
    assert.equal(cfopPrincipal([line(1, '5405', '10.00'), line(2, '5102', '10.00')]), '5405');
    assert.equal(cfopPrincipal([line(1, '5910', null)]), '5910');
    assert.equal(cfopPrincipal([line(1, null, '1.00')]), null);
    assert.equal(cfopPrincipal([]), null);
  });
});
