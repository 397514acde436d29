import assert from 'node:assert/strict';
import { it } from 'node:test';
import { municipioDaChave, municipioDe } from './cidades.ts';
import { NOMES_DOS_MUNICIPIOS } from './municipios.ts';

it('cities that the Receita numbers are cities of IBGE, by four digits or fewer', () => {
  const codes = new Set(
    NOMES_DOS_MUNICIPIOS.trim()
      .split('\n')
      .flatMap((row) => {
        const [, digits = '', ...cities] = row.split(' ');
        return cities.map((city) => digits + city.slice(-5));
      }),
  );
  const known = Array.from({ length: 10_000 }, (_, tom) => municipioDe(String(tom).padStart(4, '0'))).filter(
    (ibge) => ibge !== null,
  );
  assert.ok(known.length >= 50);
  assert.equal(new Set(known).size, known.length);
  for (const ibge of known) assert.ok(codes.has(ibge), ibge);
  assert.deepEqual([municipioDe('8291'), municipioDe('139')], ['4214805', '1200401']);
  assert.deepEqual([municipioDe('9999'), municipioDaChave('9999')], [null, '0009999']);
});
