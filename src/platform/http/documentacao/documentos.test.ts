import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assembleDocumento, rotasDe } from './documentos.ts';
import { paginaDaApi } from './pagina.ts';
import type { Caminho, Esquema } from './tipos.ts';

/** A route that answers a shape. */
const rota = (schema: Esquema): Caminho => ({
  get: {
    operationId: 'ler',
    tags: ['Area'],
    responses: { 200: { description: 'Feito', content: { 'application/json': { schema } } } },
  },
});

const API = {
  title: 'Malote',
  version: '1',
  description: '',
  tags: [{ name: 'Area', description: 'Tudo.' }],
  url: 'https://malote.exemplo',
  areas: [
    { area: '/envio', url: 'https://envio.exemplo' },
    { area: '/leitura', url: 'https://malote.exemplo' },
    { area: '/envio/estado', url: 'https://estado.exemplo' },
  ],
  securitySchemes: {},
};

describe('a document', () => {
  it('tells the areas in their order, and the server of each that has its own', () => {
    const paths = Object.fromEntries(
      ['/envio/estado/{id}', '/leitura/{id}', '/envio', '/envios'].map((path) => [path, rota({})]),
    );
    const documento = assembleDocumento(
      rotasDe({ paths }, () => true),
      API,
    );
    const told = Object.entries(documento.paths).map(([path, { servers }]) => [path, servers?.[0]?.url]);
    assert.deepEqual(told, [
      ['/envio', 'https://envio.exemplo'],
      ['/envios', undefined],
      ['/leitura/{id}', undefined],
      ['/envio/estado/{id}', 'https://estado.exemplo'],
    ]);
    const example = documento.paths['/envio']?.get?.['x-codeSamples']?.[0]?.source;
    assert.equal(example, 'curl -s "https://envio.exemplo/envio"');
  });

  it('has each shape with a title once, under that title, wherever it stands', () => {
    const pessoa = { title: 'Pessoa', type: 'object', properties: { title: { type: 'string' } } };
    const grupo = { title: 'Grupo', type: 'object', properties: { chefe: pessoa } };
    const paths = { '/a': rota(pessoa), '/b': rota(grupo) };
    const { schemas } = rotasDe({ paths }, () => true);
    const { title: _title, ...bare } = pessoa;
    const chefe = { $ref: '#/components/schemas/Pessoa' };
    assert.deepEqual(schemas, { Pessoa: bare, Grupo: { type: 'object', properties: { chefe } } });
  });

  it('is not made when two shapes that differ have one name', () => {
    const paths = {
      '/a': rota({ title: 'Um', type: 'string' }),
      '/b': rota({ title: 'Um', type: 'integer' }),
    };
    assert.throws(() => rotasDe({ paths }, () => true), /two schemas are called Um/);
  });

  it('shows what callers say, such as their name of the server, as text', () => {
    const url = 'https://x"><script>alert(1)</script>';
    const documento = assembleDocumento(
      rotasDe({ paths: { '/leitura': rota({}) } }, () => true),
      { ...API, url, areas: [] },
    );
    const html = paginaDaApi(documento, { path: '/docs', documento: '/openapi.json' });
    assert.ok(!html.includes('<script>alert'));
  });
});
