import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOnlyHere, reachableOrigins } from './reachable.ts';

const v4 = (address: string, internal = false) => ({ address, family: 'IPv4' as const, internal });
const OFFICE = {
  lo: [v4('127.0.0.1', true)],
  docker0: [v4('172.17.0.1')],
  tun0: [v4('100.64.0.9')],
  eth0: [{ address: 'fe80::1', family: 'IPv6' as const, internal: false }, v4('192.168.0.10')],
};

describe('the addresses that are told', () => {
  it('are those of the office’s network first, of containers’ bridges late, of this machine last', () => {
    assert.deepEqual(reachableOrigins({ host: '0.0.0.0', port: 8080 }, OFFICE), [
      'http://192.168.0.10:8080',
      'http://100.64.0.9:8080',
      'http://172.17.0.1:8080',
      'http://127.0.0.1:8080',
    ]);
    assert.deepEqual(reachableOrigins({ host: '::', port: 1 }, {}), ['http://127.0.0.1:1']);
  });

  it('are the one that is listened on where it is one', () => {
    assert.deepEqual(reachableOrigins({ host: '10.0.0.7', port: 80 }, OFFICE), ['http://10.0.0.7:80']);
    assert.deepEqual(reachableOrigins({ host: '::1', port: 80 }, OFFICE), ['http://[::1]:80']);
  });

  it('of loopback are nobody else’s', () => {
    assert.deepEqual(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '192.168.0.10'].map(isOnlyHere), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
