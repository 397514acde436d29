import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diaDeHoje, formatDia, formatHaQuanto, formatInstante, readDia } from './datas.ts';
import { cleanCpfCnpj, cpfCnpjValido, formatarCpfCnpj, formatChave } from './documentos-de-pessoa.ts';
import { formatarBytes, formatReais, plural } from './numeros.ts';

/** Intl puts a no-break space behind `R$`. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('CPF and CNPJ', () => {
  it('are shown with their masks, letters included', () => {
    assert.equal(formatarCpfCnpj('11222333000181'), '11.222.333/0001-81');
    assert.equal(formatarCpfCnpj('12ABC34501DE35'), '12.ABC.345/01DE-35');
    assert.equal(formatarCpfCnpj('52998224725'), '529.982.247-25');
    assert.equal(formatarCpfCnpj('exterior'), 'exterior');
    assert.equal(formatarCpfCnpj(null), '');
  });

  it('are read with or without mask, in any case', () => {
    assert.equal(cleanCpfCnpj('12.abc.345/01de-35'), '12ABC34501DE35');
  });

  it('are judged by both check digits', () => {
    for (const good of ['11222333000181', '12.ABC.345/01DE-35', '529.982.247-25'])
      assert.ok(cpfCnpjValido(good), good);
    for (const bad of [
      '11222333000182',
      '12ABC34501DE36',
      '52998224724',
      '00000000000000',
      '1122233300018',
      '',
    ])
      assert.ok(!cpfCnpjValido(bad), bad);
  });
});

describe('dates', () => {
  it('are those of Brasília, whatever the zone of the computer', () => {
    assert.equal(formatDia('2026-11-20'), '20/11/2026');
    assert.equal(formatDia('2026-11-21T01:30:00Z'), '20/11/2026');
    assert.equal(formatInstante('2026-11-20T23:59:30-03:00'), '20/11/2026 23:59');
    assert.equal(formatInstante(null), '–');
    assert.equal(diaDeHoje(0, Date.parse('2026-11-21T02:00:00Z')), '2026-11-20');
    assert.equal(diaDeHoje(-30, Date.parse('2026-11-21T12:00:00Z')), '2026-10-22');
  });

  it('are read as people write them', () => {
    for (const typed of [
      '20/11/2026',
      ' 20/11/26',
      '20-11-2026',
      '20.11.2026',
      '20112026',
      '2026-11-20',
      '20 11 2026',
    ])
      assert.equal(readDia(typed), '2026-11-20', typed);
    assert.equal(readDia('1/2/2026'), '2026-02-01');
    assert.equal(readDia('  '), '');
    for (const none of ['31/02/2026', '20/13/2026', '20/11', 'ontem', '2011202', '1/2/202'])
      assert.equal(readDia(none), null, none);
  });

  it('are told as distances', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    assert.equal(formatHaQuanto('2026-11-20T09:00:00Z', now), 'há 3 horas');
    assert.equal(formatHaQuanto('2026-11-20T11:59:50Z', now), 'agora');
    assert.equal(formatHaQuanto('2026-11-19T11:00:00Z', now), 'ontem');
    assert.equal(formatHaQuanto(null, now), 'nunca');
  });
});

describe('numbers', () => {
  it('are written the Brazilian way', () => {
    assert.equal(plain(formatReais('1234.56')), 'R$ 1.234,56');
    assert.equal(plain(formatReais('0.00')), 'R$ 0,00');
    assert.equal(formatReais(null), '–');
    assert.equal(formatarBytes(1_234_567), '1,2 MB');
    assert.equal(plural(1, 'documento'), '1 documento');
    assert.equal(plural(1500, 'documento'), '1.500 documentos');
  });

  it('an access key stands in groups of four; what is none stays', () => {
    assert.equal(formatChave('1'.repeat(44)), Array(11).fill('1111').join(' '));
    assert.equal(formatChave('NFSE-3550308-1'), 'NFSE-3550308-1');
  });
});
