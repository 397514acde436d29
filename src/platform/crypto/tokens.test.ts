import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alterado } from '../../../test/support/alterado.ts';
import { base62 } from './base62.ts';
import { hashSecret, isSecret, makeSecret } from './segredo.ts';
import { hashToken, isTokenShaped, makeToken } from './token-opaco.ts';

test('base 62 pads to a fixed length and orders digits before letters', () => {
  assert.equal(base62(Buffer.from([0]), 3), '000');
  assert.equal(base62(Buffer.from([61]), 2), '0z');
  assert.equal(base62(Buffer.from([62]), 2), '10');
  assert.equal(base62(Buffer.alloc(32, 255), 43).length, 43);
});

test('a token has prefix, 43 random characters and a checksum that a typing error breaks', () => {
  const token = makeToken('mlt');
  assert.match(token, /^mlt_[0-9A-Za-z]{49}$/);
  assert.equal(isTokenShaped(token, 'mlt'), true);
  for (let at = 4; at < token.length; at++) {
    const typo = alterado(token, at);
    assert.equal(isTokenShaped(typo, 'mlt'), false, typo);
  }
  assert.equal(isTokenShaped(`${token}\n`, 'mlt'), false);
  assert.equal(isTokenShaped(token, 'mlc'), false);
});

test('two tokens differ, and so do their hashes', () => {
  const [a, b] = [makeToken('mlt'), makeToken('mlt')];
  assert.notEqual(a, b);
  assert.notEqual(hashToken(a), hashToken(b));
  assert.match(hashToken(a), /^[0-9a-f]{64}$/);
});

test('a secret is known by its hash, which holds its parameters and never the secret', async () => {
  const secret = makeSecret();
  const stored = await hashSecret(secret);
  assert.match(stored, /^scrypt\$32768\$8\$1\$/);
  assert.ok(!stored.includes(secret));
  assert.equal(await isSecret(secret, stored), true);
  assert.equal(await isSecret(`${secret}x`, stored), false);
  assert.equal(await isSecret(secret, 'md5$x'), false);
});
