import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConfigError } from '../config.ts';
import { readEmissores } from './emissores-externos.ts';

const read = (...entries: unknown[]) => readEmissores(JSON.stringify(entries));
const entry = { issuer: 'https://sso.example/realms/x', audience: 'malote' };

it('an issuer and an audience suffice: RS256, discovery at the usual place, our own claim', () => {
  assert.deepEqual(readEmissores(''), []);
  assert.deepEqual(read(entry), [
    {
      issuer: 'https://sso.example/realms/x',
      chaves: { discovery: 'https://sso.example/realms/x/.well-known/openid-configuration' },
      audience: ['malote'],
      algs: ['RS256'],
      claimCrm: ['codigosCrm'],
      claimCliente: null,
      clientes: null,
      papel: null,
    },
  ]);
});

it('a trailing slash of the issuer stays in what is compared, and is not doubled in the address', () => {
  const [first] = read({ ...entry, issuer: 'https://sso.example/' });
  assert.equal(first?.issuer, 'https://sso.example/');
  assert.deepEqual(first?.chaves, { discovery: 'https://sso.example/.well-known/openid-configuration' });
});

it('names of claims are paths, or whole behind a slash', () => {
  const [first] = read({
    ...entry,
    claimCrm: 'a.b',
    claimCliente: '/https://x.y/z',
    papel: 'p',
    claimPapel: 'r',
  });
  assert.deepEqual(first?.claimCrm, ['a', 'b']);
  assert.deepEqual(first?.claimCliente, ['https://x.y/z']);
  assert.deepEqual(first?.papel, { nome: 'p', claim: ['r'] });
});

it('every fault is told with the entry and the field', () => {
  const faults: [text: string, where: RegExp][] = [
    ['{', /não é JSON válido/],
    ['{}', /lista JSON/],
    ['[1]', /item 1: deve ser um objeto/],
    [JSON.stringify([entry, { ...entry, issuer: 'x' }]), /item 2: issuer/],
    [JSON.stringify([entry, entry]), /mesmo issuer/],
    [JSON.stringify([{ ...entry, audience: [] }]), /item 1: audience/],
    [JSON.stringify([{ issuer: entry.issuer }]), /item 1: audience/],
    [JSON.stringify([{ ...entry, algs: ['HS256'] }]), /item 1: algs: só RS256, PS256, ES256/],
    [JSON.stringify([{ ...entry, algs: 'none' }]), /item 1: algs/],
    [JSON.stringify([{ ...entry, jwksUri: 'file:///x' }]), /item 1: jwksUri/],
    [JSON.stringify([{ ...entry, jwksUri: entry.issuer, discovery: entry.issuer }]), /não os dois/],
    [JSON.stringify([{ ...entry, papel: 'x' }]), /item 1: claimPapel/],
    [JSON.stringify([{ ...entry, claimPapel: 'x' }]), /item 1: papel/],
    [JSON.stringify([{ ...entry, jwks: 'x' }]), /campo desconhecido "jwks"/],
  ];
  for (const [text, where] of faults)
    assert.throws(
      () => readEmissores(text),
      (error: Error) => error instanceof ConfigError && where.test(error.message),
      text,
    );
});
