import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { revokeToken } from '../../src/autorizacao/tokens.ts';
import { deleteDocumentos } from '../../src/documentos/delete/excluir.ts';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import {
  type CenarioDeExportacao,
  DOCUMENTOS,
  EM_ORDEM,
  emitente,
  prepareCenario,
} from '../support/cenario-exportacao.ts';
import { answerOnce } from '../support/espera.ts';
import { createEscritorio, importFile, type Malote, startMalote, withDeps } from '../support/malote.ts';

/** What differs between two answers of the same page. */
const OWN = new Set([
  'x-request-id',
  'date',
  'ratelimit',
  'content-length',
  'content-encoding',
  'connection',
  'transfer-encoding',
]);

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a page, whose shape the test itself asserts
  body: any;
}

/** `fetch` would add headers of its own, and inflate. */
function get(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const raw = Buffer.concat(pieces);
        const body = JSON.parse(decoded(raw, response.headers['content-encoding']).toString());
        resolve({ status: response.statusCode ?? 0, headers: response.headers, raw, body });
      });
    })
      .on('error', reject)
      .end();
  });
}

function decoded(raw: Buffer, coding: string | undefined): Buffer {
  if (coding === 'gzip') return gunzipSync(raw);
  if (coding === 'br') return brotliDecompressSync(raw);
  assert.equal(coding, undefined);
  return raw;
}

/** A page without what is signed, which is another with each answer. */
function unsigned(body: Answer['body']): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) =>
    key.startsWith('url_') ? value.split('?')[0] : value,
  );
}

const shared = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));

