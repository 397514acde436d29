import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { caminhoCanonico, readCodigoCrm } from './caminhos.ts';

describe('the one form of a path', () => {
  it('has its words in small letters, and codigoCrm with six digits', () => {
    for (const [written, canonical] of [
      ['/Storage', '/storage'],
      ['/STORAGE/Arquivo/AbC/Itens', '/storage/arquivo/AbC/itens'],
      ['/API/v1/123/12ABC34501DE35/Documentos/0/Novos', '/api/v1/000123/12ABC34501DE35/documentos/0/novos'],
      ['/api/V1/000123/11222333000181/NFe', '/api/v1/000123/11222333000181/nfe'],
      ['/api/v1/7/11222333000181/NFCe', '/api/v1/000007/11222333000181/nfce'],
      ['/Api/Contas/Platform/Contador/7/Cliente/1', '/api/contas/Platform/contador/000007/cliente/1'],
      ['/Upload/AbC', '/upload/AbC'],
      ['/Download/12', '/download/12'],
      ['/%53torage', '/storage'],
      ['/%61pi/v1/%31%32%33/11222333000181/%4eF%65', '/api/v1/000123/11222333000181/nfe'],
      [
        '/api/v1/000123/11.222.333%2F0001-81/%44ocumentos/1',
        '/api/v1/000123/11.222.333%2F0001-81/documentos/1',
      ],
      ['//api//v1//7//x//nfe', '//api//v1//000007//x//nfe'],
    ] as const)
      assert.equal(caminhoCanonico(written), canonical);
  });

  it('is what stands there already, and stays so', () => {
    for (const path of [
      '/api/v1/000123/12ABC34501DE35/documentos/0/novos',
      '/api/v1/000123/11222333000181/documentos/12',
      '/api/v1/1234567/x/nfe',
      '/api/v1/00012a/x/nfe',
      '/storage/arquivo/5',
      '/',
      '',
    ])
      assert.equal(caminhoCanonico(path), path);
  });

  it('leaves other areas alone: proxies keep them from the outside by their paths', () => {
    for (const path of [
      '/Console/api/clientes',
      '/METRICS',
      '/Auth/realms/Service',
      '/OpenAPI.json',
      '/Docs',
      '/%63onsole/api/clientes',
    ])
      assert.equal(caminhoCanonico(path), path);
  });
});

describe('codigoCrm', () => {
  it('has one to six digits', () => {
    assert.deepEqual(['7', '000007', '123456'].map(readCodigoCrm), ['000007', '000007', '123456']);
    for (const text of ['', '1234567', '12a', '٣', ' 1', '-1']) assert.equal(readCodigoCrm(text), null);
  });
});
