import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Folhas } from './folhas.ts';

const PAGE = 100_000;
/** As large as its sheet. */
const WHOLE_SHEET = 2 ** 17;

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
  const page = folhas.take(WHOLE_SHEET);
  folhas.giveBack(page);
  folhas.giveBack(page);
  const [one, two] = [folhas.take(PAGE), folhas.take(PAGE)];
  assert.equal(one.length, PAGE);
  assert.notEqual(one.buffer, two.buffer);
});

test('small and very large pages, and buffers of others, are never lent', () => {
  const folhas = new Folhas();
  for (const page of [folhas.take(100), folhas.take(3_000_000), Buffer.alloc(PAGE)]) {
    folhas.giveBack(page);
    assert.notEqual(folhas.take(PAGE).buffer, page.buffer);
  }
});

test('a page with memory of its own gives that back at once', () => {
  const own = Buffer.from(new ArrayBuffer(3_000_000));
  new Folhas().giveBack(own);
  assert.equal(own.length, 0);
});

test('as many connections as read at once get the same sheets again and again', () => {
  const folhas = new Folhas();
  const pages = (bytes: number) => Array.from({ length: 32 }, () => folhas.take(bytes));
  for (const bytes of [12_000, 20_000, 53_000, 450_000]) {
    const first = pages(bytes);
    const sheets = new Set(first.map(({ buffer }) => buffer));
    assert.equal(sheets.size, 32);
    for (const page of first) folhas.giveBack(page);
    for (const page of pages(bytes - 1)) assert.ok(sheets.has(page.buffer), String(bytes));
  }
});

test('sheets of one size give way to those of another that is read now', () => {
  const folhas = new Folhas();
  const lent = (bytes: number, count: number) => Array.from({ length: count }, () => folhas.take(bytes));
  for (const page of lent(1_000_000, 40)) folhas.giveBack(page);
  const small = lent(50_000, 64);
  for (const page of small) folhas.giveBack(page);
  const again = new Set(lent(50_000, 64).map(({ buffer }) => buffer));
  assert.deepEqual(again, new Set(small.map(({ buffer }) => buffer)));
  const large = lent(1_000_000, 40).map(({ buffer }) => buffer);
  assert.equal(new Set(large).size, 40);
});
