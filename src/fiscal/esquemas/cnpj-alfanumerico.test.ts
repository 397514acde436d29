import assert from 'node:assert/strict';
import { it } from 'node:test';
import { acceptAlphanumericCnpj } from './cnpj-alfanumerico.ts';

const widen = (pattern: string): string => {
  const xsd = `<xs:restriction base="xs:string"><xs:pattern value="${pattern}"/></xs:restriction>`;
  const text = Buffer.from(acceptAlphanumericCnpj(Buffer.from(xsd))).toString();
  return /value="([^"]*)"/.exec(text)?.[1] ?? '';
};
const CNPJ = '[0-9A-Z]{12}[0-9]{2}';
const CHAVE = '[0-9]{6}[0-9A-Z]{12}[0-9]{26}';

it('takes letters in the first twelve positions of a CNPJ, optional or not', () => {
  assert.equal(widen('[0-9]{14}'), CNPJ);
  assert.equal(widen('[0-9]{0}|[0-9]{14}'), `[0-9]{0}|${CNPJ}`);
  assert.equal(widen('[0-9]{3,14}'), `[0-9]{3,14}|${CNPJ}`);
});

it('takes letters only in the CNPJ part of a key and of the Ids that hold one', () => {
  assert.equal(widen('[0-9]{44}'), CHAVE);
  assert.equal(widen('NFe[0-9]{44}'), `NFe${CHAVE}`);
  assert.equal(widen('ID[0-9]{52}'), 'ID[0-9]{12}[0-9A-Z]{12}[0-9]{28}');
  assert.equal(widen('ID[0-9]{41}'), 'ID[0-9]{4}[0-9A-Z]{12}[0-9]{25}');
});

it('takes letters in the key of a QR code, before and after the emission type', () => {
  const before = String.raw`((HTTPS?|https?)://.*\?p=([0-9]{34}(1|3|4)[0-9]{9})\|[3]\|[1-2]\|(([0-9]{3,14})?))`;
  const after = String.raw`((HTTPS?|https?)://.*\?p=([0-9]{6}[0-9A-Z]{12}[0-9]{16}(1|3|4)[0-9]{9})\|[3]\|[1-2]\|(([0-9]{3,14}|[0-9A-Z]{12}[0-9]{2})?))`;
  assert.equal(widen(before), after);
});

it('leaves alone what is neither CNPJ nor key', () => {
  for (const pattern of [
    '[0-9]{11}',
    'ID[0-9]{15}',
    'SEM GTIN|[0-9]{0}|[0-9]{8}|[0-9]{12,14}',
    '[0-9]{14}[A-Z]',
    CNPJ,
    CHAVE,
  ]) {
    assert.equal(widen(pattern), pattern);
  }
});

it('takes numbers of protocols with up to 17 digits', () => {
  assert.equal(widen('[0-9]{15}'), '[0-9]{15,17}');
  assert.equal(widen('[0-9]{15}|[0-9]{17}'), '[0-9]{15,17}|[0-9]{17}');
});

it('gives a schema without such a pattern back as it is, whatever its encoding', () => {
  const latin1 = Buffer.from('<xs:documentation>Inscrição [0-9]{14}</xs:documentation>', 'latin1');
  assert.equal(acceptAlphanumericCnpj(latin1), latin1);
});

it('keeps other bytes of a schema that it changes', () => {
  const latin1 = Buffer.from("<!-- Chave é --><xs:pattern value='[0-9]{44}'/>", 'latin1');
  assert.equal(
    Buffer.from(acceptAlphanumericCnpj(latin1)).toString('latin1'),
    `<!-- Chave é --><xs:pattern value='${CHAVE}'/>`,
  );
});
