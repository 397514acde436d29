import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { descricaoDoCodigo } from './documento/codigos.ts';
import { rotuloDe, tituloDe } from './documento/rotulos.ts';
import { faultOfPasta } from './exportacoes/pasta.ts';

describe('names that every object has', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    it(`${name} is nothing that the console knows`, () => {
      assert.equal(typeof rotuloDe(name), 'string');
      assert.equal(typeof tituloDe(name), 'string');
      assert.equal(descricaoDoCodigo(name, 'name', 'ide'), null);
      assert.equal(descricaoDoCodigo('tpNF', name, 'ide'), null);
      assert.match(faultOfPasta(`{${name}}`) ?? '', /não existe/);
    });
  }
});
