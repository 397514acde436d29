import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { generateEvento } from '../../src/gerador/eventos.ts';
import {
  type CenarioDeExportacao,
  DOCUMENTOS,
  EM_ORDEM,
  emitente,
  MOSTRADOS,
  prepareCenario,
} from '../support/cenario-exportacao.ts';
import { createEscritorio, fetchJson, importFile, type Malote, startMalote } from '../support/malote.ts';

let malote: Malote;
let cenario: CenarioDeExportacao;

before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  cenario = await prepareCenario(malote, { crm: '123' });
});
after(() => malote[Symbol.asyncDispose]());

/** GET below a client's address. */
const read = (path: string, headers: Record<string, string> = {}, cpfCnpj?: string) =>
  fetchJson(`${cenario.base(cpfCnpj)}/${path}`, { token: cenario.token, headers });

type Registro = Record<string, unknown>;
const column = (body: { documentos: Registro[] }, name: string) =>
  body.documentos.map((registro) => registro[name]);

const RECORD_KEYS = [
  ...['nsu', 'data_emissao', 'data_importacao', 'chave', 'modelo', 'status', 'tipo', 'url_download', 'xml'],
  ...[
    'url_finalidade',
    'layout_nacional',
    'municipio_prestacao',
    'evento',
    'papel',
    'serie',
    'numero',
    'prova',
  ],
];

describe('the clients of the office', () => {
  const clientes = (path: string, token = cenario.token) =>
    fetchJson(`${malote.url}/api/v1/${path}`, { token });

  it('are pages by CPF/CNPJ, each client with the newest NSU of its feed', async () => {
    const { status, body } = await clientes('123/clientes');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['total', 'paginas', 'tamanho', 'pagina', 'clientes']);
    const ids = body.clientes.map(({ cpf_cnpj }: { cpf_cnpj: string }) => cpf_cnpj);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(ids.length, body.total);
    const [seu] = body.clientes.filter(({ cpf_cnpj }: { cpf_cnpj: string }) => cpf_cnpj === emitente.id);
    assert.equal(seu.nsu, EM_ORDEM.length);
    const second = await clientes('000123/clientes?Pagina=2&Tamanho=1');
    assert.deepEqual(second.body.clientes, body.clientes.slice(1, 2));
    assert.match(String(second.headers.get('link')), /Pagina=1>; rel="prev"/);
    const behind = await clientes('123/clientes?pagina=999');
    assert.deepEqual([behind.status, behind.body.clientes], [200, []]);
  });

  it('are those of the own office only', async () => {
    const outro = await createEscritorio(malote.dataFolder, { crm: '456' });
    assert.deepEqual((await clientes('456/clientes', outro.token)).body.clientes, []);
    assert.equal((await clientes('456/clientes', outro.token)).body.paginas, 0);
    assert.equal((await clientes('123/clientes', outro.token)).body.codigo, 'crm_nao_autorizado');
    assert.equal((await clientes('123/clientes?Tamanho=501')).body.codigo, 'tamanho_invalido');
  });
});