describe('pages of a feed', () => {
  let malote: Malote;
  let cenario: CenarioDeExportacao;
  const auth = () => ({ authorization: `Bearer ${cenario.token}` });
  const novos = (query: string, headers: Record<string, string> = {}, nsu = 0) =>
    get(`${cenario.base()}/documentos/${nsu}/novos?${query}`, { ...auth(), ...headers });
  const gzip = { 'accept-encoding': 'gzip' };

  before(async () => {
    malote = await startMalote();
    cenario = await prepareCenario(malote, { crm: '77' });
  });
  test.after(() => malote[Symbol.asyncDispose]());

  test('have the same records prepared in gzip and without compression, and sliced in other codings', async () => {
    for (const query of [
      'Xml=true',
      'Xml=true&Tamanho=2&Pagina=2',
      'Xml=true&Tamanho=1',
      'Xml=true&Pagina=9',
    ]) {
      const plain = await novos(query);
      for (const accepted of ['gzip', 'gzip, br', 'br;q=0.5, gzip', 'br', 'deflate', '*']) {
        const prepared = await novos(query, { 'accept-encoding': accepted });
        assert.deepEqual(unsigned(prepared.body), unsigned(plain.body), `${query} ${accepted}`);
        assert.deepEqual(shared(prepared), shared(plain));
      }
    }
    assert.equal((await novos('Xml=true', gzip)).headers['content-encoding'], 'gzip');
  });

  test('without texts are the same in gzip, wherever they begin and end', async () => {
    const remessa = { semente: 'grupos', clientes: 1, documentos: 70, inicio: '2026-03-01', meses: 1 };
    const { documentos, empresas } = generateCenario(remessa);
    const clientes = empresas.map(({ id }) => id);
    const { token, codigoCrm } = await createEscritorio(malote.dataFolder, { crm: '90', clientes });
    await importFile(malote, { token, bytes: await zipDe([...documentos]), extension: '.zip' });
    const base = `${malote.url}/api/v1/${codigoCrm}/${clientes[0]}/documentos`;
    const page = (nsu: number, tamanho: number, headers = {}) =>
      get(`${base}/${nsu}/novos?Tamanho=${tamanho}`, { authorization: `Bearer ${token}`, ...headers });
    const { total } = (await page(0, 1)).body;
    assert.ok(total > 60, 'they lie in more than one stretch');
    for (let nsu = 0; nsu < total; nsu += 3) {
      for (const tamanho of [17, 100]) {
        const [plain, compressed] = [await page(nsu, tamanho), await page(nsu, tamanho, gzip)];
        assert.deepEqual(unsigned(compressed.body), unsigned(plain.body), `${nsu} ${tamanho}`);
        assert.deepEqual(shared(compressed), shared(plain));
      }
    }
    const whole = await page(0, 50, gzip);
    assert.ok(whole.raw.length < JSON.stringify(whole.body).length / 2);
  });

  test('show each text as `JSON.parse` gives it back, and each record as the route of one document', async () => {
    const page = await novos('Xml=true', gzip);
    assert.equal(page.body.documentos.length, EM_ORDEM.length);
    for (const registro of page.body.documentos) {
      const one = await get(`${cenario.base()}/documentos/${registro.nsu}?Xml=true`, auth());
      assert.deepEqual(unsigned({ documentos: [registro] }), unsigned({ documentos: [one.body] }));
    }
  });

  test('are the same the second time, with headers of their own', async () => {
    for (const headers of [{}, gzip]) {
      for (const path of ['novos?Tamanho=3', 'novos?Tamanho=3&Xml=true', 'finalidade?Finalidade=true']) {
        const url = `${cenario.base()}/documentos/1/${path}`;
        const first = await get(url, { ...auth(), ...headers });
        const second = await get(url, { ...auth(), ...headers });
        assert.deepEqual(shared(second), shared(first), path);
        assert.deepEqual(Object.keys(second.headers).sort(), Object.keys(first.headers).sort());
        assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id']);
        assert.deepEqual(unsigned(second.body), unsigned(first.body));
        const left = (answer: Answer) => Number(/r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
        assert.equal(left(second), left(first) - 1);
      }
    }
  });

  test('are the same bytes for who sends the same headers in another order', async () => {
    const repetidas = async () => {
      const metrics = await (await fetch(`${malote.url}/metrics`)).text();
      return Number(/paginas_total\{via="repetidas"\} (\d+)/.exec(metrics)?.[1]);
    };
    const headers = { ...auth(), ...gzip, accept: 'application/json' };
    const backwards = Object.fromEntries(Object.entries(headers).reverse());
    const page = (sent: Record<string, string>) =>
      get(`${cenario.base()}/documentos/0/novos?Xml=true&Tamanho=3`, sent);
    for (let time = 0; time < 3; time++) await page(headers);
    const before = await repetidas();
    assert.deepEqual((await page(backwards)).raw, (await page(headers)).raw);
    assert.equal(await repetidas(), before + 2);
  });

  test('are refused to who sends two tokens, whichever is the first', async () => {
    const path = new URL(`${cenario.base()}/documentos/0/novos?Xml=true`);
    const ask = (lines: string[]) =>
      new Promise<number>((resolve, reject) => {
        const socket = connect(Number(path.port), path.hostname, () => {
          const head = [`GET ${path.pathname}${path.search} HTTP/1.1`, `Host: ${path.host}`, ...lines];
          socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
        });
        socket.once('data', (bytes) => {
          resolve(Number(/^HTTP\/1.1 (\d+)/.exec(bytes.toString('latin1'))?.[1]));
          socket.destroy();
        });
        socket.once('error', reject);
      });
    const [own, other] = [`Authorization: ${auth().authorization}`, 'Authorization: Bearer outro'];
    for (let time = 0; time < 3; time++) assert.equal(await ask([own]), 200);
    assert.equal(await ask([own, other]), 400);
    assert.equal(await ask([other, own]), 400);
    assert.equal(await ask([own, own]), 400);
  });

  test('tell their own coding, small ones and large ones of the same reader in any order', async () => {
    const query = 'Tamanho=5';
    const last = EM_ORDEM.length - 1;
    for (const nsu of [0, last, 0, last, 1, 0, last]) {
      const page = await novos(query, gzip, nsu);
      const small = nsu === last;
      assert.equal(page.headers['content-encoding'], small ? undefined : 'gzip');
      assert.equal(page.body.documentos[0].nsu, nsu + 1);
      assert.equal(Number(page.headers['content-length']), page.raw.length);
    }
  });

  test('of one reader after another number have the links and records of the ordinary way', async () => {
    const query = 'Tamanho=2&Pagina=2';
    for (const nsu of [0, 1, 4, 6, 8, 20]) {
      const fast = await novos(query, {}, nsu);
      // An unknown header is part of what is remembered: nobody has asked so before.
      const ordinary = await novos(query, { 'x-outro': String(nsu) }, nsu);
      assert.deepEqual(unsigned(fast.body), unsigned(ordinary.body));
      assert.deepEqual(shared(fast), shared(ordinary));
    }
    const { body } = await novos('Tamanho=2', {}, 0);
    assert.equal((await novos('Tamanho=2', {}, body.documentos.at(-1).nsu)).body.documentos[0].nsu, 3);
  });

  test('that are asked for once, many at a time, are each their own, and so they are when asked for again', async () => {
    const plain = await novos('Xml=true');
    const whole = plain.body.documentos.map((registro: { nsu: number; xml: string }) => registro.xml);
    const askedFor = [gzip, {}].flatMap((headers) =>
      Array.from({ length: 8 }, (_, at) => ({ headers, query: `Xml=true&Tamanho=${20 + at}` })),
    );
    for (const { headers, query } of askedFor) {
      // The first makes the others known.
      await novos(query, headers, 50);
      for (let turn = 0; turn < 3; turn++) {
        const pages = await Promise.all([0, 1, 2, 3, 4, 5].map((nsu) => novos(query, headers, nsu)));
        for (const [nsu, { body }] of pages.entries()) {
          const texts = body.documentos.map((registro: { xml: string }) => registro.xml);
          assert.deepEqual(texts, whole.slice(nsu));
        }
      }
    }
  });

  test('are whole for who reads on while others break off in the middle of theirs', async () => {
    const plain = await novos('Xml=true');
    const whole = plain.body.documentos.map((registro: { xml: string }) => registro.xml);
    const breakOff = (nsu: number) =>
      new Promise<void>((resolve) => {
        const url = `${cenario.base()}/documentos/${nsu}/novos?Xml=true&Tamanho=30`;
        const asked = request(url, { headers: { ...auth(), ...gzip }, agent: false }, (response) => {
          response.once('data', () => response.destroy());
          response.once('close', resolve);
        });
        asked.on('error', () => resolve());
        asked.end();
      });
    // Known by now, and never asked for twice at one NSU: such a page is not kept.
    await novos('Xml=true&Tamanho=30', gzip, 50);
    for (let nsu = 0; nsu < 12; nsu += 2) {
      const broken = [nsu, nsu].map(breakOff);
      const { body } = await novos('Xml=true&Tamanho=30', gzip, nsu + 1);
      const texts = body.documentos.map((registro: { xml: string }) => registro.xml);
      assert.deepEqual(texts, whole.slice(nsu + 1, nsu + 31));
      await Promise.all(broken);
    }
  });

  test('carry addresses that work', async () => {
    const { body } = await novos('Tamanho=1');
    const url = body.documentos[0].url_download;
    assert.equal((await fetch(url)).status, 200);
    const left = Number(new URL(url).searchParams.get('Expires')) - Date.now() / 1_000;
    assert.ok(left > 590 && left <= 901, String(left));
    assert.ok(url.startsWith(malote.url));
    const other = await novos('Tamanho=1', { host: 'outro.exemplo' });
    assert.ok(other.body.documentos[0].url_download.startsWith('http://outro.exemplo/'));
  });

  test('never reach another office, nor a token that was mistyped', async () => {
    const outro = await createEscritorio(malote.dataFolder, { crm: '78', clientes: [cenario.emitente] });
    await novos('Tamanho=4');
    const url = `${cenario.base()}/documentos/0/novos?Tamanho=4`;
    assert.equal((await get(url, { authorization: `Bearer ${outro.token}` })).status, 403);
    const own = url.replace('/000077/', '/000078/');
    assert.equal((await get(own, { authorization: `Bearer ${outro.token}` })).body.total, 0);
    assert.equal((await get(url, {})).status, 401);
    assert.equal((await get(url, { authorization: `${auth().authorization}x` })).status, 401);
  });

  test('show a document that has come, and its cancellation, with the next request', async () => {
    const before = await novos('Xml=true', gzip);
    const evento = generateEvento({
      semente: 'tardio',
      codigo: '110111',
      chave: DOCUMENTOS.autorizada.chave,
      autor: emitente,
      em: new Date(Date.UTC(2026, 2, 10, 15)),
      nProt: DOCUMENTOS.autorizada.protocolo?.nProt ?? null,
    });
    await importFile(malote, { token: cenario.token, bytes: evento.bytes, extension: '.xml' });
    const after = await novos('Xml=true', gzip);
    assert.equal(after.body.total, before.body.total + 1);
    assert.equal(before.body.documentos[0].status, 'Autorizada');
    assert.equal(after.body.documentos[0].status, 'Cancelada');
    assert.equal((await novos('Tamanho=1')).body.documentos[0].status, 'Cancelada');
  });

  test('show no content of a document that was deleted', async () => {
    const query = 'Xml=true&Tamanho=2';
    const [kept] = (await novos(query, gzip, 6)).body.documentos;
    await withDeps(malote.dataFolder, ({ db, clock }) =>
      db.write.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('documento')
          .select(['id', 'contador_id'])
          .where('chave', '=', kept.chave)
          .executeTakeFirstOrThrow();
        const input = { contadorId: row.contador_id, ids: [row.id], agora: clock.now() };
        await deleteDocumentos(trx, input);
      }),
    );
    for (const headers of [gzip, {}]) {
      const [gone, next] = (await novos(query, headers, 6)).body.documentos;
      assert.equal(gone.nsu, kept.nsu);
      assert.equal(gone.xml, '');
      assert.equal(gone.url_download, '');
      assert.match(next.xml, /^</);
    }
  });

  test('end at once with the token that was revoked', async () => {
    const { contadorId, token } = await createEscritorio(malote.dataFolder, {
      crm: '79',
      clientes: [cenario.emitente],
    });
    const url = `${malote.url}/api/v1/000079/${cenario.emitente}/documentos/0/novos`;
    const headers = { authorization: `Bearer ${token}` };
    for (const _ of [1, 2, 3]) assert.equal((await get(url, headers)).status, 200);
    await withDeps(malote.dataFolder, async (deps) => {
      const { id } = await deps.db.read
        .selectFrom('token_integracao')
        .select('id')
        .where('contador_id', '=', contadorId)
        .executeTakeFirstOrThrow();
      await revokeToken(deps, { contadorId, id });
    });
    assert.equal((await get(url, headers)).status, 401);
  });
});

