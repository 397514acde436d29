import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readProvedores } from './ler-provedores.ts';

const GOOGLE = {
  id: 'google',
  nome: 'Google',
  issuer: 'https://accounts.google.com',
  clientId: 'a',
  clientSecret: 'segredo-que-ninguem-le',
};

describe('MALOTE_ENTRAR_COM', () => {
  it('has defaults for what may be left out', () => {
    const [one] = readProvedores(JSON.stringify([GOOGLE]));
    assert.deepEqual(one, {
      ...GOOGLE,
      scope: 'openid email profile',
      claimEmail: 'email',
      confiaNoEmail: false,
      dominios: null,
    });
    assert.deepEqual(readProvedores(''), []);
  });

  it('names what is wrong, and never repeats a secret', () => {
    for (const [text, expected] of [
      ['{', /não é JSON/],
      ['{}', /lista/],
      [JSON.stringify([{ ...GOOGLE, id: 'retorno' }]), /item 1: id/],
      [JSON.stringify([{ ...GOOGLE, id: 'Google' }]), /item 1: id/],
      [
        JSON.stringify([{ ...GOOGLE, issuer: 'http://sso.exemplo.com.br' }]),
        /issuer deve ser um endereço https/,
      ],
      [JSON.stringify([{ ...GOOGLE, clientId: undefined }]), /clientId/],
      [JSON.stringify([{ ...GOOGLE, confiaNoEmail: 'sim' }]), /confiaNoEmail/],
      [JSON.stringify([{ ...GOOGLE, senha: 1 }]), /campo desconhecido "senha"/],
      [JSON.stringify([GOOGLE, GOOGLE]), /mesmo id/],
    ] as const) {
      assert.throws(
        () => readProvedores(text),
        (error: Error) => expected.test(error.message) && !error.message.includes(GOOGLE.clientSecret),
        text,
      );
    }
  });
});
