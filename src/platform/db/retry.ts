import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type TransactionBuilder } from 'kysely';
import { isRetriable } from './faults.ts';

/** The first try included. */
const TRIES = 4;
/** Before the second try; doubles, with as much again by chance, so that two do not meet again. */
const FIRST_WAIT_MS = 10;

/**
 * A `Kysely` whose transactions begin anew after a serialization failure or a deadlock: of these nothing has
 * happened. A transaction's function may therefore run more than once, and leaves nothing behind but its rows.
 */
export class RetryingKysely<T> extends Kysely<T> {
  override transaction(): TransactionBuilder<T> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder);
    builder.execute = (work) => again(() => once(work));
    return builder;
  }
}

async function again<R>(act: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (tries === TRIES || !isRetriable(error)) throw error;
      const wait = FIRST_WAIT_MS * 2 ** (tries - 1);
      await sleep(wait + Math.random() * wait);
    }
  }
}
