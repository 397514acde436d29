import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rows, withPassingTapes } from './scratch.ts';

const WIDTH = 2;
const rows = new Rows(WIDTH, 8);

function copyOf(value: number, count = 3): Int32Array {
  rows.restart(8);
  for (let i = 0; i < count; i++) rows.add();
  rows.cells.fill(value);
  return rows.copy();
}

describe('memory of tapes', () => {
  it("is nobody else's for as long as it is held", () => {
    const held = copyOf(1);
    withPassingTapes(() => copyOf(2));
    copyOf(3);
    assert.deepEqual([...held], [1, 1, 1, 1, 1, 1]);
  });

  it('is used again by the next scope', () => {
    const first = withPassingTapes(() => copyOf(1));
    const second = withPassingTapes(() => copyOf(2));
    assert.equal(first.buffer, second.buffer);
    assert.deepEqual(first, second);
  });

  it('of a scope stays as it is while scopes inside come and go', () => {
    withPassingTapes(() => {
      const outer = copyOf(1);
      const inner = withPassingTapes(() => copyOf(2));
      assert.deepEqual([...withPassingTapes(() => copyOf(3))], [...inner]);
      const later = copyOf(4);
      assert.deepEqual([...outer], [1, 1, 1, 1, 1, 1]);
      assert.deepEqual([...later], [4, 4, 4, 4, 4, 4]);
    });
  });

  it('is given back when what was done throws', () => {
    const before = withPassingTapes(() => copyOf(1));
    assert.throws(() =>
      withPassingTapes(() => {
        copyOf(2);
        throw new Error('a fault');
      }),
    );
    assert.equal(withPassingTapes(() => copyOf(3)).byteOffset, before.byteOffset);
  });

  it('suffices for more than the scope has', () => {
    withPassingTapes(() => {
      const many = Array.from({ length: 40 }, (_, i) => copyOf(i, 4096));
      for (const [i, cells] of many.entries()) {
        assert.equal(cells.length, 4096 * WIDTH);
        assert.ok(cells.every((cell) => cell === i));
      }
    });
  });
});
