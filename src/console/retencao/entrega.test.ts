import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Entrega } from './entrega.ts';

const COPIA = randomBytes(1_000_000);

/** As a store reads it: piece by piece. */
function pacoteDe(bytes: Buffer) {
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += 64_000) yield bytes.subarray(at, at + 64_000);
  };
  return { sizeBytes: bytes.length, stream: Readable.from(pieces(), { objectMode: false }) };
}

describe('the copy of a deletion on its way out', () => {
  it('is whole, and its end comes only when the download is noted', async () => {
    for (const bytes of [COPIA, COPIA.subarray(0, 10), COPIA.subarray(0, 0)]) {
      const entrega = new Entrega();
      const got: Buffer[] = [];
      let noted = false;
      const note = entrega.reached.then(async () => {
        await turn();
        assert.ok(Buffer.concat(got).length < bytes.length || bytes.length === 0);
        noted = true;
        entrega.finish();
      });
      for await (const piece of entrega.open(pacoteDe(bytes))) got.push(piece);
      await note;
      assert.ok(noted && Buffer.concat(got).equals(bytes));
    }
  });

  it('is not downloaded when whoever takes it stops before the end', async () => {
    const entrega = new Entrega();
    const refused = assert.rejects(entrega.reached, /broken off/);
    for await (const piece of entrega.open(pacoteDe(COPIA))) {
      assert.ok(piece.length > 0);
      break;
    }
    await refused;
  });

  it('has no end when it could not be noted', async () => {
    const entrega = new Entrega();
    const note = entrega.reached.then(() => entrega.breakOff(new Error('the disk is full')));
    const got: Buffer[] = [];
    await assert.rejects(async () => {
      for await (const piece of entrega.open(pacoteDe(COPIA))) got.push(piece);
    }, /the disk is full/);
    await note;
    assert.ok(Buffer.concat(got).length < COPIA.length);
  });
});
