import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createLogger } from '../../platform/http/log.ts';
import { isMaisNova, VigiaDeVersao, versaoDita } from './versao-nova.ts';

describe('a newer version', () => {
  it('is one by its numbers, and not by its letters', () => {
    for (const [outra, esta, expected] of [
      ['0.10.0', '0.9.9', true],
      ['v1.0.0', '0.99.99', true],
      ['0.1.0', '0.1.0', false],
      ['0.0.9', '0.1.0', false],
      ['1.0.0-beta.1', '0.1.0', false],
      ['latest', '0.1.0', false],
    ] as const)
      assert.equal(isMaisNova(outra, esta), expected, outra);
  });

  it('is told by a registry of packages, or a list of releases', () => {
    assert.equal(versaoDita('{"name":"malote","version":"1.2.3"}'), '1.2.3');
    assert.equal(versaoDita('{"tag_name":"v1.2.3"}'), '1.2.3');
    for (const other of ['{}', '[]', 'null', '{"version":3}', '{"tag_name":"nightly"}'])
      assert.equal(versaoDita(other), null, other);
  });

  it('is asked for with nothing of the installation in the question, and nobody is asked without an address', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push([request.method, request.url, JSON.stringify(request.headers)].join(' '));
      response.end('{"version":"9.0.0"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/malote/latest`;
    const log = createLogger('silent');
    const vigia = new VigiaDeVersao({ log, url, versao: '0.1.0' });
    await vigia.look();
    assert.equal(vigia.nova, '9.0.0');
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? '', /^GET \/malote\/latest /);
    assert.doesNotMatch(asked[0] ?? '', /0\.1\.0|cookie|authorization/);
    const desligada = new VigiaDeVersao({ log, url: '', versao: '0.1.0' });
    desligada.start();
    desligada.stop();
    server.closeAllConnections();
    server.close();
    await vigia.look();
    assert.equal(vigia.nova, '9.0.0', 'who cannot be reached changes nothing');
  });
});
