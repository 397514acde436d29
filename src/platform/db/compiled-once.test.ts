import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBanco } from '../../../test/support/bancos.ts';
import { compiledOnce } from './compiled-once.ts';
import type { Database } from './connect.ts';

interface Tables {
  conta: { id: number; nome: string };
}

const rows = [1, 2, 3, 4].map((id) => ({ id, nome: `conta ${id}` }));

async function opened() {
  const { db, close } = await openBanco();
  const { write } = db as unknown as Database<Tables>;
  await write.schema.createTable('conta').addColumn('id', 'integer').addColumn('nome', 'text').execute();
  await write.insertInto('conta').values(rows).execute();
  return { db: write, close };
}

test('a statement is built once for each number of values, and executed with its own', async () => {
  const { db, close } = await opened();
  let built = 0;
  const find = compiledOnce((one: typeof db, ids) => {
    built += 1;
    return one.selectFrom('conta').selectAll().where('id', 'in', ids).orderBy('id');
  });
  const nomes = async (...ids: number[]) => (await find(db, ids)).map(({ nome }) => nome);
  assert.deepEqual(await nomes(1, 3), ['conta 1', 'conta 3']);
  assert.deepEqual(await nomes(2, 4), ['conta 2', 'conta 4']);
  assert.deepEqual(await nomes(2), ['conta 2']);
  assert.equal(built, 2);
  await close();
});

test('lists of any length, alone and beside other values, are executed with their own values each time', async () => {
  const { db, close } = await opened();
  const among = compiledOnce((one: typeof db, [from = 0, ...ids]) =>
    one.selectFrom('conta').select('id').where('id', '>=', from).where('id', 'in', ids).orderBy('id'),
  );
  const find = async (...values: number[]) => (await among(db, values)).map(({ id }) => id);
  assert.deepEqual(await find(1, 1, 2, 3, 4, 5), [1, 2, 3, 4]);
  assert.deepEqual(await find(3, 5, 4, 3, 2, 1), [3, 4]);
  assert.deepEqual(await find(2, 4, 4, 9, 8), [4]);
  assert.deepEqual(await find(2, 2, 3), [2, 3]);
  await close();
});

test('a statement that binds its values in another order is refused', async () => {
  const { db, close } = await opened();
  const find = compiledOnce((one: typeof db, [from = 0, to = 0]) =>
    one.selectFrom('conta').selectAll().where('id', '<=', to).where('id', '>=', from),
  );
  await assert.rejects(find(db, [1, 2]), /binds other values/);
  await close();
});
