/** What every blob store promises, asked of the disk and of a real S3 server alike; and what is peculiar to S3. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import {
  BlobNotFoundError,
  type BlobStore,
  BlobStoreUnavailableError,
  BlobTooLargeError,
} from '../../src/platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../src/platform/storage/disk.ts';
import { openBlobStore } from '../../src/platform/storage/open.ts';
import { openS3BlobStore } from '../../src/platform/storage/s3.ts';
import { S3Client } from '../../src/platform/storage/s3-client.ts';
import { type Falha, type S3DeTeste, startS3 } from '../support/s3.ts';

const LIMITS = { maxBytes: 30_000_000 };
const HOUR_MS = 3_600_000;
let counter = 0;
const newKey = () => `${(counter++).toString(16).padStart(8, '0')}-0000-4000-8000-000000000001-1a2b3c4d`;
const sourceOf = (bytes: Uint8Array, size = 60_000) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    { objectMode: false },
  );
const hex = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');
async function keysOf(store: BlobStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.keys()) keys.push(key);
  return keys.sort();
}

let base: string;
let s3: S3DeTeste;
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'malote-contrato-'));
  s3 = await startS3();
  Object.assign(process.env, s3.env);
});
afterEach(() => s3.heal());
after(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

let stores = 0;
interface OpcoesDeS3 {
  now?: number;
  /** How long to wait for a silent line. */
  idle?: number;
  prefix?: string;
}

/** A store of its own prefix, impatient, so that a failing line is given up soon. */
async function openS3(options: OpcoesDeS3 = {}) {
  const { now, idle = 3_000, prefix = `contrato-${process.pid}-${stores++}` } = options;
  const settings = { bucket: s3.bucket, prefix, endpoint: s3.endpoint };
  const spoolFolder = await mkdtemp(join(base, 'spool-'));
  const client = new S3Client(settings, { connect: 3_000, idle, request: 20_000, retry: 5 });
  const clock = { now: () => now ?? Date.now() };
  return { prefix, spoolFolder, store: await openS3BlobStore({ settings, spoolFolder, client, clock }) };
}

const MEDIA: Record<string, () => Promise<BlobStore>> = {
  disk: async () => openDiskBlobStore(await mkdtemp(join(base, 'disk-'))),
  S3: async () => (await openS3()).store,
};

