import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { comprimir, descomprimir } from './conteudo.ts';

describe('stored bytes', () => {
  test('come back as they were, whatever they are', () => {
    const samples = [
      Buffer.alloc(0),
      Buffer.from('<nota>ação</nota>'),
      randomBytes(50_000),
      Buffer.alloc(5e6),
    ];
    for (const bytes of samples) {
      const conteudo = comprimir(bytes, 'utf-8');
      assert.deepEqual(descomprimir(conteudo), bytes);
      assert.equal(conteudo.tamanho, bytes.length);
      assert.equal(conteudo.sha256, createHash('sha256').update(bytes).digest('hex'));
    }
  });

  test('take no more room than they need, and drag no pool along', () => {
    const { bytes } = comprimir(Buffer.from('<a/>'.repeat(5_000)), 'utf-8');
    assert.ok(bytes.length < 200);
    assert.equal(bytes.buffer.byteLength, bytes.byteLength);
  });

  test('in a form that is unknown are refused, and so are damaged or cut ones', () => {
    const { formato, bytes } = comprimir(randomBytes(1_000), 'utf-8');
    assert.throws(() => descomprimir({ formato: 99, bytes }), /unknown form of stored bytes: 99/);
    const damaged = new Uint8Array(bytes);
    damaged[500] = (damaged[500] ?? 0) ^ 1;
    assert.throws(() => descomprimir({ formato, bytes: damaged }));
    assert.throws(() => descomprimir({ formato, bytes: bytes.subarray(0, 900) }));
  });

  test('that would inflate beyond any document are refused', () => {
    const { formato, bytes } = comprimir(Buffer.alloc(40 * 1024 * 1024), 'utf-8');
    assert.throws(() => descomprimir({ formato, bytes }));
  });
});
