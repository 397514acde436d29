import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { segmentoDe } from '../../platform/gzip/membro.ts';
import { bytesDe, fatiasDe, paginaComXml, paginaSemXml, paginaSemXmlEmGzip } from './pagina.ts';
import { ENTRADAS_DO_TRECHO, gruposDe, type TrechoPreparado } from './preparar-trechos.ts';

/** Stretches of a feed with so many entries, as they are prepared. */
function trechosDe(entradas: number): TrechoPreparado[] {
  const trechos: TrechoPreparado[] = [];
  for (let from = 1; from <= entradas; from += ENTRADAS_DO_TRECHO) {
    const until = Math.min(entradas, from + ENTRADAS_DO_TRECHO - 1);
    trechos.push(trecho(from, until));
  }
  return trechos;
}

function trecho(from: number, until: number): TrechoPreparado {
  const pieces: Buffer[] = [];
  const registros: TrechoPreparado['registros'] = [];
  let at = 0;
  for (let nsu = from; nsu <= until; nsu++) {
    const text = JSON.stringify({
      nsu,
      nome: `João ${'á'.repeat(nsu % 7)}`,
      xml: '',
      url_finalidade: '',
    });
    const piece = Buffer.from(nsu === from ? text : `,${text}`);
    const fim = at + piece.length;
    const inicio = fim - Buffer.byteLength(text);
    const lugar = inicio + Buffer.byteLength(text.slice(0, text.indexOf('""')));
    registros.push({ nsu, inicio, fim, textos: [{ lugar, versaoId: nsu }], tamanho: 10 });
    pieces.push(piece);
    at = fim;
  }
  const bytes = new Uint8Array(Buffer.concat(pieces));
  const indice = (from - 1) / ENTRADAS_DO_TRECHO;
  return {
    indice,
    ultimoNsu: until,
    revisao: 0,
    kid: 'k',
    expiresAtSeconds: 0,
    bytes,
    registros,
    grupos: gruposDe({ bytes, registros }),
  };
}

const paginacao = { total: 230, tamanho: 100, pagina: 1 };
const intervalo = fc
  .tuple(fc.integer({ min: 1, max: 230 }), fc.integer({ min: 0, max: 120 }))
  .map(([de, mais]) => ({ de, ate: Math.min(230, de + mais) }));

test('a page of any range holds its records in their order, compressed as it is plain', () => {
  const trechos = trechosDe(230);
  fc.assert(
    fc.property(intervalo, ({ de, ate }) => {
      const fatias = fatiasDe(trechos, de, ate);
      const plain = paginaSemXml(paginacao, fatias);
      const nsus = JSON.parse(plain.toString()).documentos.map(({ nsu }: { nsu: number }) => nsu);
      assert.deepEqual(
        nsus,
        Array.from({ length: ate - de + 1 }, (_, i) => de + i),
      );
      assert.equal(gunzipSync(paginaSemXmlEmGzip(paginacao, fatias)).toString(), plain.toString());
      assert.ok(plain.length - bytesDe(fatias) < 200, 'nothing beside the records is large');
    }),
    { numRuns: 300 },
  );
});

test('an empty page is one, compressed too', () => {
  const plain = paginaSemXml(paginacao, []).toString();
  assert.deepEqual(JSON.parse(plain).documentos, []);
  assert.equal(gunzipSync(paginaSemXmlEmGzip(paginacao, [])).toString(), plain);
});

test('a page that begins where a group does is smaller by far than its text', () => {
  const trechos = trechosDe(230);
  const fatias = fatiasDe(trechos, 101, 200);
  assert.ok(paginaSemXmlEmGzip(paginacao, fatias).length < paginaSemXml(paginacao, fatias).length / 2);
});

test('each text takes the place of its record in a compressed page, whatever range it has', () => {
  const trechos = trechosDe(230);
  const texts = new Map(Array.from({ length: 231 }, (_, nsu) => [nsu, `<nota>${nsu} "é"</nota>`]));
  const segmentos = new Map(
    [...texts].map(([nsu, text]) => [nsu, segmentoDe(Buffer.from(JSON.stringify(text)))]),
  );
  fc.assert(
    fc.property(intervalo, ({ de, ate }) => {
      const page = paginaComXml(paginacao, fatiasDe(trechos, de, ate), segmentos);
      assert.ok(page);
      const { documentos } = JSON.parse(gunzipSync(page).toString());
      assert.equal(documentos.length, ate - de + 1);
      for (const { nsu, xml } of documentos) assert.equal(xml, texts.get(nsu));
    }),
    { numRuns: 100 },
  );
});