for (const [medium, open] of Object.entries(MEDIA)) {
  describe(`a blob store on ${medium}`, () => {
    it('gives back what it was given, with size and digests, whether it is nothing, small or of many parts', async () => {
      const store = await open();
      for (const size of [0, 1, 100_000, 8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 29_999_999]) {
        const bytes = randomBytes(size);
        const key = newKey();
        assert.deepEqual(
          await store.put(key, sourceOf(bytes), LIMITS),
          { sizeBytes: size, sha256: hex('sha256', bytes), md5: hex('md5', bytes) },
          String(size),
        );
        assert.ok((await store.get(key)).equals(bytes), String(size));
        const stat = await store.stat(key);
        assert.equal(stat?.sizeBytes, size);
        assert.ok(Math.abs((stat?.modifiedAt ?? 0) - Date.now()) < HOUR_MS);
        await store.delete(key);
      }
      assert.deepEqual(await keysOf(store), []);
      await store.close();
    });

    it('accepts exactly the limit, and keeps nothing of one byte more, however large', async () => {
      const store = await open();
      await store.put(newKey(), sourceOf(Buffer.alloc(10)), { maxBytes: 10 });
      const before = await keysOf(store);
      const small = new Readable({ read() {} });
      small.push(Buffer.alloc(11));
      await assert.rejects(store.put(newKey(), small, { maxBytes: 10 }), BlobTooLargeError);
      assert.equal(small.destroyed, false, 'the connection is left to its owner');
      const large = sourceOf(Buffer.alloc(20_000_001));
      await assert.rejects(store.put(newKey(), large, { maxBytes: 20_000_000 }), BlobTooLargeError);
      assert.deepEqual(await keysOf(store), before);
      await store.close();
    });

    it('keeps nothing when the transfer is aborted, or its source breaks', async () => {
      const store = await open();
      const abort = new AbortController();
      const endless = new Readable({ read() {} });
      endless.push(Buffer.alloc(9_000_000));
      const pending = store.put(newKey(), endless, { ...LIMITS, signal: abort.signal });
      setImmediate(() => abort.abort());
      await assert.rejects(pending);
      const broken = Readable.from(
        (async function* () {
          yield Buffer.alloc(9_000_000);
          throw new Error('the peer is gone');
        })(),
      );
      await assert.rejects(store.put(newKey(), broken, LIMITS), /the peer is gone/);
      const already = store.put(newKey(), sourceOf(Buffer.from('a')), {
        ...LIMITS,
        signal: AbortSignal.abort(new Error('too late')),
      });
      await assert.rejects(already, /too late/);
      assert.deepEqual(await keysOf(store), []);
      await store.close();
    });

    it('replaces a blob whole or not at all', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, sourceOf(Buffer.from('first')), LIMITS);
      const broken = Readable.from(
        (async function* () {
          yield Buffer.from('sec');
          throw new Error('cut');
        })(),
      );
      await assert.rejects(store.put(key, broken, LIMITS), /cut/);
      assert.equal((await store.get(key)).toString(), 'first');
      await store.put(key, sourceOf(Buffer.from('second')), LIMITS);
      assert.equal((await store.get(key)).toString(), 'second');
      assert.deepEqual(await keysOf(store), [key]);
      await store.close();
    });

    it('knows a blob that is not there from one it cannot reach', async () => {
      const store = await open();
      await assert.rejects(store.get(newKey()), BlobNotFoundError);
      await assert.rejects(store.get(newKey()), { code: 'ENOENT' });
      assert.equal(await store.stat(newKey()), null);
      await store.delete(newKey());
      await store.close();
    });

    it('refuses keys that could leave their place', async () => {
      const store = await open();
      for (const key of ['../../etc/passwd', 'ab/cd', '', 'a', 'AB12', `a${'b'.repeat(200)}`]) {
        await assert.rejects(store.put(key, sourceOf(Buffer.from('x')), LIMITS), /not a blob key/);
        await assert.rejects(store.get(key), /not a blob key/);
      }
      await store.close();
    });

    it('lists all of its keys, page after page, and nothing of its neighbours', async () => {
      const [store, neighbour] = [await open(), await open()];
      await neighbour.put(newKey(), sourceOf(Buffer.from('x')), LIMITS);
      const expected: string[] = [];
      for (let i = 0; i < 1_100; i += 50) {
        const some = Array.from({ length: 50 }, newKey);
        await Promise.all(some.map((key) => store.put(key, sourceOf(Buffer.from(key)), LIMITS)));
        expected.push(...some);
      }
      assert.deepEqual(await keysOf(store), expected.sort());
      await Promise.all([store.close(), neighbour.close()]);
    });

    it('gives a blob piece by piece, its size first, whether it is nothing, small or of many pieces', async () => {
      const store = await open();
      let key = '';
      for (const size of [0, 1, 100_000, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1, 20_000_001]) {
        const bytes = randomBytes(size);
        key = newKey();
        await store.put(key, sourceOf(bytes), LIMITS);
        const { sizeBytes, stream } = await store.read(key);
        assert.equal(sizeBytes, size);
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece);
        assert.ok(Buffer.concat(pieces).equals(bytes), String(size));
        assert.ok(pieces.every((piece) => piece.length <= 4 * 1024 * 1024));
      }
      await assert.rejects(store.read(newKey()), BlobNotFoundError);
      const left = await store.read(key);
      left.stream.destroy();
      await store.close();
    });

    it('keeps many at once apart', async () => {
      const store = await open();
      const blobs = Array.from({ length: 40 }, (_, i) => ({
        key: newKey(),
        bytes: randomBytes(200_000 + i),
      }));
      await Promise.all(blobs.map(({ key, bytes }) => store.put(key, sourceOf(bytes), LIMITS)));
      for (const { key, bytes } of blobs) assert.ok((await store.get(key)).equals(bytes));
      await store.close();
    });
  });
}

