import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readData } from './datas.ts';

const at = (iso: string) => Date.parse(iso);

test('a bare date is a whole day in America/Sao_Paulo, in every spelling of which the year is unmistakable', () => {
  const day = { inicio: at('2026-03-01T00:00:00-03:00'), fim: at('2026-03-02T00:00:00-03:00') };
  for (const text of [
    '2026-03-01',
    '2026/03/01',
    '2026.03.01',
    '01/03/2026',
    '01-03-2026',
    '01.03.2026',
    '20260301',
    ' 2026-03-01 ',
  ])
    assert.deepEqual(readData(text), day, text);
});

test('each of them may have a time behind it', () => {
  const second = { inicio: at('2026-03-01T10:20:30-03:00'), fim: at('2026-03-01T10:20:31-03:00') };
  for (const day of ['2026-03-01', '2026/03/01', '01/03/2026', '01.03.2026', '20260301']) {
    assert.deepEqual(readData(`${day} 10:20:30`), second, day);
    assert.deepEqual(readData(`${day}T13:20:30Z`), second, day);
    assert.deepEqual(readData(`${day}T102030`), second, day);
    assert.deepEqual(readData(`${day}T132030Z`), second, day);
    assert.deepEqual(readData(`${day} 10:20`), {
      inicio: at('2026-03-01T10:20:00-03:00'),
      fim: at('2026-03-01T10:21:00-03:00'),
    });
  }
});

test('a day of a year with daylight saving has its own length', () => {
  assert.deepEqual(readData('2018-11-04'), {
    inicio: at('2018-11-04T01:00:00-02:00'),
    fim: at('2018-11-05T00:00:00-02:00'),
  });
});

test('a timestamp with offset is that instant and covers its second, or its fraction', () => {
  const second = { inicio: at('2026-03-01T10:20:30Z'), fim: at('2026-03-01T10:20:31Z') };
  assert.deepEqual(readData('2026-03-01T10:20:30Z'), second);
  assert.deepEqual(readData('2026-03-01T07:20:30-03:00'), second);
  assert.deepEqual(readData('2026-03-01T07:20:30-0300'), second);
  assert.deepEqual(readData('2026-03-01T07:20:30-03'), second, 'as PostgreSQL prints it');
  assert.deepEqual(readData('2026-03-01T10:20:30.250Z'), {
    inicio: second.inicio + 250,
    fim: second.inicio + 251,
  });
});

test('a plus that arrived as a blank is still an offset', () => {
  assert.equal(readData('2026-03-01T12:00:00 01:00')?.inicio, at('2026-03-01T11:00:00Z'));
});

test('a timestamp without offset is local time of America/Sao_Paulo', () => {
  assert.equal(readData('2026-03-01T10:00:00')?.inicio, at('2026-03-01T10:00:00-03:00'));
  assert.equal(readData('2026-03-01 10:00')?.inicio, at('2026-03-01T10:00:00-03:00'));
});

test('the first and the last date of a calendar are dates', () => {
  assert.ok(readData('0001-01-01'));
  const last = readData('9999-12-31');
  assert.ok(last && last.fim > last.inicio);
});

test('what does not exist or has another form is no date', () => {
  for (const text of [
    '2026-02-30',
    '30/02/2026',
    '2026-13-01',
    '2026-3-1',
    '2026-03/01',
    '01/03-2026',
    '1/3/2026',
    '01/03/26',
    '01032026',
    '20260230',
    '202603',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60:00Z',
    '2026-03-01T10:00:00+19:00',
    '2026-03-01T',
    'ontem',
    '0',
    '٢٠٢٦-٠٣-٠١',
    "2026-03-01' or 1=1",
  ]) {
    assert.equal(readData(text), undefined, text);
  }
});
