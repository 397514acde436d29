import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Protocolo } from '../../fiscal/tipos.ts';
import { lerProtocolo, writeProtocolo } from './protocolo-guardado.ts';

const text = fc.option(
  fc.oneof(fc.string(), fc.constantFrom('Autorizado o uso da NF-e', 'a', 'b', '0', '1')),
);
/** What nearly all protocols have, and what looks like it. */
const nProt = fc.oneof(
  text,
  fc.stringMatching(/^[0-9]{15}$/),
  fc.constantFrom('012345678901234', '1e3', '1.5'),
);
const dhRecbto = fc.oneof(
  text,
  fc
    .tuple(fc.date({ noInvalidDate: true }), fc.constantFrom('-03:00', '-04:00', 'Z', '.5-03:00', ''))
    .map(([date, zone]) => `${date.toISOString().slice(0, 19)}${zone}`),
);
const protocolo: fc.Arbitrary<Protocolo> = fc.record({
  cStat: fc.oneof(fc.string(), fc.constantFrom('100', '150', '1.0', '')),
  xMotivo: text,
  nProt,
  dhRecbto,
  digVal: text,
});

test('a protocol is read as it was written, in its short form and in the one before it', () => {
  fc.assert(
    fc.property(protocolo, fc.constantFrom('a', 'b', ''), (written, digest) => {
      assert.deepEqual(lerProtocolo(writeProtocolo(written, digest), digest), { ...written });
      assert.deepEqual(lerProtocolo(JSON.stringify(written), digest), { ...written });
    }),
    { numRuns: 2_000 },
  );
});

test('what was written in the form before is read', () => {
  assert.deepEqual(lerProtocolo('["100",0,"135260000000001","2026-01-02T07:24:22-03:00",0]', 'abc='), {
    cStat: '100',
    xMotivo: 'Autorizado o uso da NF-e',
    nProt: '135260000000001',
    dhRecbto: '2026-01-02T07:24:22-03:00',
    digVal: 'abc=',
  });
});

test('a protocol that is usual but for its instant, which it lacks, gets none', () => {
  const sem = {
    cStat: '100',
    xMotivo: 'Autorizado o uso da NF-e',
    nProt: '113267766771992',
    dhRecbto: null,
    digVal: 'a',
  };
  assert.deepEqual(lerProtocolo(writeProtocolo(sem, 'a'), 'a'), sem);
  assert.deepEqual(lerProtocolo('#100.0.145ehruk9k.NaN', 'a'), sem);
});

test('the usual protocol is short, and one of another offset not long', () => {
  const usual = {
    cStat: '100',
    xMotivo: 'Autorizado o uso da NF-e',
    nProt: '113267766771992',
    dhRecbto: '2026-01-02T07:24:22-03:00',
    digVal: 'gCIb9Eh60QS/+h9dFR5GSSuDvfc=',
  };
  assert.equal(writeProtocolo(usual, usual.digVal), '#100.0.145ehruk9k.t88fkm');
  const outro = { ...usual, dhRecbto: '2026-01-02T07:24:22-04:00' };
  assert.ok(writeProtocolo(outro, usual.digVal).length < 60);
});