describe('S3 behind a failing line', () => {
  const large = randomBytes(20_000_000);
  const small = randomBytes(50_000);

  it('a put outlasts one failure of any kind, and stores the very bytes', async () => {
    const { store } = await openS3({ idle: 1_500 });
    for (const falha of ['down', 'silent', '500', 'slowdown', 'reset', 'corrupt', 'lost'] as const) {
      for (const bytes of [small, large]) {
        const key = newKey();
        let hits = 0;
        s3.fail(falha, ({ method }) => method === 'PUT' && hits++ === 0);
        const stored = await store.put(key, sourceOf(bytes), LIMITS);
        assert.equal(stored.sha256, hex('sha256', bytes));
        assert.ok(hits > 0, 'nothing failed');
        assert.ok((await store.get(key)).equals(bytes), falha);
      }
    }
    assert.deepEqual(s3.unfinished(), []);
    await store.close();
  });

  it('begin and end of an upload in parts outlast a lost answer', async () => {
    const { store } = await openS3();
    const key = newKey();
    let hits = 0;
    s3.fail('lost', ({ method, url }) => method === 'POST' && /uploadId/.test(url ?? '') && hits++ === 0);
    await store.put(key, sourceOf(large), LIMITS);
    assert.equal(hits > 0, true);
    assert.ok((await store.get(key)).equals(large));
    await store.close();
  });

  it('a get outlasts one failure of any kind', async () => {
    const { store } = await openS3({ idle: 1_500 });
    const key = newKey();
    await store.put(key, sourceOf(large), LIMITS);
    for (const falha of ['down', 'silent', '500', 'slowdown', 'cut', 'lost'] as const) {
      s3.fail(falha, 1);
      assert.ok((await store.get(key)).equals(large), falha);
    }
    await store.close();
  });

  it('a blob that is streamed outlasts failures in its middle, and never ends early or with another content', async () => {
    const { store } = await openS3({ idle: 1_500 });
    const key = newKey();
    await store.put(key, sourceOf(large), LIMITS);
    const second = (falha: Falha, times: number) => {
      let hits = 0;
      s3.fail(falha, ({ method, headers }) => {
        return method === 'GET' && headers.range === 'bytes=4194304-8388607' && hits++ < times;
      });
    };
    for (const falha of ['down', 'silent', '500', 'cut'] as const) {
      const { stream } = await store.read(key);
      second(falha, 1);
      assert.ok(Buffer.concat(await stream.toArray()).equals(large), falha);
      s3.heal();
    }
    const { stream } = await store.read(key);
    second('500', 99);
    await assert.rejects(stream.toArray(), BlobStoreUnavailableError);
    s3.heal();
    const other = await store.read(key);
    await store.put(key, sourceOf(randomBytes(large.length)), LIMITS);
    await assert.rejects(other.stream.toArray(), BlobStoreUnavailableError);
    await store.close();
  });

  it('while it lasts every call ends in time, says that the store is away, and leaves nothing behind', async () => {
    const patient = await openS3();
    const { store, spoolFolder } = await openS3({ idle: 200, prefix: patient.prefix });
    const key = newKey();
    await patient.store.put(key, sourceOf(small), LIMITS);
    for (const falha of ['down', 'silent', '500', 'slowdown', 'reset'] as const) {
      s3.fail(falha);
      for (const bytes of [small, large]) {
        await assert.rejects(store.put(newKey(), sourceOf(bytes), LIMITS), BlobStoreUnavailableError, falha);
      }
      // A request without a body has no middle to break in.
      if (falha === 'reset') continue;
      await assert.rejects(store.get(key), BlobStoreUnavailableError, falha);
      await assert.rejects(store.read(key), BlobStoreUnavailableError, falha);
      await assert.rejects(store.stat(key), BlobStoreUnavailableError, falha);
      await assert.rejects(store.delete(key), BlobStoreUnavailableError, falha);
      await assert.rejects(keysOf(store), BlobStoreUnavailableError, falha);
    }
    s3.heal();
    assert.deepEqual(await readdir(spoolFolder), []);
    assert.deepEqual(await keysOf(patient.store), [key]);
    await Promise.all([store.close(), patient.store.close()]);
  });

  it('bytes that arrive changed, every time, are never taken for the blob', async () => {
    const { store } = await openS3();
    for (const bytes of [small, large]) {
      s3.fail('corrupt', ({ method }) => method === 'PUT');
      await assert.rejects(store.put(newKey(), sourceOf(bytes), LIMITS), BlobStoreUnavailableError);
    }
    s3.heal();
    assert.deepEqual(s3.unfinished(), [], 'the parts of the large one were given back');
    await store.close();
  });

  it('an abort while the bytes go out ends it, and gives the parts back', async () => {
    const { store } = await openS3();
    const abort = new AbortController();
    s3.fail('silent', ({ method, url }) => {
      if (method === 'PUT' && /partNumber=2/.test(url ?? '')) abort.abort(new Error('enough'));
      return method === 'PUT';
    });
    await assert.rejects(store.put(newKey(), sourceOf(large), { ...LIMITS, signal: abort.signal }), /enough/);
    assert.deepEqual(s3.unfinished(), []);
    s3.heal();
    assert.deepEqual(await keysOf(store), []);
    await store.close();
  });

  it('sweep removes what dead processes left in the bucket, when no transfer can still be going on', async () => {
    const { store, prefix } = await openS3();
    s3.fail('down', ({ method, url }) => method === 'DELETE' || /partNumber/.test(url ?? ''));
    await assert.rejects(store.put(newKey(), sourceOf(large), LIMITS), BlobStoreUnavailableError);
    s3.heal();
    assert.equal(s3.unfinished().length, 1);
    assert.equal(await store.sweep(), 0);
    const later = await openS3({ now: Date.now() + 2 * HOUR_MS, prefix });
    assert.equal(await later.store.sweep(), 1);
    assert.deepEqual(s3.unfinished(), []);
    await Promise.all([store.close(), later.store.close()]);
  });
});

