import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Folhas } from './folhas.ts';

const PAGE = 100_000;

test('a sheet is lent to one page at a time, and again once that page has left', () => {
  const folhas = new Folhas();
  const [one, two] = [folhas.take(PAGE), folhas.take(PAGE)];
  assert.notEqual(one.buffer, two.buffer);
  assert.equal(one.length, PAGE);
  folhas.giveBack(one);
  const three = folhas.take(PAGE + 1);
  assert.equal(three.buffer, one.buffer);
  assert.equal(three.length, PAGE + 1);
});

test('a page that is given back twice does not lend its sheet twice', () => {
  const folhas = new Folhas();
  const page = folhas.take(PAGE);
  folhas.giveBack(page);
  folhas.giveBack(page);
  assert.notEqual(folhas.take(PAGE).buffer, folhas.take(PAGE).buffer);
});

test('small and very large pages, and buffers of others, are never lent', () => {
  const folhas = new Folhas();
  for (const page of [folhas.take(100), folhas.take(3_000_000), Buffer.alloc(PAGE)]) {
    folhas.giveBack(page);
    assert.notEqual(folhas.take(PAGE).buffer, page.buffer);
  }
});
