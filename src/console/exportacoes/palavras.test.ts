import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as telas from '../../../console/src/partes/nomes.ts';
import {
  nomeDaEspecie,
  nomeDaFinalidade,
  nomeDaManifestacao,
  nomeDaOrigem,
  nomeDoPapel,
} from './palavras.ts';

const MODELOS: Readonly<Record<string, string>> = {
  55: 'NFe',
  65: 'NFCe',
  57: 'CTe',
  67: 'CTeOS',
  64: 'GTVe',
  59: 'CFe',
  62: 'NFCom',
  66: 'NF3e',
  75: 'NFAg',
  76: 'NFGas',
  77: 'NFABI',
  NFSe: 'NFSe',
};

describe('a file says what the screen says', () => {
  const pairs: [string, Readonly<Record<string, string>>, (palavra: string) => string | null][] = [
    ['roles', telas.PAPEIS_NO_DOCUMENTO, nomeDoPapel],
    ['purposes', telas.FINALIDADES, nomeDaFinalidade],
    ['what was declared', telas.MANIFESTACOES, nomeDaManifestacao],
  ];
  for (const [of, naTela, noArquivo] of pairs)
    it(`of ${of}`, () => {
      for (const [palavra, nome] of Object.entries(naTela)) assert.equal(noArquivo(palavra), nome);
    });

  it('of kinds of documents', () => {
    for (const [modelo, especie] of Object.entries(MODELOS))
      assert.equal(nomeDaEspecie(especie), telas.nomeDoModelo(modelo));
  });

  it('of where a purpose comes from, which begins a cell there', () => {
    for (const [palavra, nome] of Object.entries(telas.ORIGENS_DE_FINALIDADE))
      assert.equal(nomeDaOrigem(palavra)?.toLowerCase(), nome.toLowerCase());
  });
});