describe('the setting MALOTE_ARQUIVOS', () => {
  it('chooses the medium', async () => {
    const folder = await mkdtemp(join(base, 'dados-'));
    const onDisk = await openBlobStore(readConfig({ MALOTE_DATA: folder }));
    const inBucket = await openBlobStore(readConfig({ ...s3.env, MALOTE_DATA: folder }));
    const [a, b] = [newKey(), newKey()];
    await onDisk.put(a, sourceOf(Buffer.from('disco')), LIMITS);
    await inBucket.put(b, sourceOf(Buffer.from('bucket')), LIMITS);
    assert.deepEqual([await keysOf(onDisk), await keysOf(inBucket)], [[a], [b]]);
    await Promise.all([onDisk.close(), inBucket.close()]);
  });

  it('is refused with a sentence when it cannot be', () => {
    for (const text of ['http://x', 's3://', 's3://Maiúscula/x', 's3://b/com espaço', '/pasta']) {
      assert.throws(() => readConfig({ MALOTE_ARQUIVOS: text }), /MALOTE_ARQUIVOS deve ser/, text);
    }
    assert.throws(() => readConfig({ MALOTE_ARQUIVOS: 's3://b-1', S3_ENDPOINT: 'x' }), /S3_ENDPOINT/);
    assert.deepEqual(readConfig({ MALOTE_ARQUIVOS: 's3://b-1' }).arquivos, {
      bucket: 'b-1',
      prefix: '',
      endpoint: '',
    });
  });
});
