import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { Piscina, valueSymbol } from 'piscina';
import { movable } from './movable.ts';
import { endPool } from './thread-start.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'malote-movable-'));
  after(() => rmSync(folder, { recursive: true }));

  it('changes hands with its memory', async () => {
    const filename = join(folder, 'task.mjs');
    writeFileSync(
      filename,
      `import { movable } from ${JSON.stringify(new URL('./movable.ts', import.meta.url).href)};
      let given = new Uint8Array(0);
      export default () => {
        const before = given.length;
        given = new Uint8Array(8);
        return movable({ bytes: given, before }, [given.buffer]);
      };`,
    );
    const pool = new Piscina({ filename, minThreads: 1, maxThreads: 1 });
    await pool.run(null);
    const { bytes, before } = await pool.run(null);
    assert.deepEqual([bytes.length, before], [8, 0]);
    await endPool(pool);
  });

  it('is left empty when the pool has read it: the promise of a task that waited may keep it for long', () => {
    const answer = movable({ a: 1 }, []) as Record<symbol, unknown>;
    assert.deepEqual(answer[valueSymbol], { a: 1 });
    assert.equal(answer[valueSymbol], null);
  });

  it('has the hidden class of all others: one of its own would keep it until the next full collection', () => {
    assert.ok(haveOneHiddenClass(movable({ a: 1 }, []), movable({ b: 2 }, [])));
  });
});
