import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDateTime } from './data-hora.ts';
import { ufByCode, zoneOfUf } from './uf.ts';

describe('readDateTime', () => {
  it('keeps the offset that the document gives', () => {
    assert.equal(readDateTime('2026-03-01T10:00:00-03:00', '35'), '2026-03-01T10:00:00-03:00');
    assert.equal(readDateTime('2026-03-01T10:00:00-04:00', '35'), '2026-03-01T10:00:00-04:00');
    assert.equal(readDateTime('2017-03-17T12:31:37+00:00', '41'), '2017-03-17T12:31:37+00:00');
  });

  it('spells Z as an offset and leaves fractions of a second out', () => {
    assert.equal(readDateTime('2026-03-01T10:00:00Z', '35'), '2026-03-01T10:00:00+00:00');
    assert.equal(readDateTime('2026-03-01T10:00:00-00:00', '35'), '2026-03-01T10:00:00+00:00');
    assert.equal(readDateTime('2026-03-01T10:00:00.1234567-03:00', '35'), '2026-03-01T10:00:00-03:00');
  });

  it('gives a date alone the first second of the day in the state of the issuer', () => {
    assert.equal(readDateTime('2011-08-20', '35'), '2011-08-20T00:00:00-03:00');
    assert.equal(readDateTime('2011-08-20', '13'), '2011-08-20T00:00:00-04:00');
    assert.equal(readDateTime('2009-08-20', '12'), '2009-08-20T00:00:00-04:00', 'Acre was at -04 until 2013');
    assert.equal(readDateTime('2020-08-20', '12'), '2020-08-20T00:00:00-05:00');
  });

  it('knows the daylight saving times of the past, state by state', () => {
    assert.equal(readDateTime('2011-12-20T16:55:00', '35'), '2011-12-20T16:55:00-02:00');
    assert.equal(
      readDateTime('2011-12-20T16:55:00', '29'),
      '2011-12-20T16:55:00-02:00',
      'Bahia that one year',
    );
    assert.equal(readDateTime('2010-12-20T16:55:00', '29'), '2010-12-20T16:55:00-03:00');
    assert.equal(readDateTime('2011-12-20T16:55:00', '23'), '2011-12-20T16:55:00-03:00');
    assert.equal(readDateTime('2020-12-20T16:55:00', '35'), '2020-12-20T16:55:00-03:00', 'none since 2019');
  });

  it('stays within the day when daylight saving took its midnight away', () => {
    assert.equal(readDateTime('2011-10-16', '35'), '2011-10-16T00:00:00-03:00');
    assert.equal(readDateTime('2012-02-26', '35'), '2012-02-26T00:00:00-03:00', 'the day it ended');
  });

  it('refuses what is no date of this century', () => {
    const wrong = [
      '',
      '2026-02-30',
      '2026-13-01',
      '2026-03-01T24:00:00',
      '2026-03-01T10:60:00',
      '0001-01-01',
      '1999-12-31',
      '01/03/2026',
      '2026-03-01T10:00:00-99:00',
      '2026-03-01T10:00:00-03:75',
      '2026-03-01 10:00:00',
      'string',
      '2026-03-01T10:00',
    ];
    for (const text of wrong) assert.equal(readDateTime(text, '35'), null, text);
    assert.equal(readDateTime('2028-02-29', '35'), '2028-02-29T00:00:00-03:00');
  });
});

describe('states', () => {
  it('are found by their IBGE code; anything else runs on Brasília time', () => {
    assert.equal(ufByCode('35')?.sigla, 'SP');
    assert.equal(ufByCode('91'), null);
    assert.equal(ufByCode(null), null);
    assert.equal(zoneOfUf('91'), 'America/Sao_Paulo');
    assert.equal(zoneOfUf('51'), 'America/Cuiaba');
  });
});
