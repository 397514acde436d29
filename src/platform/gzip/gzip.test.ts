import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { combineCrc, shiftOf } from './crc.ts';
import { membroDe, type Parte, segmentoDe } from './membro.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

test('the CRC of joined texts comes out of the CRCs of the texts', () => {
  fc.assert(
    fc.property(bytes(2_000), bytes(2_000), (a, b) => {
      const whole = crc32(Buffer.concat([a, b]));
      assert.equal(combineCrc(crc32(a), crc32(b), shiftOf(b.length)), whole);
    }),
    { numRuns: 500 },
  );
});

test('a shift is right for long texts too', () => {
  for (const length of [1, 255, 65_535, 65_536, 1_000_003, 20_000_000]) {
    const [a, b] = [Buffer.from('início'), Buffer.alloc(length, 7)];
    const whole = crc32(b, crc32(a));
    assert.equal(combineCrc(crc32(a), crc32(b), shiftOf(length)), whole, String(length));
  }
});

test('a member of any parts, plain and compressed in any order, inflates to their texts', () => {
  const part = fc.record({ text: bytes(3_000), plain: fc.boolean() });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const partes: Parte[] = parts.map(({ text, plain }) => (plain ? text : segmentoDe(text)));
      const member = membroDe(partes);
      assert.deepEqual(gunzipSync(member), Buffer.concat(parts.map(({ text }) => text)));
    }),
    { numRuns: 300 },
  );
});

test('a segment refers to nothing before it: each inflates alone, whatever was compressed before', () => {
  const words = ['<NFe>', 'ção', '"', '0123456789', 'infNFe versao', ' '];
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.constantFrom(...words), { maxLength: 400 }), { maxLength: 6 }),
      (texts) => {
        const inputs = texts.map((text) => Buffer.from(text.join('')));
        const segments = inputs.map(segmentoDe);
        for (const [at, { bytes, crc, tamanho }] of segments.entries()) {
          const text = inflateRawSync(Buffer.concat([bytes, Buffer.from([3, 0])]));
          assert.deepEqual(text, inputs[at]);
          assert.deepEqual([crc, tamanho], [crc32(text), text.length]);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('a member fills the memory that it is given to the last byte', () => {
  const partes = [
    Buffer.from('{"a":'),
    segmentoDe(Buffer.from('"xml"'.repeat(90))),
    Buffer.alloc(70_000, 'z'),
  ];
  const over = (before: number) => membroDe(partes, (bytes) => Buffer.alloc(bytes, before));
  assert.deepEqual(over(0x00), over(0xff));
  assert.deepEqual(over(0x00), membroDe(partes));
});

test('empty, and larger than one stored block', () => {
  assert.equal(gunzipSync(membroDe([])).length, 0);
  const large = Buffer.alloc(200_001, 'ção ');
  const member = membroDe([large, segmentoDe(large), new Uint8Array(0), large]);
  assert.deepEqual(gunzipSync(member), Buffer.concat([large, large, large]));
});

test('other readers of gzip agree: gzip -t and Python', (t) => {
  const partes = [Buffer.from('{"a":'), segmentoDe(Buffer.from('"é<xml/>"'.repeat(500))), Buffer.from('}')];
  const member = membroDe(partes);
  const gzip = spawnSync('gzip', ['-t', '-v'], { input: member });
  const python = spawnSync('python3', ['-c', PYTHON], { input: member });
  if (gzip.error && python.error) return t.skip('neither gzip nor python3 is here');
  if (!gzip.error) assert.equal(gzip.status, 0, String(gzip.stderr));
  if (!python.error) assert.equal(String(python.stdout), String(crc32(gunzipSync(member))));
});

const PYTHON =
  'import sys,gzip,zlib; sys.stdout.write(str(zlib.crc32(gzip.decompress(sys.stdin.buffer.read()))))';
