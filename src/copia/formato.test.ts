import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { readManifesto } from './formato.ts';
import { readLinhas } from './linhas.ts';
import type { Manifesto } from './schemas-da-copia.ts';

const MANIFESTO: Manifesto = {
  formato: 'malote-copia',
  versao: 1,
  malote: '0.1.0',
  criadaEm: '2026-11-27T03:00:00.000Z',
  motor: 'sqlite',
  migracoes: [1, 2],
  tabelas: [{ nome: 'contador', linhas: 1, soma: 'ab' }],
  arquivos: { quantidade: 1, bytes: 2 },
  faltas: [],
  chaveMestra: { incluida: false, nomes: ['k1'] },
  partes: 3,
  bytes: 4,
  somas: [{ nome: 'somas/00001.sha256', sha256: 'cd' }],
};
const read = (value: unknown) => readManifesto(Buffer.from(JSON.stringify(value)));
const DANIFICADA = { name: 'ErroDeCopia', codigo: 'copia_danificada' };

describe('the manifest of a backup', () => {
  it('reads as it was written', () => assert.deepEqual(read(MANIFESTO), MANIFESTO));

  it('is damaged without any one of its fields, or with another value there', () => {
    for (const field of Object.keys(MANIFESTO)) {
      const { [field]: _, ...others } = { ...MANIFESTO } as Record<string, unknown>;
      assert.throws(() => read(others), DANIFICADA, `without ${field}`);
      for (const wrong of [null, true, {}, [null], [{}]])
        assert.throws(
          () => read({ ...others, [field]: wrong }),
          DANIFICADA,
          `${field}: ${JSON.stringify(wrong)}`,
        );
    }
    for (const wrong of ['', 'null', '[]', '3', '{"formato'])
      assert.throws(() => readManifesto(Buffer.from(wrong)), DANIFICADA, wrong);
  });

  it('of a later form asks for a newer program, whatever else it says', () => {
    assert.throws(() => read({ formato: 'malote-copia', versao: 2, malote: '9.0' }), {
      codigo: 'copia_mais_nova',
    });
  });
});

describe('a part of a backup', () => {
  const part = (...lines: unknown[]) =>
    zstdCompressSync(lines.map((line) => JSON.stringify(line)).join('\n'));
  const head = { tabela: 't', colunas: ['a', 'b'], binarias: ['b'] };

  it('gives its rows, bytes as bytes', () => {
    assert.deepEqual(readLinhas('p', part(head, [1, 'AQI='], ['x', null])), {
      tabela: 't',
      colunas: ['a', 'b'],
      linhas: [
        [1, Buffer.of(1, 2)],
        ['x', null],
      ],
    });
  });

  it('is damaged where a line is no row of its columns', () => {
    for (const bad of [
      { ...head, colunas: 'ab' },
      { ...head, binarias: null },
      { ...head, binarias: ['c'] },
      null,
    ])
      assert.throws(() => readLinhas('p', part(bad, [1, 'AQI='])), DANIFICADA, JSON.stringify(bad));
    for (const bad of [[1], [1, 2, 3], {}, 5, [{}, 'AQI='], [1, [2]]])
      assert.throws(() => readLinhas('p', part(head, bad)), DANIFICADA, JSON.stringify(bad));
  });
});
