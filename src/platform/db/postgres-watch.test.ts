import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseAwayError } from './faults.ts';
import { PostgresWatch, type WatchedConnection } from './postgres-watch.ts';

const LATE_MS = 40;
const LOOK_EVERY_MS = 5;

/** A connection whose statement ends when it is told to, or is cut off. */
class Conexao implements WatchedConnection {
  readonly processID: number;
  readonly #statement = Promise.withResolvers<string>();
  cut = false;

  constructor(processID: number) {
    this.processID = processID;
  }

  get statement(): Promise<string> {
    return this.#statement.promise;
  }

  answer(): void {
    this.#statement.resolve('answered');
  }

  readonly connection = {
    stream: {
      destroy: () => {
        this.cut = true;
        this.#statement.reject(new Error('Connection terminated'));
      },
    },
  };
}

let watch: PostgresWatch;
let now = 0;
let asked = 0;
let answer: () => Promise<ReadonlySet<number>>;
beforeEach(() => {
  [now, asked] = [0, 0];
  mock.timers.enable({ apis: ['setInterval'] });
  mock.method(performance, 'now', () => now);
  const ask = () => {
    asked += 1;
    return answer();
  };
  watch = new PostgresWatch({ ask, lateMs: LATE_MS, lookEveryMs: LOOK_EVERY_MS });
});
afterEach(() => {
  watch.close();
  mock.timers.reset();
  mock.reset();
});

/** A clock that goes on when it is told to. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += LOOK_EVERY_MS) {
    now += LOOK_EVERY_MS;
    mock.timers.tick(LOOK_EVERY_MS);
    await turn();
  }
}

describe('a statement whose answer is late', () => {
  it('goes on as long as the server answers others', async () => {
    answer = async () => new Set();
    const slow = new Conexao(1);
    const ended = watch.during(slow, slow.statement);
    await pass(LATE_MS);
    assert.equal(asked, 0);
    await pass(3 * LOOK_EVERY_MS);
    assert.equal(asked, 3);
    watch.requireAnswering();
    slow.answer();
    assert.equal(await ended, 'answered');
    await pass(3 * LATE_MS);
    assert.equal(asked, 3, 'nobody asks while nothing is late');
  });

  it('fails with all others when the server does not answer, and so does what comes until it does', async () => {
    answer = () => Promise.reject(new Error('timeout'));
    const [late, fresh] = [new Conexao(1), new Conexao(2)];
    const first = assert.rejects(watch.during(late, late.statement), /terminated/);
    await pass(LATE_MS / 2);
    const second = assert.rejects(watch.during(fresh, fresh.statement), /terminated/);
    await pass(LATE_MS / 2 + LOOK_EVERY_MS);
    await Promise.all([first, second]);
    assert.throws(() => watch.requireAnswering(), DatabaseAwayError);
    assert.equal(watch.outages, 1);
    await pass(2 * LOOK_EVERY_MS);
    assert.deepEqual([asked, watch.outages], [3, 1], 'it is the same outage');
    assert.throws(() => watch.requireAnswering(), DatabaseAwayError);
    answer = async () => new Set();
    await pass(LOOK_EVERY_MS);
    watch.requireAnswering();
  });

  it('fails alone when the server has nothing in work for it and its answer does not come', async () => {
    answer = async () => new Set([7]);
    const [lost, long] = [new Conexao(7), new Conexao(8)];
    const ended = assert.rejects(watch.during(lost, lost.statement), /terminated/);
    const goesOn = watch.during(long, long.statement);
    await pass(LATE_MS + LOOK_EVERY_MS);
    assert.deepEqual([asked, lost.cut], [1, false], 'it may be on its way');
    await pass(LOOK_EVERY_MS);
    await ended;
    assert.deepEqual([asked, long.cut], [2, false]);
    long.answer();
    await goesOn;
  });
});
