import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DEFLACOES, deflacaoComo, montar, type Passo, readReceita, writeReceita } from './receita.ts';

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
        assert.deepEqual(readReceita(writeReceita(passos)), passos);
      }),
    );
  });

  test('gives the bytes again', () => {
    const documento = Buffer.from('<nota/>'.repeat(100));
    const deflacao = { motor: 'node' as const, level: 6, memLevel: 8 };
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
    const receita = writeReceita([
      { kind: 'bytes', bytes: randomBytes(200) },
      { kind: 'documento', versaoId: 9 },
    ]);
    for (let at = 0; at < receita.length; at++) {
      const damaged = new Uint8Array(receita);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      assert.throws(() => readReceita(damaged), `byte ${at}`);
      assert.throws(() => readReceita(receita.subarray(0, at)), `cut at ${at}`);
    }
  });

  // Recipes that are stored count on these very bytes. If this fails, Node or pako deflates otherwise than the one
  // they were written with: uploads could not be given back byte for byte any more. Do not change the hashes.
  test('counts on deflate giving the same bytes for ever', () => {
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
      'd13f18360c72',
      'd13f18360c72',
      'bc3e63be1b50',
      'bc3e63be1b50',
      '79f339c87951',
      '79f339c87951',
      '0335a9764887',
      '712148239923',
      'bc3e63be1b50',
      'bc3e63be1b50',
      '8c9649cf896b',
      '8c9649cf896b',
      '3beb2c6f0774',
      '6a4d562f0a4f',
      '82ef28e6f1e0',
      '82ef28e6f1e0',
      '31d8b0fe8b14',
      '31d8b0fe8b14',
    ]);
  });

  test('knows the deflate of zlib itself, which Node does not have', () => {
    const text = Buffer.from(
      Array.from(
        { length: 400 },
        (_, i) =>
          `<det nItem="${i % 9}"><prod><cProd>P${(i * 7919) % 1000}</cProd><vProd>${(i * 104729) % 977}.00</vProd></prod></det>\n`,
      ).join(''),
    );
    // Made by zlib 1.2.13.
    const expected = { 1: '71413ac7face', 6: 'caa7047ab5e5', 9: 'c8d405fc0108' };
    for (const [level, sha256] of Object.entries(expected)) {
      const made = deflacaoComo(text, { motor: 'zlib', level: Number(level), memLevel: 8 });
      assert.equal(createHash('sha256').update(made).digest('hex').slice(0, 12), sha256, level);
    }
  });
});
