import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CORPO_CARENCIA_MS, CORPO_PRAZO_MS } from '../limites.ts';
import { EnvioInterrompido, guardedBody } from './upload-body.ts';
import type { UploadError } from './upload-errors.ts';

const CHUNK = Buffer.alloc(16 * 1024);

describe('the body of an upload', () => {
  let agora = 0;
  let raw: PassThrough;
  let body: Transform;
  let chunks: AsyncIterator<Buffer>;
  let refused: UploadError | null;
  beforeEach(() => {
    agora = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    refused = null;
    raw = new PassThrough();
    const expected = { contentLength: null, md5: null };
    body = guardedBody(raw as unknown as IncomingMessage, expected, () => agora);
    chunks = body.iterator({ destroyOnReturn: false });
    body.on('error', (error) => {
      refused = error as UploadError;
    });
  });
  afterEach(() => {
    body.destroy();
    mock.timers.reset();
  });

  async function wait(ms: number): Promise<void> {
    agora += ms;
    mock.timers.tick(1_000);
    await turn();
  }
  async function chunk(): Promise<void> {
    await chunks.next();
    await turn();
  }

  it('is not blamed for what the disk takes: a chunk that waits to be written counts for nobody', async () => {
    for (let sent = 0; sent < 4; sent++) raw.write(CHUNK);
    await turn();
    for (let written = 0; written < 3; written++) {
      await wait(CORPO_CARENCIA_MS);
      await chunk();
    }
    assert.equal(refused, null);
  });

  it('that ends badly before anybody reads it tells the reason to who begins to read then', async () => {
    const early = new PassThrough();
    const other = guardedBody(early as unknown as IncomingMessage, { contentLength: 2, md5: null });
    early.end('x');
    await wait(0);
    await assert.rejects(other.iterator({ destroyOnReturn: false }).next(), { codigo: 'corpo_incompleto' });
    const left = guardedBody(raw as unknown as IncomingMessage, { contentLength: 2, md5: null });
    raw.destroy();
    await wait(0);
    await assert.rejects(left.iterator({ destroyOnReturn: false }).next(), EnvioInterrompido);
  });

  it('is refused with 408 when its sender is slow', async () => {
    raw.write(CHUNK);
    await turn();
    await chunk();
    await wait(CORPO_CARENCIA_MS + 1_000);
    assert.equal(refused?.status, 408);
  });

  it('is refused with 503, and not called slow, when at its deadline it was the disk that did not take it', async () => {
    for (let sent = 0; sent < 3; sent++) raw.write(CHUNK);
    await turn();
    await wait(CORPO_PRAZO_MS + 1_000);
    assert.equal(refused?.status, 503);
  });
});
