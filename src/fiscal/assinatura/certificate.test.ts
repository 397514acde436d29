import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import forge from 'node-forge';
import { issue } from './amostras-de-teste.ts';
import { signerOf } from './certificate.ts';

const field = (name: string, value: string): forge.pki.CertificateField => ({
  name,
  value,
  valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class,
});
const cn = (value: string) => field('commonName', value);

describe('the name of a signer', () => {
  const names: [what: string, name: forge.pki.CertificateField[], expected: string | null][] = [
    [
      'is its CN',
      [field('countryName', 'BR'), cn('PADARIA LTDA:12345678000195')],
      'PADARIA LTDA:12345678000195',
    ],
    ['keeps its accents', [cn('INDÚSTRIA DE MÓVEIS LTDA')], 'INDÚSTRIA DE MÓVEIS LTDA'],
    ['keeps what a name writes otherwise', [cn('A, B + C "D" <E> \\ F; G')], 'A, B + C "D" <E> \\ F; G'],
    ['has no spaces around it', [cn(' PADARIA ')], 'PADARIA'],
    ['is the last of several', [cn('AC TESTE'), cn('PADARIA')], 'PADARIA'],
    ['is the last of several, also if one is intricate', [cn('A, B'), cn('PADARIA')], 'PADARIA'],
    ['is no line of another attribute', [field('organizationName', 'X\nCN=Y'), cn('PADARIA')], 'PADARIA'],
    ['is missing where there is no CN', [field('organizationName', 'CN=Y')], null],
    ['is missing where the CN is blank', [cn('  ')], null],
  ];
  for (const [what, name, expected] of names) {
    it(what, () => {
      const { certificate } = issue(1024, name);
      const { titular, emissor } = signerOf(certificate, Buffer.from(certificate));
      assert.deepEqual({ titular, emissor }, { titular: expected, emissor: expected });
    });
  }
});
