/** Names that every JavaScript object has are texts like any other, wherever they stand in a document. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lerConteudo } from '../src/fiscal/ler.ts';
import type { Peca } from '../src/fiscal/tipos.ts';
import { todasAsSementes } from './sementes/todas.ts';

const NOMES = ['constructor', '__proto__'];
const validador = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};

/** Each document once for each of its texts, with that text replaced. */
function* comTextoTrocado(xml: string, nome: string): Generator<string> {
  for (const found of xml.matchAll(/>([^<>\s][^<>]{0,60})<\//g)) {
    const at = found.index + 1;
    yield xml.slice(0, at) + nome + xml.slice(at + (found[1]?.length ?? 0));
  }
}

/** Each document once for each name of an element, with that name replaced everywhere. */
function* comElementoTrocado(xml: string, nome: string): Generator<string> {
  const names = new Set([...xml.matchAll(/<([A-Za-z_][\w.-]*)/g)].map(([, name = '']) => name));
  for (const name of names) yield xml.replaceAll(new RegExp(`(</?)${name}(?=[\\s/>])`, 'g'), `$1${nome}`);
}

describe('names of objects', () => {
  for (const { familia, nome, bytes } of todasAsSementes()) {
    it(`are read as text in ${familia}`, () => {
      const xml = bytes.toString('latin1');
      for (const hostil of NOMES) {
        for (const changed of [...comTextoTrocado(xml, hostil), ...comElementoTrocado(xml, hostil)]) {
          const pecas: Peca[] = lerConteudo({ bytes: Buffer.from(changed, 'latin1'), nome }, { validador });
          // What travels between threads and into rows holds values only.
          assert.doesNotThrow(() => structuredClone(pecas), changed.slice(0, 200));
        }
      }
    });
  }
});
