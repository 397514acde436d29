import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Protocolo } from '../fiscal/tipos.ts';
import { escreverProtocolo, lerProtocolo } from './protocolo-guardado.ts';

const text = fc.option(
  fc.oneof(fc.string(), fc.constantFrom('Autorizado o uso da NF-e', 'a', 'b', '0', '1')),
);
const protocolo: fc.Arbitrary<Protocolo> = fc.record({
  cStat: fc.string(),
  xMotivo: text,
  nProt: text,
  dhRecbto: text,
  digVal: text,
});

test('a protocol is read as it was written, in its short form and in the one before it', () => {
  fc.assert(
    fc.property(protocolo, fc.constantFrom('a', 'b', ''), (written, digest) => {
      assert.deepEqual(lerProtocolo(escreverProtocolo(written, digest), digest), { ...written });
      assert.deepEqual(lerProtocolo(JSON.stringify(written), digest), { ...written });
    }),
  );
});

test('the usual protocol is short', () => {
  const usual = {
    cStat: '100',
    xMotivo: 'Autorizado o uso da NF-e',
    nProt: '113267766771992',
    dhRecbto: '2026-01-02T07:24:22-04:00',
    digVal: 'gCIb9Eh60QS/+h9dFR5GSSuDvfc=',
  };
  assert.ok(escreverProtocolo(usual, usual.digVal).length < 60);
});
