/**
 * Statements that are built and compiled once for each connection, where only their values differ from call to call:
 * Kysely takes as long for one as SQLite for the rows of a page.
 */
import type { CompiledQuery, Kysely } from 'kysely';

/** What Kysely builds, as far as this needs it. */
interface Statement<R> {
  compile(): CompiledQuery;
  execute(): Promise<R[]>;
}

/**
 * @param build makes the statement; its parameters are to be the values, in their order, and nothing else
 * @returns what executes it. For each number of values that it is called with, one text is kept
 */
export function compiledOnce<T, R>(
  build: (db: Kysely<T>, values: readonly number[]) => Statement<R>,
): (db: Kysely<T>, values: readonly number[]) => Promise<R[]> {
  const known = new WeakMap<Kysely<T>, Map<number, CompiledQuery>>();
  return async (db, values) => {
    const ofConnection = known.get(db) ?? new Map<number, CompiledQuery>();
    known.set(db, ofConnection);
    const compiled = ofConnection.get(values.length) ?? compile(build(db, values), values);
    ofConnection.set(values.length, compiled);
    const { rows } = await db.executeQuery({ ...compiled, parameters: likeThose(compiled, values) });
    return rows as R[];
  };
}

/** @throws when the values do not stand in the text as they are given: later ones would be taken for each other */
function compile(statement: Statement<unknown>, values: readonly number[]): CompiledQuery {
  const compiled = statement.compile();
  const { sql } = compiled;
  // A list may stand there as one array (`postgres-compiler.ts`).
  const parameters = compiled.parameters.flat();
  const same = parameters.length === values.length && parameters.every((value, at) => value === values[at]);
  if (!same) throw new Error(`this statement binds other values than it was given: ${sql}`);
  return compiled;
}

/** The values in the form of the parameters that it was compiled with: of as many, some of them together in arrays. */
function likeThose({ parameters }: CompiledQuery, values: readonly number[]): readonly unknown[] {
  let at = 0;
  return parameters.map((one) => {
    const from = at;
    at += Array.isArray(one) ? one.length : 1;
    return Array.isArray(one) ? values.slice(from, at) : values[from];
  });
}
