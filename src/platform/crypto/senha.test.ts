import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashSenha, isSenha, isSenhaAntiga } from './senha.ts';

describe('a password', () => {
  it('is kept as argon2id with its parameters, never twice the same', async () => {
    const [one, two] = await Promise.all([
      hashSenha('correta cavalo bateria'),
      hashSenha('correta cavalo bateria'),
    ]);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(one, two);
    assert.equal(await isSenha('correta cavalo bateria', one), true);
    assert.equal(await isSenha('correta cavalo bateriA', one), false);
    assert.equal(isSenhaAntiga(one), false);
  });

  it('is the same however its letters are composed', async () => {
    const stored = await hashSenha('sen\u0303ao-combinada'); // n + tilde
    assert.equal(await isSenha('se\u00f1ao-combinada', stored), true);
  });

  it('hashed with other parameters still opens, and is due to be hashed anew', async () => {
    // An example of another implementation's documentation (argon2-cffi): m=64 MiB, t=3, p=4.
    const stored =
      '$argon2id$v=19$m=65536,t=3,p=4$MIIRqgvgQbgj220jfp0MPA$YfwJSVjtjSU0zzV/P3S9nnQ/USre2wvJMjfCIjrTQbg';
    assert.equal(isSenhaAntiga(stored), true);
    assert.equal(await isSenha('correct horse battery staple', stored), true);
    assert.equal(await isSenha('password', stored), false);
  });

  it('of a hash that is none opens nothing', async () => {
    for (const stored of ['', 'x', '$argon2id$v=19$m=1,t=1,p=1$$', 'scrypt$1$2$3$a$b'])
      assert.equal(await isSenha('qualquer senha', stored), false);
  });
});
