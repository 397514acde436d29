import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseAwayError } from './faults.ts';
import { PostgresWatch, type WatchedConnection } from './postgres-watch.ts';

const LATE_MS = 40;

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
let asked = 0;
let answer: () => Promise<ReadonlySet<number>>;
function start(): void {
  asked = 0;
  const ask = () => {
    asked += 1;
    return answer();
  };
  watch = new PostgresWatch({ ask, lateMs: LATE_MS, lookEveryMs: 5 });
}
afterEach(() => watch.close());

/** Until it was asked so many times more. */
async function askedAgain(times: number): Promise<void> {
  const before = asked;
  while (asked < before + times) await delay(2);
  await delay(2);
}

describe('a statement whose answer is late', () => {
  it('goes on as long as the server answers others', async () => {
    answer = async () => new Set();
    start();
    const slow = new Conexao(1);
    const ended = watch.during(slow, slow.statement);
    await askedAgain(3);
    watch.requireAnswering();
    slow.answer();
    assert.equal(await ended, 'answered');
    const before = asked;
    await delay(3 * LATE_MS);
    assert.equal(asked, before, 'nobody asks while nothing is late');
  });

  it('fails with all others when the server does not answer, and so does what comes until it does', async () => {
    answer = () => Promise.reject(new Error('timeout'));
    start();
    const [late, fresh] = [new Conexao(1), new Conexao(2)];
    const first = watch.during(late, late.statement);
    await delay(LATE_MS / 2);
    const second = watch.during(fresh, fresh.statement);
    await assert.rejects(first, /terminated/);
    await assert.rejects(second, /terminated/);
    assert.throws(() => watch.requireAnswering(), DatabaseAwayError);
    assert.equal(watch.outages, 1);
    await askedAgain(2);
    assert.equal(watch.outages, 1, 'it is the same outage');
    answer = async () => new Set();
    await askedAgain(1);
    watch.requireAnswering();
  });

  it('fails alone when the server has nothing in work for it and its answer does not come', async () => {
    answer = async () => new Set([7]);
    start();
    const [lost, long] = [new Conexao(7), new Conexao(8)];
    const ended = watch.during(lost, lost.statement);
    const goesOn = watch.during(long, long.statement);
    await assert.rejects(ended, /terminated/);
    assert.ok(asked >= 2, 'it may have been on its way the first time');
    assert.equal(long.cut, false);
    long.answer();
    await goesOn;
  });
});