describe('4.2 GET /documentos/{nsu}/novos', () => {
  it('pages everything newer than an NSU, in ascending NSU, with the keys of the specification in order', async () => {
    const { status, body } = await read('documentos/0/novos');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['total', 'paginas', 'tamanho', 'pagina', 'documentos']);
    assert.deepEqual([body.total, body.paginas, body.tamanho, body.pagina], [9, 1, 50, 1]);
    assert.deepEqual(column(body, 'nsu'), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(
      column(body, 'chave'),
      EM_ORDEM.map(({ chave }) => chave),
    );
    for (const registro of body.documentos) assert.deepEqual(Object.keys(registro), RECORD_KEYS);
    const [primeiro] = body.documentos;
    assert.equal(primeiro.data_emissao, DOCUMENTOS.autorizada.dhEmi);
    assert.match(primeiro.data_importacao, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
    assert.deepEqual(
      [primeiro.modelo, primeiro.tipo, primeiro.papel, primeiro.serie, primeiro.numero],
      ['55', 'Emitida', 'emitente', '1', '1'],
    );
    assert.deepEqual(
      [primeiro.xml, primeiro.url_finalidade, primeiro.layout_nacional, primeiro.municipio_prestacao],
      ['', '', false, 0],
    );
  });

  it('shows each status, and of an event its document as it stands, the event apart', async () => {
    const { body } = await read('documentos/0/novos');
    assert.deepEqual(column(body, 'status'), [
      'Autorizada',
      'Cancelada',
      'Cancelada',
      'Autorizada',
      'Autorizada',
      'Denegada',
      'Inutilizada',
      'Autorizada',
      'Autorizada',
    ]);
    const { evento, ...mostrado } = body.documentos[4];
    const { url_download, ...dito } = evento;
    assert.deepEqual(dito, {
      codigo: '110110',
      descricao: 'Carta de correção',
      sequencia: 1,
      id: `ID110110${DOCUMENTOS.corrigida.chave}01`,
      data: '2026-03-03T12:00:00-03:00',
      prova: 'coerente',
      xml: '',
    });
    const bytes = Buffer.from(await (await fetch(url_download)).arrayBuffer());
    assert.deepEqual(bytes, Buffer.from(DOCUMENTOS.carta.bytes));
    const { evento: nenhum, ...daNota } = body.documentos[3];
    assert.equal(nenhum, null);
    for (const key of ['nsu', 'data_importacao', 'url_download']) delete mostrado[key];
    for (const key of Object.keys(mostrado)) assert.equal(mostrado[key], daNota[key], key);
  });

  it('pages by Tamanho and Pagina, with links to the neighbours', async () => {
    const { headers, body } = await read('documentos/2/novos?Tamanho=3&Pagina=2');
    assert.deepEqual([body.total, body.paginas, body.tamanho, body.pagina], [7, 3, 3, 2]);
    assert.deepEqual(column(body, 'nsu'), [6, 7, 8]);
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const last = await fetchJson(next, { token: cenario.token });
    assert.deepEqual(column(last.body, 'nsu'), [9]);
    assert.match(last.headers.get('link') ?? '', /^<[^>]+Pagina=2>; rel="prev"$/);
  });

  it('behind the end is an empty page with the true total', async () => {
    for (const pagina of ['2', '99', '9223372036854775807']) {
      const { status, body } = await read(`documentos/0/novos?Pagina=${pagina}&Xml=true`);
      assert.deepEqual([status, body.total, body.paginas, body.documentos], [200, 9, 1, []], pagina);
    }
    for (const nsu of ['9', '10', '9223372036854775807']) {
      const { status, body } = await read(`documentos/${nsu}/novos`);
      assert.deepEqual([status, body.total, body.paginas, body.documentos], [200, 0, 0, []], nsu);
    }
  });

  it('carries the text of every document with Xml=true, page by page too', async () => {
    const { body } = await read('documentos/0/novos?Xml=true');
    assert.deepEqual(
      column(body, 'xml'),
      MOSTRADOS.map(({ xml }) => xml),
    );
    assert.deepEqual(
      body.documentos.map(({ evento }: { evento: { xml: string } | null }) => evento?.xml ?? null),
      EM_ORDEM.map((um, at) => (um === MOSTRADOS[at] ? null : um.xml)),
    );
    const second = await read('documentos/1/novos?Xml=1&Tamanho=2&Pagina=2');
    assert.deepEqual([second.body.total, second.body.paginas], [8, 4]);
    assert.deepEqual(
      column(second.body, 'xml'),
      MOSTRADOS.slice(3, 5).map(({ xml }) => xml),
    );
  });

  it('reads names and booleans in any case, ignores unknown names and takes an empty value for absent', async () => {
    const { status, body } = await read('documentos/0/novos?XML=TRUE&tamanho=1&PAGINA=&Nada=1&Nada=2');
    assert.equal(status, 200);
    assert.deepEqual([body.tamanho, body.pagina, body.documentos.length], [1, 1, 1]);
    assert.ok(body.documentos[0].xml.startsWith('<?xml'));
  });

  it('never refuses an Accept, and answers HEAD', async () => {
    for (const accept of ['text/html', 'image/png', 'application/xml;q=0']) {
      assert.equal((await read('documentos/0/novos', { accept })).status, 200);
    }
    const head = await fetch(`${cenario.base()}/documentos/0/novos`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${cenario.token}` },
    });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });

  it('is Recebida for the other side, whose CNPJ may be written in any way', async () => {
    const id = cenario.destinatario;
    const masked = id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
    for (const spelling of [id, masked, masked.toLowerCase()]) {
      const { status, body } = await read('documentos/0/novos', {}, spelling);
      assert.equal(status, 200, spelling);
      assert.deepEqual([...new Set(column(body, 'tipo'))], ['Recebida']);
      assert.equal(body.documentos[0].papel, 'destinatario');
    }
  });
});

describe('4.2 GET /documentos/{nsu} and /documentos/{chave}/chave', () => {
  it('answers the entry with that NSU', async () => {
    const { body } = await read('documentos/3?Xml=true');
    assert.deepEqual(Object.keys(body), RECORD_KEYS);
    assert.deepEqual([body.nsu, body.xml], [3, DOCUMENTOS.cancelada.xml]);
    assert.deepEqual([body.status, body.evento.xml], ['Cancelada', DOCUMENTOS.cancelamento.xml]);
  });

  it('answers the document of a key, not its events', async () => {
    const { body } = await read(`documentos/${DOCUMENTOS.cancelada.chave}/chave?Xml=true`);
    assert.deepEqual([body.nsu, body.evento, body.status], [2, null, 'Cancelada']);
    assert.equal(body.xml, DOCUMENTOS.cancelada.xml);
  });

  it('answers 304 to who holds it already, and tells Xml apart', async () => {
    const first = await read('documentos/1');
    const etag = first.headers.get('etag') ?? '';
    const sha256 = createHash('sha256').update(DOCUMENTOS.autorizada.bytes).digest('hex');
    assert.ok(etag.startsWith(`W/"${sha256.slice(0, 16)}-`), etag);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    assert.match(first.headers.get('vary') ?? '', /accept-encoding, authorization/);
    for (const tag of [etag, etag.slice(2), `"outra", ${etag}`, '*']) {
      const again = await read('documentos/1', { 'if-none-match': tag });
      assert.deepEqual([again.status, again.body], [304, null], tag);
    }
    const head = await fetch(`${cenario.base()}/documentos/1`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${cenario.token}`, 'if-none-match': etag },
    });
    // That of nothing would be taken for the length of what he holds.
    assert.deepEqual([head.status, head.headers.get('content-length')], [304, null]);
    assert.equal((await read('documentos/1?Xml=true', { 'if-none-match': etag })).status, 200);
    assert.equal((await read('documentos/2', { 'if-none-match': etag })).status, 200);
  });

  it('no longer answers 304 to who holds addresses that are about to end', async () => {
    const etag = (await read('documentos/1')).headers.get('etag') ?? '';
    const [, before = '', period = ''] = /^(.*-)(\d+)"$/.exec(etag) ?? [];
    const held = async (ago: number) => {
      const tag = `${before}${Number(period) - ago}"`;
      const { status, headers } = await read('documentos/1', { 'if-none-match': tag });
      return [status, headers.get('etag') === tag];
    };
    assert.deepEqual(await held(1), [304, true], 'its own tag, so that it does not pass for a new one');
    assert.deepEqual(await held(3), [200, false]);
  });
});

describe('an entry of an event', () => {
  it('shows its document as soon as that has come, and as it stands: neither a page nor a 304 hides a change', async () => {
    const { cancelada, cancelamento } = DOCUMENTOS;
    const { token, codigoCrm } = await createEscritorio(malote.dataFolder, {
      crm: '124',
      clientes: [cenario.emitente],
    });
    const carta = generateEvento({
      semente: 'carta da cancelada',
      codigo: '110110',
      chave: cancelada.chave,
      autor: emitente,
      em: new Date(Date.UTC(2026, 2, 2, 14)),
    });
    const base = `${malote.url}/api/v1/${codigoCrm}/${cenario.emitente}/documentos`;
    let held = '';
    const seen = async () => {
      const headers = { 'if-none-match': held };
      const one = await fetchJson(`${base}/1?Xml=true`, { token, headers });
      held = one.headers.get('etag') ?? '';
      const { status, xml, evento } = (await fetchJson(`${base}/0/novos?Xml=true`, { token })).body
        .documentos[0];
      assert.deepEqual(one.body && [one.body.status, one.body.xml], [status, xml]);
      assert.equal(evento.xml, carta.xml);
      return [status, xml];
    };
    await importFile(malote, { token, bytes: carta.bytes, extension: '.xml' });
    assert.deepEqual(await seen(), ['Evento', carta.xml]);
    await importFile(malote, { token, bytes: cancelada.bytes, extension: '.xml' });
    assert.deepEqual(await seen(), ['Autorizada', cancelada.xml]);
    await importFile(malote, { token, bytes: cancelamento.bytes, extension: '.xml' });
    assert.deepEqual(await seen(), ['Cancelada', cancelada.xml]);
  });
});

describe('url_download', () => {
  it('is absolute and answers the very bytes without a token', async () => {
    const { body } = await read('documentos/0/novos');
    for (const [index, { url_download: url }] of body.documentos.entries()) {
      assert.ok(url.startsWith(`${malote.url}/download/`));
      const answer = await fetch(url);
      assert.equal(answer.status, 200);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(MOSTRADOS[index]?.bytes ?? []));
    }
  });

  it('comes as an attachment that nothing may sniff and caches may keep', async () => {
    const [documento, evento] = await Promise.all([read('documentos/1'), read('documentos/3')]);
    const answer = await fetch(documento.body.url_download);
    assert.equal(answer.headers.get('content-type'), 'application/xml');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable');
    for (const coding of ['identity', 'gzip']) {
      const kept = await fetch(documento.body.url_download, { headers: { 'accept-encoding': coding } });
      assert.equal(kept.headers.get('vary'), 'accept-encoding', coding);
    }
    const { chave } = DOCUMENTOS.autorizada;
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${chave}.xml"`);
    const ofEvento = await fetch(evento.body.evento.url_download);
    const name = `${DOCUMENTOS.cancelamento.chave}-110111-1.xml`;
    assert.equal(ofEvento.headers.get('content-disposition'), `attachment; filename="${name}"`);
  });

  it('is refused when anything of it was altered, doubled or left out', async () => {
    const url = new URL((await read('documentos/1')).body.url_download);
    const altered = (change: (copy: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return copy;
    };
    const bad = [
      altered((copy) => {
        copy.pathname = '/download/2';
      }),
      altered((copy) =>
        copy.searchParams.set('Expires', String(Number(url.searchParams.get('Expires')) + 1)),
      ),
      altered((copy) => copy.searchParams.set('StorageAccessKeyId', 'MLTAAAAAAAAAAAAAAAAA')),
      altered((copy) => copy.searchParams.set('Signature', 'AAAA')),
      altered((copy) => copy.searchParams.append('Expires', '1')),
      ...['Expires', 'StorageAccessKeyId', 'Signature'].map((name) =>
        altered((copy) => copy.searchParams.delete(name)),
      ),
    ];
    for (const address of bad) {
      const { status, body } = await fetchJson(address.href);
      assert.deepEqual([status, body.codigo], [403, 'endereco_invalido'], address.href);
    }
    const bare = url.href.replaceAll('%2B', '+');
    assert.equal((await fetch(bare)).status, 200, 'a plus may stand bare');
  });

  it('never shows its signature in the log', () => {
    const lines = malote.log.join('\n');
    assert.match(lines, /"path":"\/download\/1"/);
    assert.doesNotMatch(lines, /Signature|StorageAccessKeyId|mlt_|<\?xml/);
  });
});

describe('4.2 GET /documentos/{nsu}/finalidade and PUT /documentos/{chave}/finalidade', () => {
  it('is the same page as novos, with url_finalidade when it is wanted', async () => {
    const without = await read('documentos/0/finalidade?Tamanho=2', {}, cenario.destinatario);
    assert.deepEqual(column(without.body, 'url_finalidade'), ['', '']);
    const { body } = await read(
      'documentos/0/finalidade?Tamanho=2&Finalidade=true',
      {},
      cenario.destinatario,
    );
    const finalidade = await fetchJson(body.documentos[0].url_finalidade);
    assert.equal(finalidade.status, 200);
    assert.deepEqual(Object.keys(finalidade.body), [
      'chave',
      'finalidade_documento',
      'finalidade_aquisicao',
      'origem',
      'itens',
    ]);
    assert.equal(finalidade.body.chave, DOCUMENTOS.autorizada.chave);
    assert.equal(finalidade.body.finalidade_documento.codigo, '1');
    assert.equal(finalidade.body.origem, 'sugerida');
    assert.equal(finalidade.body.itens.length, 3);
    assert.deepEqual(Object.keys(finalidade.body.itens[0]), [
      'numero',
      'cfop',
      'ncm',
      'finalidade_aquisicao',
      'origem',
    ]);
  });

  it('keeps what was set for the document and for single items', async () => {
    const put = (json: unknown) =>
      fetchJson(
        `${cenario.base(cenario.destinatario)}/documentos/${DOCUMENTOS.autorizada.chave}/finalidade`,
        {
          method: 'PUT',
          token: cenario.token,
          json,
        },
      );
    const whole = await put({ finalidade_aquisicao: 'UsoConsumo' });
    assert.deepEqual(
      [whole.status, whole.body.finalidade_aquisicao, whole.body.origem],
      [200, 'UsoConsumo', 'informada'],
    );
    const item = await put({ itens: [{ numero: 2, finalidade_aquisicao: 'AtivoImobilizado' }] });
    assert.equal(item.body.finalidade_aquisicao, 'UsoConsumo');
    assert.deepEqual(
      item.body.itens.map((each: Registro) => each.finalidade_aquisicao),
      ['UsoConsumo', 'AtivoImobilizado', 'UsoConsumo'],
    );
    const { body } = await read('documentos/0/finalidade?Finalidade=1&Tamanho=1', {}, cenario.destinatario);
    assert.deepEqual((await fetchJson(body.documentos[0].url_finalidade)).body, item.body);
  });

  it('is of what was acquired: a note that the client itself issued has none, and takes none', async () => {
    const { body } = await read('documentos/0/finalidade?Finalidade=1&Tamanho=50');
    assert.ok(body.documentos.length > 0);
    assert.deepEqual(new Set(column(body, 'url_finalidade')), new Set(['']));
    const url = `${cenario.base()}/documentos/${DOCUMENTOS.autorizada.chave}/chave/finalidade`;
    const json = { finalidade_aquisicao: 'Revenda' };
    const refused = await fetchJson(url, { method: 'PUT', token: cenario.token, json });
    assert.deepEqual([refused.status, refused.body.codigo], [409, 'finalidade_nao_se_aplica']);
  });

  it('names every faulty field at once', async () => {
    const url = `${cenario.base(cenario.destinatario)}/documentos/${DOCUMENTOS.autorizada.chave}/finalidade`;
    const put = (json: unknown) => fetchJson(url, { method: 'PUT', token: cenario.token, json });
    const shape = await put({
      finalidade_aquisicao: 'Nada',
      itens: [{ numero: 0, finalidade_aquisicao: 'Revenda' }, {}],
    });
    assert.deepEqual([shape.status, shape.body.codigo], [400, 'dados_invalidos']);
    assert.deepEqual(shape.body.erros.map((erro: Registro) => erro.campo).sort(), [
      'finalidade_aquisicao',
      'itens[0].numero',
      'itens[1].finalidade_aquisicao',
      'itens[1].numero',
    ]);
    const items = await put({
      itens: [9, 1, 1].map((numero) => ({ numero, finalidade_aquisicao: 'Revenda' })),
    });
    assert.deepEqual(
      items.body.erros.map((erro: Registro) => [erro.campo, erro.codigo]),
      [
        ['itens[0].numero', 'inexistente'],
        ['itens[2].numero', 'repetido'],
      ],
    );
    assert.equal((await put({})).body.codigo, 'dados_invalidos');
  });
});

describe('4.2 GET /nfe and /nfce', () => {
  const numbers = async (query: string, route = 'nfe', cpfCnpj?: string) => {
    const { status, body } = await read(`${route}?DataInicial=2026-03-01&${query}`, {}, cpfCnpj);
    assert.equal(status, 200, JSON.stringify(body));
    return column(body, 'numero');
  };

  it('lists notes only by issue date: no events, no inutilizações, no missing numbers; also with Todas', async () => {
    const { body } = await read('nfe?DataInicial=2026-03-01');
    const todas = (await read('nfe?DataInicial=2026-03-01&Status=Todas')).body;
    assert.deepEqual(column(todas, 'chave'), column(body, 'chave'));
    assert.equal(body.total, 5);
    assert.deepEqual(Object.keys(body), ['total', 'paginas', 'tamanho', 'pagina', 'documentos']);
    assert.deepEqual(column(body, 'status'), [
      'Autorizada',
      'Cancelada',
      'Autorizada',
      'Denegada',
      'Autorizada',
    ]);
    for (const registro of body.documentos) assert.deepEqual(Object.keys(registro), RECORD_KEYS);
    assert.deepEqual(column((await read('nfce?DataInicial=2026-03-01')).body, 'chave'), [
      DOCUMENTOS.nfce.chave,
    ]);
  });

  it('selects by Status, however it is written', async () => {
    assert.deepEqual(await numbers('Status=canceladas'), ['2']);
    assert.deepEqual(await numbers(`status=${encodeURIComponent('Carta de Correção')}`), ['3']);
    assert.deepEqual(await numbers('Status=Denegado'), ['4']);
    assert.deepEqual(await numbers('Status=autorizada'), ['1', '3', '8']);
    const { body } = await read('nfe?DataInicial=2026-03-01&Status=Inutilizadas');
    assert.deepEqual(column(body, 'chave'), [DOCUMENTOS.inutilizacao.chave]);
    assert.deepEqual(column(body, 'data_emissao'), [DOCUMENTOS.inutilizacao.dhRecbto]);
    assert.equal((await read('nfce?DataInicial=2026-03-01&Status=Denegadas')).body.codigo, 'status_invalido');
  });

  it('lists the missing number, about which nothing is known', async () => {
    const { body } = await read('nfe?DataInicial=2026-03-01&Status=Faltantes');
    assert.deepEqual(Object.keys(body.documentos[0]), [...RECORD_KEYS, 'motivo', 'explicacao']);
    assert.equal(body.documentos[0].motivo, 'sem documento');
    assert.deepEqual(
      body.documentos.map((r: Registro) => [r.nsu, r.chave, r.data_emissao, r.serie, r.numero, r.status]),
      [[0, '', null, '1', '7', 'Faltante']],
    );
    assert.deepEqual(await numbers('Status=Faltantes&Tipo=Recebidas'), []);
    assert.deepEqual(await numbers('Status=Faltantes', 'nfe', cenario.destinatario), []);
  });

  it('selects by Tipo as the client sees it', async () => {
    assert.equal((await numbers('Tipo=Emitidas')).length, 5);
    assert.deepEqual(await numbers('Tipo=recebido'), []);
    assert.deepEqual(await numbers('Tipo=recebido', 'nfe', cenario.destinatario), ['1', '2', '3', '4', '8']);
  });

  it('reads dates in all forms; the final one is inclusive', async () => {
    const between = async (from: string, to: string) =>
      column((await read(`nfe?DataInicial=${from}&DataFinal=${to}`)).body, 'numero');
    assert.deepEqual(await between('2026-03-02', '2026-03-03'), ['2', '3']);
    for (const day of ['02/03/2026', '02-03-2026', '02.03.2026', '2026/03/02', '20260302'])
      assert.deepEqual(await between(day, day), ['2'], day);
    assert.deepEqual(await between('02/03/2026 11:59', '02/03/2026 12:00'), ['2']);
    assert.deepEqual(await between('02/03/2026 12:01', '02/03/2026 23:59:59'), []);
    assert.deepEqual(await between('2026-03-02T12:00:00-03:00', '2026-03-03T12:00:00-03:00'), ['2', '3']);
    assert.deepEqual(await between('2026-03-02T12:00:01-03:00', '2026-03-03T11:59:59-03:00'), []);
    assert.deepEqual(await between('2026-04-01', '2126-04-01'), []);
  });

  it('pages with an exact total', async () => {
    const { body, headers } = await read('nfe?DataInicial=2026-03-01&Tamanho=4&Pagina=2');
    assert.deepEqual([body.total, body.paginas, body.documentos.length], [5, 2, 1]);
    assert.match(headers.get('link') ?? '', /rel="prev"/);
  });
});

describe('what every answer has in common', () => {
  /** A request whose coding `fetch` would hide. */
  const coded = (coding: string) =>
    new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>(
      (resolve, reject) => {
        const headers = { authorization: `Bearer ${cenario.token}`, 'accept-encoding': coding };
        get(`${cenario.base()}/documentos/0/novos?Xml=true`, { headers }, async (answer) => {
          const bytes = Buffer.concat(await answer.toArray());
          resolve({ encoding: answer.headers['content-encoding'], vary: answer.headers.vary, bytes });
        }).on('error', reject);
      },
    );

  it('bodies are compressed when that is asked for', async () => {
    const [plain, gzip, br] = await Promise.all(['identity', 'gzip', 'br'].map(coded));
    assert.ok(plain && gzip && br);
    assert.deepEqual([plain.encoding, gzip.encoding, br.encoding], [undefined, 'gzip', 'br']);
    const keys = (bytes: Buffer) => column(JSON.parse(bytes.toString()), 'chave');
    assert.deepEqual(keys(gunzipSync(gzip.bytes)), keys(plain.bytes));
    assert.deepEqual(keys(brotliDecompressSync(br.bytes)), keys(plain.bytes));
    for (const { vary } of [plain, gzip, br]) assert.match(vary ?? '', /accept-encoding/);
  });

  it('links use the host that the caller used, and never a forwarded one', async () => {
    const forwarded = {
      'x-forwarded-host': 'mau.exemplo',
      'x-forwarded-proto': 'https',
      forwarded: 'host=mau',
    };
    const { body } = await read('documentos/1', forwarded);
    assert.ok(body.url_download.startsWith(`${malote.url}/`));
  });
});
