import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChave, parseChave50, splitChave } from '../chave.ts';
import type { Chave, CpfCnpj } from '../tipos.ts';
import { chave50, PRESTADOR } from './amostras-de-teste.ts';
import { composeChave, readNumeroNfse } from './chave-composta.ts';
import { isAmbiguousDecimal, readDecimal, readMunicipalDate, readMunicipio, readParty } from './valores.ts';

const prestador = PRESTADOR as CpfCnpj;

describe('the composed key of a municipal note', () => {
  it('is the city, the prestador and the number, and reads back', () => {
    const chave = composeChave({ municipio: '3304557', prestador, numero: '15', numeradaPor: null });
    assert.equal(chave, `NFSE-3304557-${prestador}-15`);
    const { emitente, numero, serie, modelo, cUF } = splitChave(chave as Chave);
    assert.deepEqual([emitente, numero, serie, modelo, cUF], [prestador, '15', '', 'NFSe', '33']);
  });

  it('carries the series where the city numbers by one', () => {
    const chave = composeChave({ municipio: '3304557', prestador, numero: '15', numeradaPor: 'e' });
    assert.equal(chave, `NFSE-3304557-${prestador}-15~E`);
    assert.deepEqual([splitChave(chave as Chave).numero, splitChave(chave as Chave).serie], ['15', 'E']);
  });

  it('is printable, at most 64 characters long and found in any case', () => {
    const chave = composeChave({
      municipio: '3304557',
      prestador,
      numero: '2024/00000000000-a',
      numeradaPor: 'série única ção',
    });
    assert.match(chave ?? '', /^NFSE-[0-9A-Z._~-]{1,59}$/);
    assert.equal(parseChave((chave ?? '').toLowerCase()), chave);
  });

  it('takes numbers as cities write them, and neither words nor zeros', () => {
    assert.deepEqual(['000123', '2024/15', ' 7 ', '0', '000', 'ANON', '', null].map(readNumeroNfse), [
      '123',
      '2024/15',
      '7',
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('the 50-character key', () => {
  it('names the issuer, a CNPJ or a CPF, the number and the month', () => {
    const parts = splitChave(chave50('42') as Chave);
    assert.deepEqual(
      [parts.emitente, parts.numero, parts.serie, parts.anoMes],
      [PRESTADOR, '42', '', '2603'],
    );
    assert.equal(splitChave(chave50('42', '52998224725', '1') as Chave).emitente, '52998224725');
    assert.equal(splitChave(chave50('1', '12ABC34501DE35') as Chave).emitente, '12ABC34501DE35');
  });

  it('is told from other lengths', () => {
    assert.equal(parseChave50(chave50().toLowerCase()), chave50());
    assert.equal(parseChave50(chave50().slice(1)), null);
    assert.equal(parseChave(chave50()), chave50());
  });
});

describe('values as cities write them', () => {
  it('reads amounts with point or comma', () => {
    assert.deepEqual(
      ['1500.75', '1.500,75', '000000006860,00', 'R$ 49,00', '0', '-1', 'x', '', null].map(readDecimal),
      ['1500.75', '1500.75', '6860.00', '49.00', '0', null, null, null, null],
    );
  });

  it('takes the last of two separators for the one of the cents', () => {
    assert.deepEqual(['1,250.90', '1,234,567.89', '1.234.567,89', '1,25.9'].map(readDecimal), [
      '1250.90',
      '1234567.89',
      '1234567.89',
      null,
    ]);
  });

  it('of an amount may be points or commas in several groups, spaces, or the exponent of Java', () => {
    assert.deepEqual(
      ['1.500.000', '1,500,000', '1 500,00', '1\u00a0500', '1.25E7', '1.234567891E7', '1E400', '1 50'].map(
        readDecimal,
      ),
      ['1500000', '1500000', '1500.00', '1500', '12500000', '12345678.91', null, null],
    );
    // Which of the two, nobody can say: the XML's point is a decimal one, and that is told.
    for (const text of ['1.500', '12,345', 'R$ 1.500']) assert.ok(isAmbiguousDecimal(text), text);
    for (const text of ['1.500,00', '1500.000', '0.125', '1.50']) assert.ok(!isAmbiguousDecimal(text), text);
  });

  it('reads dates in every order', () => {
    const read = (texto: string, hora: string | null = null) =>
      readMunicipalDate({ texto, hora, municipio: '3550308' });
    const expected = '2026-03-10T09:30:00-03:00';
    for (const text of [
      '2026-03-10T09:30:00',
      '2026-03-10 09:30:00',
      '2026-03-10 09:30',
      '10/03/2026 09:30:00',
      '20260310093000',
      '10/03/2026 às 09:30:00',
      '10/03/2026 - 09:30',
    ])
      assert.equal(read(text), expected, text);
    assert.equal(read('10/03/2026', '09:30'), expected);
    assert.equal(read('20260310'), '2026-03-10T00:00:00-03:00');
    for (const text of ['31/02/2026', 'ontem', '1999-01-01', '']) assert.equal(read(text), null, text);
  });

  it('reads days and hours without leading zeros, and zones without a colon', () => {
    const read = (texto: string, hora: string | null = null) =>
      readMunicipalDate({ texto, hora, municipio: '3550308' });
    const expected = '2026-03-05T09:30:00-03:00';
    for (const text of ['5/3/2026 9:30', '05/03/2026 9:30:00', '2026-03-05T09:30:00.000-0300'])
      assert.equal(read(text), expected, text);
    assert.equal(read('5/3/2026', '9:30'), expected);
  });

  it('is read in the forms of databases and spreadsheets too, month first only where the layout says so', () => {
    const read = (texto: string, ordem?: 'mes_dia') =>
      readMunicipalDate({ texto, municipio: '3550308', ...(ordem ? { ordem } : {}) })?.slice(0, 16);
    for (const texto of [
      '05/03/26 09:30',
      '05.03.2026 09:30:15',
      '05/03/2026 9:30 AM',
      '2026/03/05 09:30:00',
      'Mar  5 2026  9:30AM',
      'Mar 5 2026 09:30:00:000AM',
    ])
      assert.equal(read(texto), '2026-03-05T09:30', texto);
    assert.equal(read('03/05/2026 09:30', 'mes_dia'), '2026-03-05T09:30');
    assert.equal(read('Mar 5 2026 12:15PM'), '2026-03-05T12:15');
    assert.equal(read('31/02/2026'), undefined);
  });

  it('takes a day with a zone, and midnight of Greenwich, for that very day', () => {
    const read = (texto: string) => readMunicipalDate({ texto, municipio: '1302603' });
    for (const text of [
      '2026-03-05-04:00',
      '2026-03-05Z',
      '2026-03-05T00:00:00Z',
      '2026-03-05T00:00:00.000Z',
    ])
      assert.equal(read(text), '2026-03-05T00:00:00-04:00', text);
    assert.equal(read('2026-03-05T13:00:00Z'), '2026-03-05T13:00:00+00:00');
  });

  it('takes a city and a party only for what they are', () => {
    assert.deepEqual(['3550308', '0427', '9999999', '355030', null].map(readMunicipio), [
      '3550308',
      null,
      null,
      null,
      null,
    ]);
    assert.deepEqual(
      ['00541099906', '541099906'].map((text) => readParty(text, 'cnpj')),
      ['00541099906', '00000541099906'],
    );
    assert.deepEqual(
      ['52.998.224/725', '00000000000000', 'NIF1', null].map((text) => readParty(text)),
      ['52998224725', null, null, null],
    );
  });
});
