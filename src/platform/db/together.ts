import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { engineOf } from './engine.ts';

/**
 * Several acts of one transaction that do not need each other. On PostgreSQL each begins once the first statement of the one
 * before is on its way: its rows are made while the server works. On SQLite, whose statements are this thread's own work,
 * they are done one after the other.
 *
 * When one fails, all that have begun are waited for: nothing may go on behind the rollback.
 * @returns what each gave, in their order
 * @throws what failed first; of the later statements PostgreSQL says no more than that one before has failed
 */
export async function together<DB, T extends readonly unknown[]>(
  trx: Transaction<DB>,
  acts: readonly [...{ [K in keyof T]: () => Promise<T[K]> }],
): Promise<T> {
  const results: unknown[] = [];
  if (engineOf(trx) === 'sqlite') {
    for (const act of acts) results.push(await act());
    return results as unknown as T;
  }
  const begun: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (const [at, act] of acts.entries()) {
    if (at > 0) await nextTurn();
    if (failures.length > 0) break;
    // An act may also throw at once, as it makes its rows.
    const done = async () => {
      results[at] = await act();
    };
    begun.push(done().catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(begun);
  if (failures.length > 0) throw failures[0];
  return results as unknown as T;
}
