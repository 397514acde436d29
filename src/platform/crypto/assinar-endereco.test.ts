import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { signAddress, verifyAddress } from './assinar-endereco.ts';

const secret = Buffer.alloc(32, 7);
const address = { parts: ['GET', 'download', '42'], expiresAtSeconds: 1_790_000_000 };

test('a signature is accepted for its own address and secret', () => {
  const signature = signAddress(secret, address);
  assert.match(signature, /^[A-Za-z0-9+/]{43}=$/);
  assert.equal(verifyAddress(secret, address, signature), true);
  assert.equal(verifyAddress(Buffer.alloc(32, 8), address, signature), false);
});

test('another expiry, part or division into parts is refused', () => {
  const signature = signAddress(secret, address);
  for (const other of [
    { ...address, expiresAtSeconds: address.expiresAtSeconds + 1 },
    { ...address, parts: ['PUT', 'download', '42'] },
    { ...address, parts: ['GET', 'download', '43'] },
    { ...address, parts: ['GET', 'download42', ''] },
  ]) {
    assert.equal(verifyAddress(secret, other, signature), false);
  }
});

test('every altered character and every other spelling of the signature is refused', () => {
  const signature = signAddress(secret, address);
  for (let at = 0; at < signature.length; at++) {
    for (const character of ['A', 'b', '+', '_', '=', ' ']) {
      const altered = signature.slice(0, at) + character + signature.slice(at + 1);
      if (altered !== signature) assert.equal(verifyAddress(secret, address, altered), false, altered);
    }
  }
  for (const spelling of [
    signature.replace('=', ''),
    `${signature}=`,
    ` ${signature}`,
    `${signature}\n`,
    '',
  ]) {
    assert.equal(verifyAddress(secret, address, spelling), false, spelling);
  }
});

test('a part with a line feed cannot be signed, since it could pass for two parts', () => {
  assert.throws(() => signAddress(secret, { ...address, parts: ['GET\ndownload'] }));
});

test('the signature is the HMAC that every library makes, whatever the length of the key', () => {
  for (const length of [1, 32, 63, 64, 65, 200]) {
    const key = Buffer.alloc(length, 'chave');
    const address = { parts: ['GET', 'download', '7'], expiresAtSeconds: 1_800_000_000 };
    const text = 'MLT1\nGET\ndownload\n7\n1800000000';
    assert.equal(signAddress(key, address), createHmac('sha256', key).update(text).digest('base64'));
    assert.equal(signAddress(key, address), signAddress(Buffer.from(key), address));
  }
});

test('the signature is that HMAC whatever the text: long ones, accents, a short one behind a long one', () => {
  const texts = ['x'.repeat(5_000), 'a', 'ç'.repeat(300), 'x'.repeat(340), 'x'.repeat(342), '', '42'];
  for (const part of texts) {
    const expected = createHmac('sha256', secret).update(`MLT1\nGET\n${part}\n1800000000`).digest('base64');
    const address = { parts: ['GET', part], expiresAtSeconds: 1_800_000_000 };
    assert.equal(signAddress(secret, address), expected, `${part.length} characters`);
    assert.equal(verifyAddress(secret, address, expected), true);
  }
});
