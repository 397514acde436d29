import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { horaComDeslocamento, horaLocal } from './tempo.ts';

describe('times of the status record', () => {
  it('are the wall clock of America/Sao_Paulo, with the offset or without', () => {
    const instant = Date.UTC(2026, 2, 1, 2, 5, 9, 7);
    assert.equal(horaLocal(instant), '2026-02-28T23:05:09.007');
    assert.equal(horaComDeslocamento(instant), '2026-02-28T23:05:09.007-03:00');
  });

  it('follow daylight saving where the law had it', () => {
    const instant = Date.UTC(2018, 11, 25, 12);
    assert.equal(horaComDeslocamento(instant), '2018-12-25T10:00:00.000-02:00');
  });

  it('write midnight as 00', () => {
    assert.equal(horaLocal(Date.UTC(2026, 0, 1, 3)), '2026-01-01T00:00:00.000');
  });
});
