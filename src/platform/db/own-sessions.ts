/**
 * What a session of PostgreSQL is told once holds for its connection: the office that it works for (the wall between
 * offices), the statements that it has prepared, the lock that it holds. A pooler that hands sessions round between
 * connections breaks all of that without a word: pages that have rows would come out empty.
 */
import type pg from 'pg';

/** With the most common order of giving sessions out one would do. */
const TRIES = 5;

/**
 * Whether the server itself is at the other end. Its greeting gives the number of its session (BackendKeyData, PostgreSQL's
 * protocol 55.7); a pooler's greeting gives a number of the pooler's own.
 */
export async function isDirect(client: pg.Client): Promise<boolean> {
  const { processID } = client as pg.Client & { processID?: number | null };
  return processID === (await sessionOf(client));
}

/**
 * Whether two connections of one address, which nobody else uses, keep the sessions that they have while the other one is
 * in a transaction.
 */
export async function keepTheirSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  for (let time = 0; time < TRIES; time++) {
    const session = await sessionOf(one);
    // Where there is one session for all, the first of these tells: the second question would wait for ever.
    if (!(await begins(other)) || (await sessionOf(other)) === session) return false;
    if ((await sessionOf(one)) !== session) return false;
    await other.query('rollback');
  }
  return true;
}

/** A pooler that hands sessions round between statements knows no transactions. */
async function begins(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin');
    return true;
  } catch (error) {
    if ((error as { severity?: string }).severity === undefined) throw error;
    return false;
  }
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? Number.NaN;
}
