import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { addLinks, type Paginacao, paginasDe, sendSliced } from './paginas.ts';
import { presentFaltante } from './present.ts';

const registro = (numero: string) =>
  presentFaltante({ modelo: '55', serie: '1', uf: null, numero, chave: null, motivo: 'sem documento' });

test('pages are counted by division, and an empty result has none', () => {
  assert.deepEqual(
    [0, 1, 50, 51].map((total) => paginasDe({ total, tamanho: 50 })),
    [0, 1, 1, 2],
  );
});

async function linksFor(paginacao: Paginacao, url: string): Promise<string | undefined> {
  const app = Fastify();
  app.get('/p', async (_request, reply) => {
    addLinks(reply, { paginacao, origin: 'https://notas.exemplo' });
    return '';
  });
  const { headers } = await app.inject({ url });
  return headers.link as string | undefined;
}

test('links name the neighbours absolutely and keep the other parameters', async () => {
  assert.equal(
    await linksFor(
      { total: 30, tamanho: 10, pagina: 2 },
      '/p?Tamanho=10&pagina=2&Status=Carta+de+Corre%C3%A7%C3%A3o',
    ),
    '<https://notas.exemplo/p?Tamanho=10&Status=Carta+de+Corre%C3%A7%C3%A3o&Pagina=3>; rel="next", ' +
      '<https://notas.exemplo/p?Tamanho=10&Status=Carta+de+Corre%C3%A7%C3%A3o&Pagina=1>; rel="prev"',
  );
});

test('the only page has no links, and behind the end prev is the last page', async () => {
  assert.equal(await linksFor({ total: 10, tamanho: 10, pagina: 1 }, '/p'), undefined);
  assert.equal(await linksFor({ total: 0, tamanho: 10, pagina: 5 }, '/p'), undefined);
  assert.equal(
    await linksFor({ total: 10, tamanho: 10, pagina: 99 }, '/p'),
    '<https://notas.exemplo/p?Pagina=1>; rel="prev"',
  );
});

async function sliced(slices: string[][], sized: (numero: string) => string = (n) => n) {
  const app = Fastify();
  app.get('/', async (_request, reply) => {
    async function* source() {
      for (const slice of slices) yield slice.map((numero) => registro(sized(numero)));
    }
    return sendSliced(reply, { paginacao: { total: 9, tamanho: 5, pagina: 1 }, slices: source() });
  });
  return app.inject({ url: '/' });
}

test('slices become one page object, whatever their division', async () => {
  for (const slices of [[], [[]], [['1']], [['1', '2'], [], ['3']]]) {
    const answer = await sliced(slices);
    const page = answer.json();
    assert.deepEqual(Object.keys(page), ['total', 'paginas', 'tamanho', 'pagina', 'documentos']);
    assert.deepEqual(
      page.documentos.map((documento: { numero: string }) => documento.numero),
      slices.flat(),
    );
    assert.ok(answer.headers['content-length'], 'a small page tells its length');
  }
});

test('a large page is streamed without a length and is the same JSON', async () => {
  const answer = await sliced([['1', '2'], ['3']], (numero) => numero.repeat(700_000));
  assert.equal(answer.headers['content-length'], undefined);
  assert.deepEqual(
    answer.json().documentos.map((documento: { numero: string }) => documento.numero.length),
    [700_000, 700_000, 700_000],
  );
});