describe('pages of a feed, limited', () => {
  test('count every request, however it is answered', async () => {
    await using malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '10' } });
    const cliente = '11222333000181';
    const { token, codigoCrm } = await createEscritorio(malote.dataFolder, { crm: '5', clientes: [cliente] });
    const url = `${malote.url}/api/v1/${codigoCrm}/${cliente}/documentos/0/novos`;
    const answers = [];
    for (let at = 0; at < 11; at++) answers.push(await get(url, { authorization: `Bearer ${token}` }));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(10).fill(200), 429],
    );
    assert.ok(answers.at(-1)?.headers['retry-after']);
  });
});

describe('pages of a feed that are prepared', () => {
  const gzip = { 'accept-encoding': 'gzip' };

  /** Texts that are prepared, bytes. */
  async function preparedBytes(malote: Malote): Promise<number> {
    const text = await (await fetch(`${malote.url}/metrics`)).text();
    return Number(/^malote_exportacao_preparado_bytes\{o_que="segmentos"\} (\d+)$/m.exec(text)?.[1]);
  }

  /** Waits until something is prepared, and it does not grow any more. */
  async function prepared(malote: Malote): Promise<number> {
    let before = 0;
    return answerOnce('something is prepared ahead', {
      ask: async () => {
        const bytes = await preparedBytes(malote);
        const same = bytes > 0 && bytes === before;
        before = bytes;
        await pause(500);
        return same ? bytes : 0;
      },
      is: (bytes) => bytes > 0,
    });
  }

  test('are ready for who reads on, and show what came between preparing and reading', async () => {
    await using importer = await startMalote({ umProcesso: true });
    const { dataFolder } = importer;
    await using api = await startMalote({ dataFolder, umProcesso: true, env: { MALOTE_MODO: 'api' } });
    const { token, codigoCrm } = await createEscritorio(dataFolder, { crm: '81', clientes: [emitente.id] });
    const novos = (headers: Record<string, string>) =>
      get(`${api.url}/api/v1/${codigoCrm}/${emitente.id}/documentos/0/novos?Xml=true`, {
        authorization: `Bearer ${token}`,
        ...headers,
      });
    assert.equal((await novos(gzip)).body.total, 0);
    const bytes = await zipDe(EM_ORDEM.map(({ bytes }, at) => ({ nome: `${at}.xml`, bytes })));
    await importFile(api, { token, bytes, extension: '.zip' });
    const ready = await prepared(api);
    const first = await novos(gzip);
    // Its texts were all there, so reading has prepared none.
    assert.equal(await preparedBytes(api), ready);
    assert.deepEqual(unsigned(first.body), unsigned((await novos({})).body));
    assert.equal(first.body.documentos[0].status, 'Autorizada');
    const evento = generateEvento({
      semente: 'entre',
      codigo: '110111',
      chave: DOCUMENTOS.autorizada.chave,
      autor: emitente,
      em: new Date(Date.UTC(2026, 2, 10, 15)),
      nProt: DOCUMENTOS.autorizada.protocolo?.nProt ?? null,
    });
    await importFile(api, { token, bytes: evento.bytes, extension: '.xml' });
    const { body } = await novos(gzip);
    assert.equal(body.total, first.body.total + 1);
    assert.equal(body.documentos[0].status, 'Cancelada');
  });

  test('of documents that nobody has read are made at one go, and of parts when they are read again', async () => {
    const remessa = { semente: 'antigas', clientes: 1, documentos: 130, inicio: '2026-03-01', meses: 1 };
    const { documentos, empresas } = generateCenario(remessa);
    const clientes = empresas.map(({ id }) => id);
    await using importer = await startMalote({ umProcesso: true });
    const { dataFolder } = importer;
    const { token, codigoCrm } = await createEscritorio(dataFolder, { crm: '84', clientes });
    await importFile(importer, { token, bytes: await zipDe([...documentos]), extension: '.zip' });
    await importer.stop();
    await using malote = await startMalote({ dataFolder, umProcesso: true });
    const page = (nsu: number, headers: Record<string, string>) =>
      get(`${malote.url}/api/v1/${codigoCrm}/${clientes[0]}/documentos/${nsu}/novos?Xml=true&Tamanho=100`, {
        authorization: `Bearer ${token}`,
        ...headers,
      });
    // Behind the last entry nothing is prepared ahead for who reads on.
    const nsu = (await page(0, {})).body.total - 100;
    const [once, plain] = [await page(nsu, gzip), await page(nsu, {})];
    assert.equal(once.body.documentos.length, 100);
    assert.equal(await preparedBytes(malote), 0);
    const again = await page(nsu, gzip);
    assert.ok((await preparedBytes(malote)) > 0, 'what is read again is kept in parts');
    assert.ok(once.raw.length < again.raw.length);
    for (const answer of [once, again, await page(nsu, gzip)]) {
      assert.deepEqual(unsigned(answer.body), unsigned(plain.body));
      assert.deepEqual(shared(answer), shared(plain));
    }
    const moved = [await page(nsu - 7, {}), await page(nsu - 7, gzip)];
    assert.deepEqual(unsigned(moved[1]?.body), unsigned(moved[0]?.body));
  });
});
