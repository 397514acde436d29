import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { BlobTooLargeError } from './blob-store.ts';
import { type DiskIo, nodeIo, openDiskBlobStore } from './disk.ts';

const LIMITS = { maxBytes: 1_000_000 };
const KEY = 'abcdef00-0000-4000-8000-000000000001-1a2b3c4d';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('disk blob store', () => {
  let base: string;
  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'malote-disk-'));
  });
  after(async () => {
    await rm(base, { recursive: true, force: true });
  });

  async function fresh(io?: DiskIo) {
    const root = await mkdtemp(join(base, 'root-'));
    return { root, store: await openDiskBlobStore(root, io ? { io } : {}) };
  }
  const namesIn = async (root: string) =>
    (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);

  it('keeps the bytes under the first two characters of their key, and tells their size and digests', async () => {
    const { root, store } = await fresh();
    const bytes = Buffer.from('<xml>ção</xml>'.repeat(10_000));
    const stored = await store.put(KEY, Readable.from(chunksOf(bytes, 7_000)), LIMITS);
    assert.deepEqual(stored, {
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      md5: createHash('md5').update(bytes).digest('hex'),
    });
    assert.deepEqual(await store.get(KEY), bytes);
    assert.deepEqual(await readdir(join(root, 'ab')), [KEY]);
    const keys: string[] = [];
    for await (const key of store.keys()) keys.push(key);
    assert.deepEqual(keys, [KEY]);
  });

  it('keeps an empty blob', async () => {
    const { store } = await fresh();
    assert.equal((await store.put(KEY, Readable.from([]), LIMITS)).sizeBytes, 0);
    assert.equal((await store.get(KEY)).length, 0);
  });

  it('accepts exactly the limit, and keeps nothing of one byte more', async () => {
    const { root, store } = await fresh();
    await store.put(KEY, Readable.from([Buffer.alloc(10)]), { maxBytes: 10 });
    await store.delete(KEY);
    const source = new Readable({ read() {} });
    source.push(Buffer.alloc(11));
    await assert.rejects(store.put(KEY, source, { maxBytes: 10 }), BlobTooLargeError);
    assert.equal(source.destroyed, false, 'the connection is left to its owner');
    assert.deepEqual(await namesIn(root), []);
  });

  it('keeps nothing when the transfer is aborted, or its source breaks', async () => {
    const { root, store } = await fresh();
    const abort = new AbortController();
    const endless = new Readable({ read() {} });
    endless.push('begin');
    const pending = store.put(KEY, endless, { ...LIMITS, signal: abort.signal });
    abort.abort();
    await assert.rejects(pending);
    const broken = new Readable({ read() {} });
    broken.push('begin');
    const breaking = store.put(KEY, broken, LIMITS);
    broken.destroy(new Error('the peer is gone'));
    await assert.rejects(breaking, /the peer is gone/);
    assert.deepEqual(await namesIn(root), []);
  });

  it('replaces a blob whole or not at all', async () => {
    const { store } = await fresh();
    await store.put(KEY, Readable.from([Buffer.from('first')]), LIMITS);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('sec');
        throw new Error('cut');
      })(),
    );
    await assert.rejects(store.put(KEY, broken, LIMITS), /cut/);
    assert.equal((await store.get(KEY)).toString(), 'first');
    await store.put(KEY, Readable.from([Buffer.from('second')]), LIMITS);
    assert.equal((await store.get(KEY)).toString(), 'second');
  });

  it('makes the bytes durable before the name, and the name before it says so', async () => {
    const steps: string[] = [];
    const said = <T>(step: string, act: Promise<T>): Promise<T> => {
      steps.push(step);
      return act;
    };
    const { store } = await fresh({
      async create(path) {
        const file = await nodeIo.create(path);
        return {
          write: (chunk) => said('write', file.write(chunk)),
          sync: () => said('sync file', file.sync()),
          close: () => file.close(),
        };
      },
      rename: (from, to) => said('rename', nodeIo.rename(from, to)),
      syncFolder: (path) => said(path.endsWith('/ab') ? 'sync shard' : 'sync root', nodeIo.syncFolder(path)),
    });
    assert.deepEqual(steps, ['sync root'], 'the names of all shards are durable when the store is open');
    steps.length = 0;
    await store.put(KEY, Readable.from([Buffer.from('a')]), LIMITS);
    assert.deepEqual(steps, ['write', 'sync file', 'rename', 'sync shard']);
  });

  it('gives a full disk back as its error and keeps nothing', async () => {
    const full: DiskIo = {
      ...nodeIo,
      async create(path) {
        const file = await nodeIo.create(path);
        return {
          ...file,
          write: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
        };
      },
    };
    const { root, store } = await fresh(full);
    await assert.rejects(store.put(KEY, Readable.from([Buffer.from('a')]), LIMITS), { code: 'ENOSPC' });
    assert.deepEqual(await namesIn(root), []);
    assert.equal(store.syncFailure, null);
  });

  for (const failing of ['file', 'folder'] as const) {
    it(`never takes a failed fsync of the ${failing} for success, does not repeat it, and remembers it`, async () => {
      let calls = 0;
      const fail = () => {
        calls += 1;
        return Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
      };
      let armed = false;
      const { root, store } = await fresh({
        ...nodeIo,
        async create(path) {
          const file = await nodeIo.create(path);
          return { ...file, sync: () => (armed && failing === 'file' ? fail() : file.sync()) };
        },
        syncFolder: (path) => (armed && failing === 'folder' ? fail() : nodeIo.syncFolder(path)),
      });
      // One that is there already stays.
      await store.put(KEY.replace('1a2b', 'ffff'), Readable.from([Buffer.from('z')]), LIMITS);
      armed = true;
      await assert.rejects(store.put(KEY, Readable.from([Buffer.from('a')]), LIMITS), { code: 'EIO' });
      assert.equal(calls, 1);
      assert.match(String(store.syncFailure), /i\/o error/);
      await assert.rejects(store.get(KEY), { code: 'ENOENT' });
      assert.equal((await namesIn(root)).length, 1);
    });
  }

  it('removes what dead processes left behind, and leaves a transfer of another process alone', async () => {
    const { root } = await fresh();
    const now = Date.UTC(2026, 10, 20);
    for (const [name, ageMs] of [
      ['old', 11 * 60_000],
      ['young', 9 * 60_000],
    ] as const) {
      const path = join(root, 'tmp', name);
      await writeFile(path, 'x');
      await utimes(path, (now - ageMs) / 1000, (now - ageMs) / 1000);
    }
    await openDiskBlobStore(root, { clock: { now: () => now } });
    assert.deepEqual(await readdir(join(root, 'tmp')), ['young']);
  });

  it('refuses keys that could leave the folder', async () => {
    const { store } = await fresh();
    for (const key of ['../../etc/passwd', 'ab/cd', '', 'a', 'AB12', `a${'b'.repeat(200)}`]) {
      await assert.rejects(store.put(key, Readable.from([]), LIMITS), /not a blob key/);
      await assert.rejects(store.get(key), /not a blob key/);
    }
  });
});
