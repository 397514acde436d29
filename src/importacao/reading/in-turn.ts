import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does tasks one behind the other, each only when the one before it has been told. Piscina awaits what a task gives before
 * it tells it: of several that a thread is given at once, all would be done before the first is told.
 */
export function inTurn<Task, Answer>(act: (task: Task) => Answer): (task: Task) => Promise<Answer> {
  let before: Promise<unknown> = Promise.resolve();
  return (task) => {
    const answer = before.then(() => act(task));
    before = answer.catch(() => {}).then(() => nextTurn());
    return answer;
  };
}
