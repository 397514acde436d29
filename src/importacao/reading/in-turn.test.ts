import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTurn } from './in-turn.ts';

describe('tasks in turn', () => {
  it('are each told before the next is begun, also when one fails', async () => {
    const seen: string[] = [];
    const act = inTurn((task: string) => {
      seen.push(`${task} begun`);
      if (task === 'b') throw new Error('b');
      return task;
    });
    // As Piscina does.
    const run = async (task: string) => {
      await null;
      const answer = await act(task).catch(() => 'fault');
      seen.push(`${task} told: ${answer}`);
    };
    await Promise.all(['a', 'b', 'c'].map(run));
    assert.deepEqual(seen, ['a begun', 'a told: a', 'b begun', 'b told: fault', 'c begun', 'c told: c']);
  });
});
