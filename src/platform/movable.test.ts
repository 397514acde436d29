import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { movable } from './movable.ts';

/** Whether V8 keeps two objects under one hidden class. */
function haveOneHiddenClass(one: unknown, other: unknown): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return runInThisContext('(one, other) => %HaveSameMap(one, other)')(one, other);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

describe('what a task answers', () => {
  it('is taken by the pool as one that changes hands, with its memory', () => {
    const bytes = new Uint8Array(8);
    const answer = movable({ bytes }, [bytes.buffer]) as Record<symbol, unknown>;
    assert.equal(Piscina.isWorkerThread, false);
    assert.deepEqual(answer[transferableSymbol], [bytes.buffer]);
    assert.deepEqual(answer[valueSymbol], { bytes });
  });

  it('has the hidden class of all others: one of its own would keep it until the next full collection', () => {
    assert.ok(haveOneHiddenClass(movable({ a: 1 }, []), movable({ b: 2 }, [])));
  });
});
