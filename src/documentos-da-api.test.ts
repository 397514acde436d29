import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { readConfig } from './config.ts';
import { documentosDaApi } from './documentos-da-api.ts';

/** What a caller is told who came by one address, with some settings. */
function descrito(settings: Record<string, string>) {
  const request = { protocol: 'http', host: 'veio.exemplo', headers: {} } as unknown as FastifyRequest;
  const [doIntegrador] = documentosDaApi({ config: readConfig(settings) });
  assert.ok(doIntegrador);
  const { url, areas, securitySchemes } = doIntegrador.descrever(request);
  return { url, areas: Object.fromEntries(areas.map((one) => [one.area, one.url])), securitySchemes };
}

describe('the addresses that the OpenAPI document names', () => {
  it('are those that the caller came by, where none is set', () => {
    const { url, areas } = descrito({});
    assert.equal(url, 'http://veio.exemplo');
    assert.deepEqual([...new Set(Object.values(areas))], [url]);
  });

  it('are those of the settings, each for its area', () => {
    const { url, areas, securitySchemes } = descrito({
      MALOTE_URL_BASE: 'https://leitura.exemplo',
      MALOTE_URL_IMPORTACAO: 'https://envio.exemplo',
      MALOTE_URL_UPLOAD: 'https://bytes.exemplo/upload',
      MALOTE_URL_CONTAS: 'https://contas.exemplo',
      MALOTE_URL_AUTH: 'https://tokens.exemplo',
    });
    assert.equal(url, 'https://leitura.exemplo');
    assert.deepEqual(areas, {
      '/storage': 'https://envio.exemplo',
      '/upload': 'https://bytes.exemplo',
      '/storage/arquivo': 'https://envio.exemplo',
      '/api/v1': url,
      '/download': url,
      '/finalidade': url,
      '/auth': 'https://tokens.exemplo',
      '/api/contas': 'https://contas.exemplo',
    });
    const told = JSON.stringify(securitySchemes);
    assert.ok(told.includes('"https://tokens.exemplo/auth/realms/service/protocol/openid-connect/token"'));
  });
});
