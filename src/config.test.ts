import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig, SETTINGS } from './config.ts';

describe('settings', () => {
  it('name what looks like one and is none, so that a slip of the pen does not pass in silence', () => {
    const env = {
      PORT: '0',
      HOME: '/root',
      MALOTE_LOG: 'warn',
      MALOTE_PORTA: '8099',
      MALOTE_EXIGIR_HTTP: '1',
    };
    assert.deepEqual(readConfig(env).desconhecidas, ['MALOTE_PORTA', 'MALOTE_EXIGIR_HTTP']);
  });

  it('do not name their own, nor what commands and tests are told', () => {
    const own = Object.fromEntries(Object.values(SETTINGS).map(({ env, default: value }) => [env, value]));
    const others = { MALOTE_URL: 'http://127.0.0.1', MALOTE_TOKEN: 'mlt_x', MALOTE_TESTE_MOTOR: 'sqlite' };
    assert.deepEqual(readConfig({ ...own, ...others }).desconhecidas, []);
  });
});
