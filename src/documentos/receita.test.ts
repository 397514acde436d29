import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DEFLACOES, deflacaoComo, escreverReceita, lerReceita, montar, type Passo } from './receita.ts';

const passo: fc.Arbitrary<Passo> = fc.letrec<{ passo: Passo; passos: Passo[] }>((tie) => ({
  passo: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 50 }).map((bytes): Passo => ({ kind: 'bytes', bytes: Buffer.from(bytes) })),
    fc.integer({ min: 1, max: 2 ** 40 }).map((versaoId): Passo => ({ kind: 'documento', versaoId })),
    fc
      .tuple(fc.constantFrom(...DEFLACOES), tie('passos'))
      .map(([deflacao, passos]): Passo => ({ kind: 'deflate', deflacao, passos })),
  ),
  passos: fc.array(tie('passo'), { maxLength: 4, depthIdentifier: 'passos' }),
})).passo;

describe('the recipe of an upload', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(passo, { maxLength: 5 }), (passos) => {
        assert.deepEqual(lerReceita(escreverReceita(passos)), passos);
      }),
    );
  });

  test('gives the bytes again', () => {
    const documento = Buffer.from('<nota/>'.repeat(100));
    const deflacao = { level: 6, memLevel: 8 };
    const passos: Passo[] = [
      { kind: 'bytes', bytes: Buffer.from('head') },
      { kind: 'deflate', deflacao, passos: [{ kind: 'documento', versaoId: 7 }] },
      { kind: 'bytes', bytes: Buffer.from('tail') },
    ];
    assert.deepEqual(
      Buffer.concat([...montar(passos, (id) => (id === 7 ? documento : Buffer.alloc(0)))]),
      Buffer.concat([Buffer.from('head'), deflacaoComo(documento, deflacao), Buffer.from('tail')]),
    );
  });

  test('that is damaged, cut or of a later version is refused', () => {
    const receita = escreverReceita([
      { kind: 'bytes', bytes: randomBytes(200) },
      { kind: 'documento', versaoId: 9 },
    ]);
    for (let at = 0; at < receita.length; at++) {
      const damaged = new Uint8Array(receita);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      assert.throws(() => lerReceita(damaged), `byte ${at}`);
      assert.throws(() => lerReceita(receita.subarray(0, at)), `cut at ${at}`);
    }
  });

  // Recipes that are stored count on these very bytes. If this fails, the Node in use deflates otherwise than the one
  // they were written with: uploads could not be given back byte for byte any more. Do not change the hashes.
  test('counts on a zlib that gives the same bytes for ever', () => {
    const words = ['<det nItem="', '"><prod><cProd>', '</cProd><vProd>', '.00</vProd></prod></det>', '\r\n'];
    let seed = 1;
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed;
    };
    const text = Buffer.from(
      Array.from({ length: 6_000 }, () => `${words[next() % words.length]}${next() % 1_000}`).join(''),
    );
    const hashes = DEFLACOES.map((deflacao) =>
      createHash('sha256').update(deflacaoComo(text, deflacao)).digest('hex').slice(0, 12),
    );
    assert.deepEqual(hashes, [
      '22621c8eca73',
      '22621c8eca73',
      'e50c509b552b',
      'e50c509b552b',
      'd48a691b2fd2',
      '85deab319e51',
      '283bdad89aa2',
      '534e43489562',
      'e50c509b552b',
      'e50c509b552b',
      '6bc65cfa9bf6',
      '6bc65cfa9bf6',
      '53cfa2a95366',
      '677c2698ec96',
      '38f2ee72213e',
      '38f2ee72213e',
      '75bae4513152',
      'c55e764e4567',
    ]);
  });
});
