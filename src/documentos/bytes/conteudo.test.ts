import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { generateCenario } from '../../gerador/cenario.ts';
import { textoDe } from './certificado-cortado.ts';
import { closeBloco, comprimir, descomprimir, prepareConteudo } from './conteudo.ts';

const CERT = 'MIIE8jCCA9qgAwIBAgIIWGn0'.repeat(60);
const withCert = (cert: string) => `<NFe>ação<ds:X509Certificate>${cert}</ds:X509Certificate></NFe>`;

/** A document as it is stored by itself. */
function guardado(bytes: Uint8Array, codificacao: Codificacao) {
  const conteudo = prepareConteudo(bytes, codificacao);
  return {
    ...conteudo,
    ...comprimir(conteudo),
    posicao: null,
    certificado: conteudo.certificado && textoDe(conteudo.certificado),
  };
}

describe('stored bytes', () => {
  test('come back as they were, whatever they are', () => {
    const samples = [
      Buffer.alloc(0),
      Buffer.from('<nota>ação</nota>'),
      randomBytes(50_000),
      randomBytes(131_073),
      Buffer.from('abc'.repeat(44_000)),
      Buffer.alloc(5e6),
    ];
    for (const bytes of samples) {
      const conteudo = guardado(bytes, 'utf-8');
      assert.deepEqual(descomprimir(conteudo), bytes);
      assert.equal(conteudo.tamanho, bytes.length);
      assert.equal(conteudo.sha256, createHash('sha256').update(bytes).digest('hex'));
    }
  });

  test('come back with any mixture of pieces: marks, certificates, line breaks, byte order marks, other encodings', () => {
    const piece = fc.oneof(
      fc
        .constantFrom(
          'X509Certificate>',
          '<X509Certificate>',
          '</X509Certificate>',
          '<X509Certificate/>',
          '<!-- X509Certificate> -->',
          CERT,
          CERT.replace(/(.{76})/g, '$1\r\n'),
          `${CERT}\u00a0`,
          '\r\n',
          '<',
          '\ufeff',
        )
        .map((text) => Buffer.from(text)),
      fc.constantFrom('ação', 'não\u0000').map((text) => Buffer.from(text, 'latin1')),
      fc.constantFrom(withCert(CERT)).map((text) => Buffer.from(text, 'utf16le')),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const bytes = Buffer.concat(pieces);
        assert.ok(descomprimir(guardado(bytes, 'utf-8')).equals(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test('of real documents come back, and their certificate is kept apart', () => {
    const { documentos } = generateCenario({
      semente: 'conteudo',
      clientes: 2,
      documentos: 20,
      inicio: '2026-01-01',
      meses: 1,
      outras: 10,
    });
    let cut = 0;
    for (const { bytes } of documentos) {
      const conteudo = guardado(bytes, 'utf-8');
      assert.ok(descomprimir(conteudo).equals(bytes));
      if (conteudo.certificado !== null) cut += 1;
      assert.ok(conteudo.bytes.length < bytes.length / 2);
    }
    assert.ok(cut > 20);
  });

  test('lose their certificate only where its place is beyond doubt', () => {
    const cases: [name: string, text: string, cut: boolean][] = [
      ['one', withCert(CERT), true],
      ['one with line breaks', withCert(CERT.replace(/(.{76})/g, '$1\r\n')), true],
      ['none', '<NFe/>', false],
      ['an empty one', withCert(''), false],
      ['two', withCert(CERT) + withCert(CERT), false],
      ['one behind a comment', withCert(`<!-- -->${CERT}`), false],
      ['one that is no Base64', withCert(`${CERT}é`), false],
      ['one beside a mark in a comment', `${withCert(CERT)}<!--X509Certificate>-->`, false],
    ];
    for (const [name, text, cut] of cases) {
      const conteudo = guardado(Buffer.from(text), 'utf-8');
      assert.equal(conteudo.certificado !== null, cut, name);
      assert.equal(descomprimir(conteudo).toString(), text, name);
    }
  });

  test('of any size come back without their certificate, also when others are compressed in between', () => {
    const texts = [10, 60_000, 65_000, 65_536, 70_000, 300_000, 20].map(
      (size) => `<a>${randomBytes(size / 2).toString('hex')}</a>${withCert(CERT)}`,
    );
    const conteudos = texts.map((text) => guardado(Buffer.from(text), 'utf-8'));
    assert.deepEqual(
      conteudos.map((conteudo) => descomprimir(conteudo).toString()),
      texts,
    );
    assert.ok(conteudos.every(({ certificado }) => certificado === CERT));
  });

  test('that need their certificate are refused without it', () => {
    const conteudo = guardado(Buffer.from(withCert(CERT)), 'utf-8');
    assert.throws(() => descomprimir({ ...conteudo, certificado: null }), /certificate .* is missing/);
  });

  test('of the first form are still read', () => {
    const bytes = Buffer.from('<nota>ação</nota>');
    assert.deepEqual(
      descomprimir({ formato: 1, bytes: zstdCompressSync(bytes), posicao: null, certificado: null }),
      bytes,
    );
  });

  test('take no more room than they need, and drag no pool along', () => {
    const { bytes } = guardado(Buffer.from('<a/>'.repeat(5_000)), 'utf-8');
    assert.ok(bytes.length < 200);
    assert.equal(bytes.buffer.byteLength, bytes.byteLength);
  });

  test('in a form that is unknown are refused, and so are damaged or cut ones, and the next ones are read all the same', () => {
    const original = randomBytes(1_000);
    const conteudo = guardado(original, 'utf-8');
    const { bytes } = conteudo;
    assert.throws(() => descomprimir({ ...conteudo, formato: 99 }), /unknown form of stored bytes: 99/);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = new Uint8Array(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      // The flags of a frame's header may say the same thing otherwise: then the content is the same.
      try {
        assert.deepEqual(descomprimir({ ...conteudo, bytes: damaged }), original);
      } catch (error) {
        assert.ok(!(error instanceof assert.AssertionError), `byte ${at}`);
      }
      assert.throws(() => descomprimir({ ...conteudo, bytes: bytes.subarray(0, at) }), `cut at ${at}`);
      assert.deepEqual(descomprimir(conteudo), original);
    }
  });

  test('that would inflate beyond any document are refused', () => {
    const conteudo = guardado(Buffer.alloc(40 * 1024 * 1024), 'utf-8');
    assert.throws(() => descomprimir(conteudo));
  });
});

test('documents of blocks are read as they are, however many blocks are read in between', () => {
  const texts = Array.from({ length: 40 }, (_, bloco) =>
    [0, 1, 2, 3].map((parte) => `<nota>${bloco} ${parte}${'x'.repeat(97 * bloco)}</nota>`),
  );
  const blocos = texts.map((partes) => closeBloco(partes.map((text) => Buffer.from(text))));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(39), fc.nat(3)), { maxLength: 80 }), (reads) => {
      for (const [bloco, posicao] of reads) {
        const bytes = blocos[bloco] ?? new Uint8Array(0);
        const text = descomprimir({ formato: 5, bytes, posicao, certificado: null });
        assert.equal(text.toString(), texts[bloco]?.[posicao]);
      }
    }),
    { numRuns: 50 },
  );
});
