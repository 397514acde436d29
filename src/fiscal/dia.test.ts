import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deslocamentoEm, diaDe, ehDia, inicioDoDia } from './dia.ts';
import { ZONA_NACIONAL } from './uf.ts';

describe('a day in São Paulo', () => {
  test('begins at 03:00 UTC since there is no daylight saving', () => {
    assert.equal(diaDe(Date.parse('2026-03-10T02:59:59.999Z')), '2026-03-09');
    assert.equal(diaDe(Date.parse('2026-03-10T03:00:00Z')), '2026-03-10');
    assert.equal(inicioDoDia('2026-03-10'), Date.parse('2026-03-10T03:00:00Z'));
  });

  test('is one that the calendar has', () => {
    for (const dia of ['2026-01-01', '2024-02-29', '0001-01-01', '9999-12-31']) assert.ok(ehDia(dia), dia);
    for (const none of ['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32'])
      assert.equal(ehDia(none), false, none);
    for (const none of ['', '2026-1-1', '01/01/2026', '2026-01-01T00:00:00Z', '+002026-01-01', ' 2026-01-01'])
      assert.equal(ehDia(none), false, none);
  });

  test('began at 02:00 UTC in summer, and at 01:00 local time on the day that summer began', () => {
    assert.equal(inicioDoDia('2018-12-25'), Date.parse('2018-12-25T02:00:00Z'));
    assert.equal(inicioDoDia('2018-11-04'), Date.parse('2018-11-04T03:00:00Z'));
    assert.equal(inicioDoDia('2018-02-18'), Date.parse('2018-02-18T03:00:00Z'));
  });

  test('changes with the clocks, in the very hour that the law says', () => {
    const [three, two] = [-3 * 3_600_000, -2 * 3_600_000];
    const begin = Date.parse('2018-11-04T03:00:00Z');
    assert.deepEqual([begin - 1, begin].map(deslocamentoEm), [three, two]);
    const end = Date.parse('2019-02-17T02:00:00Z');
    assert.deepEqual([end - 1, end].map(deslocamentoEm), [two, three]);
    assert.equal(deslocamentoEm(Date.parse('2026-12-25T12:00:00Z')), three);
  });

  test('exists for every instant that a document may name', () => {
    assert.equal(diaDe(Date.parse('0001-01-02T00:00:00Z')), '0001-01-01');
    assert.equal(diaDe(Date.parse('9999-12-31T23:59:59Z')), '9999-12-31');
  });

  test('is what the time zone database says, every day from 2006 to 2030', () => {
    const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: ZONA_NACIONAL });
    for (let at = Date.UTC(2006, 0, 1, 12); at < Date.UTC(2030, 0, 1); at += 86_400_000) {
      const dia = diaDe(at);
      assert.equal(dia, calendar.format(at));
      const inicio = inicioDoDia(dia);
      assert.equal(calendar.format(inicio), dia);
      assert.notEqual(calendar.format(inicio - 1), dia);
    }
  });
});
