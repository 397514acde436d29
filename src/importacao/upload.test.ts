/** Section 4.1 of the specification, and signed addresses, over a real server with a clock that stands still. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { alterado } from '../../test/support/alterado.ts';
import { type BancoAberto, openBanco } from '../../test/support/bancos.ts';
import { until } from '../../test/support/espera.ts';
import type { Auth, Enderecos, HttpContext } from '../autorizacao/contexto.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { readConfig } from '../config.ts';
import type { Deps, Logger } from '../deps.ts';
import { signAddress, verifyAddress } from '../platform/crypto/assinar-endereco.ts';
import type { Database } from '../platform/db/connect.ts';
import { AppError } from '../platform/errors.ts';
import { onFailpoint } from '../platform/failpoint.ts';
import { createHttpServer } from '../platform/http/server.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../platform/storage/disk.ts';
import { ERROS_DE_IMPORTACAO } from './errors.ts';
import { CORPO_CARENCIA_MS, CORPO_PRAZO_MS, IMPORT_MAX_BYTES, VENCIDOS_DE_CADA_VEZ } from './limites.ts';
import { importacaoRoutes } from './routes.ts';
import { expireLapsed, forgetLapsed, readSituacao } from './status.ts';
import { isArrivingFastEnough } from './upload/upload-body.ts';

/** Between two seconds, so that rounding shows. */
const T0 = Date.UTC(2026, 10, 20, 12, 30, 0) + 400;
const KID = 'MLTTESTE000000000001';
const SECRET = Buffer.alloc(32, 7);
const XML = Buffer.from('<nfeProc/>');

const quiet = {
  level: 'silent',
  debug() {},
  info() {},
  warn() {},
  error() {},
  trace() {},
  fatal() {},
  silent() {},
};
const LOG = { ...quiet, child: () => LOG } as unknown as FastifyBaseLogger;

/** One key that signs, as the real ones do. */
const enderecos: Enderecos = {
  sign: (input) => ({ kid: KID, signature: signAddress(SECRET, input) }),
  verify: (input) => input.kid === KID && verifyAddress(SECRET, input, input.signature),
  knows: (kid) => kid === KID,
  current: () => ({ kid: KID, secret: SECRET }),
};

describe('upload', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-upload-'));
  let files = 0;
  let agora = T0;
  let auth: Auth | null = null;
  let banco: BancoAberto;
  let db: Database<Tabelas>;
  let storage: BlobStore;
  let diskFault: Error | null = null;
  let root: string;
  let deps: Deps;
  let app: FastifyInstance;
  let port: number;

  async function startServer(): Promise<void> {
    app = await createHttpServer({
      log: LOG,
      catalogo: ERROS_DE_IMPORTACAO,
      https: false,
      logFields: () => ({}),
      answersContinueItself: (path) => path.startsWith('/upload/'),
    });
    app.decorateRequest('auth', null);
    const ctx: HttpContext = {
      deps,
      requireToken: async (request) => {
        if (!auth) throw new AppError({ codigo: 'token_ausente', status: 401, mensagem: 'x' });
        request.auth = auth;
      },
      requireOwnCrm: async () => {},
      requireOauth: async () => {},
      enderecos,
      outgoing: { reserve: async () => {} },
      origin: () => `http://127.0.0.1:${port}/upload`,
    };
    importacaoRoutes(app, ctx);
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  }

  beforeEach(async () => {
    agora = T0;
    diskFault = null;
    auth = {
      contadorId: 1,
      codigoCrm: '000001',
      tokenId: 1,
      autor: 'token:1',
      escopo: 'tudo',
      clienteIds: null,
    };
    files += 1;
    banco = await openBanco();
    db = banco.db;
    for (const codigo_crm of ['000001', '000002']) {
      await db.write
        .insertInto('contador')
        .values({ codigo_crm, nome: 'n', email: 'e', criado_em: T0 })
        .execute();
    }
    root = join(folder, `arquivos-${files}`);
    const store = await openDiskBlobStore(root);
    storage = {
      syncFailure: null,
      put: (key, source, limits) => (diskFault ? Promise.reject(diskFault) : store.put(key, source, limits)),
      get: (key) => store.get(key),
      read: (key) => store.read(key),
      delete: (key) => store.delete(key),
      stat: (key) => store.stat(key),
      keys: () => store.keys(),
      sweep: () => store.sweep(),
      close: () => store.close(),
    };
    deps = {
      config: readConfig({ MALOTE_DATA: folder }),
      log: LOG as unknown as Logger,
      clock: { now: () => agora },
      db,
      storage,
    };
    await startServer();
  });
  afterEach(async () => {
    onFailpoint(null);
    app.server.closeAllConnections();
    await app.close();
    await banco.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const announce = (body: unknown) =>
    app.inject({ method: 'POST', url: '/storage', payload: body as object });
  async function ticket(
    extension = '.xml',
    size = XML.length,
  ): Promise<{ id: string; url: string; path: string }> {
    const { id, url } = (await announce({ size, extension })).json();
    return { id, url, path: url.slice(url.indexOf('/upload')) };
  }
  const put = (path: string, payload: Buffer = XML, headers: Record<string, string> = {}) =>
    app.inject({ method: 'PUT', url: path, payload, headers });
  const status = async (id: string) => (await app.inject({ url: `/storage/arquivo/${id}` })).json();
  const rows = (table: 'job' | 'arquivo') => db.read.selectFrom(table).selectAll().execute();
  const blobs = () =>
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  const codeIn = (xml: string) => /<Code>(.*?)<\/Code>/.exec(xml)?.[1];

  describe('POST /storage', () => {
    it('answers message, address and id, in the order of the specification', async () => {
      const answer = await announce({ size: 6_000_000, extension: '.xml', contentType: 'x' });
      assert.equal(answer.statusCode, 200);
      const body = answer.json();
      assert.deepEqual(Object.keys(body), ['mensagem', 'url', 'id']);
      const url = new URL(body.url);
      assert.equal(url.pathname, `/upload/${body.id}`);
      assert.deepEqual([...url.searchParams.keys()], ['StorageAccessKeyId', 'Expires', 'Signature']);
      assert.equal(Number(url.searchParams.get('Expires')), Math.floor(T0 / 1000) + 60);
      assert.equal(url.searchParams.get('Signature')?.length, 44);
    });

    for (const extension of ['.xml', 'xml', '.ZIP', 'zip', '.Xml']) {
      it(`takes the extension ${extension} and echoes it in the status as it was sent`, async () => {
        const { id } = await ticket(extension);
        assert.equal((await status(id)).extensao, extension);
      });
    }

    const faults: [unknown, string, string[]][] = [
      [{}, 'parametro_obrigatorio', ['size', 'extension']],
      [{ size: 1 }, 'parametro_obrigatorio', ['extension']],
      [{ size: null, extension: '.xml' }, 'parametro_obrigatorio', ['size']],
      [{ size: 0, extension: '.xml' }, 'size_invalido', ['size']],
      [{ size: IMPORT_MAX_BYTES + 1, extension: '.xml' }, 'size_invalido', ['size']],
      [{ size: 1.5, extension: '.xml' }, 'size_invalido', ['size']],
      [{ size: '1.5', extension: '.xml' }, 'size_invalido', ['size']],
      [{ size: 1, extension: '.txt' }, 'extensao_invalida', ['extension']],
      [{ size: 1, extension: '' }, 'extensao_invalida', ['extension']],
      [{ size: 1, extension: '.x ml' }, 'extensao_invalida', ['extension']],
      [{ size: 1, extension: 7 }, 'extensao_invalida', ['extension']],
      [{ size: -1, extension: '.pdf' }, 'size_invalido', ['size', 'extension']],
      [[], 'corpo_invalido', []],
    ];
    for (const [body, codigo, campos] of faults) {
      it(`refuses ${JSON.stringify(body)} with ${codigo}`, async () => {
        const answer = await announce(body);
        assert.equal(answer.statusCode, 400);
        const problem = answer.json();
        assert.equal(problem.codigo, codigo);
        assert.deepEqual(
          problem.erros.map((erro: { campo: string }) => erro.campo),
          campos,
        );
        assert.equal((await rows('arquivo')).length, 0);
      });
    }

    it('looks at the credentials before the body', async () => {
      auth = null;
      assert.equal((await announce({})).statusCode, 401);
    });
  });

  describe('PUT to the address', () => {
    it('puts its job in line behind the turn that is being served, whosever that is', async () => {
      const { id: deOutro } = await ticket();
      await db.write.updateTable('arquivo').set({ contador_id: 2 }).where('id', '=', deOutro).execute();
      const job = { tipo: 'importar', arquivo_id: deOutro, contador_id: 2, disponivel_em: T0, peso: 1 };
      await db.write
        .insertInto('job')
        .values({ ...job, estado: 'em_execucao', vez: 7 })
        .execute();
      const { id, path } = await ticket();
      assert.equal((await put(path)).statusCode, 200);
      const meu = (await rows('job')).find(({ arquivo_id }) => arquivo_id === id) as
        | { vez: number }
        | undefined;
      assert.equal(meu?.vez, 7);
    });

    it('answers 200 with an empty body and the MD5 as ETag, when file, row and job are there', async () => {
      const { id, path } = await ticket('.xml', 6_000_000);
      agora += 1_000;
      const answer = await put(path);
      assert.deepEqual([answer.statusCode, answer.body], [200, '']);
      assert.equal(answer.headers.etag, `"${createHash('md5').update(XML).digest('hex')}"`);
      assert.ok(answer.headers['x-request-id']);
      const [arquivo] = await rows('arquivo');
      assert.equal(arquivo?.status, 'Em Processamento');
      assert.equal(arquivo?.sha256, createHash('sha256').update(XML).digest('hex'));
      assert.deepEqual(await storage.get(arquivo?.blob ?? ''), XML);
      const [job] = await rows('job');
      assert.deepEqual([job?.arquivo_id, job?.estado], [id, 'pronto']);
      assert.deepEqual(await status(id), {
        tamanho: XML.length,
        extensao: '.xml',
        status: 'Em Processamento',
        dataCriacao: '2026-11-20T09:30:00.400-03:00',
        log: '',
        dataUploaded: '2026-11-20T09:30:01.400',
      });
    });

    it('does not care about the Content-Type, nor about a valid or broken Authorization', async () => {
      for (const type of [
        'application/json',
        'application/x-www-form-urlencoded',
        'rubbish',
        'text/xml; x=;;',
      ]) {
        const { path } = await ticket();
        const answer = await put(path, XML, { 'content-type': type, authorization: 'Basic !!' });
        assert.equal(answer.statusCode, 200, type);
      }
    });

    it('refuses multipart with a hint, and stores no envelope', async () => {
      const { path } = await ticket();
      const answer = await put(path, XML, { 'content-type': 'multipart/form-data; boundary=x' });
      assert.equal(answer.statusCode, 415);
      assert.match(answer.body, /multipart/);
      assert.equal(blobs(), 0);
      assert.equal((await put(path)).statusCode, 200, 'the address is still good');
    });

    it('takes the parameters in any order, beside unknown ones, with plus signs as they are or encoded', async () => {
      const { path, id } = await ticket();
      const query = new URLSearchParams(path.slice(path.indexOf('?')));
      const signature = query.get('Signature') ?? '';
      const rest = `Expires=${query.get('Expires')}&x=1&x=2&StorageAccessKeyId=${KID}`;
      for (const text of [signature, encodeURIComponent(signature), signature.replaceAll('+', '%2b')]) {
        assert.equal((await put(`/upload/${id}?Signature=${text}&${rest}`)).statusCode, 200, text);
      }
    });

    it('is good until the sixtieth second, and not after it', async () => {
      const { path, id } = await ticket();
      agora = (Math.floor(T0 / 1000) + 60) * 1000 + 999;
      assert.equal((await status(id)).status, 'Aguardando Upload');
      assert.equal((await put(path)).statusCode, 200);
      const other = await ticket();
      agora += 61_000;
      const answer = await put(other.path);
      assert.equal(answer.statusCode, 403);
      assert.equal(answer.headers['content-type'], 'application/xml; charset=utf-8');
      assert.match(answer.body, /<Code>AccessDenied<\/Code><Message>O endereço de envio expirou/);
      assert.match(answer.body, /<Expires>2026-11-20T12:32:00Z<\/Expires><ServerTime>/);
      assert.ok(!answer.body.includes('Signature='), 'the query is not repeated');
      assert.equal((await status(other.id)).status, 'Expirado');
    });

    it('is not Expirado at any process while a slow body still arrives at one', async () => {
      const { path, id } = await ticket();
      agora += 57_000;
      const arriving = connect(port, '127.0.0.1');
      arriving.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf`);
      await until(
        'the file is noted as arriving',
        async () => (await rows('arquivo'))[0]?.chegando_ate != null,
      );
      agora += 30_000;
      const elsewhere = await readSituacao(deps, { id, contadorId: 1, chegando: false });
      assert.equal(elsewhere.status, 'Aguardando Upload');
      arriving.write('second');
      await until(
        'the file waits for its import',
        async () => (await status(id)).status === 'Em Processamento',
      );
      arriving.destroy();
    });

    it('becomes Expirado for good some time after it lapsed, but not while a body may still be coming', async () => {
      const { id } = await ticket();
      agora += 62_000;
      assert.equal(await expireLapsed(deps), 0);
      assert.equal((await status(id)).status, 'Expirado', 'told at once all the same');
      agora += CORPO_PRAZO_MS + 10_000;
      assert.equal(await expireLapsed(deps), 1);
      assert.equal((await rows('arquivo'))[0]?.status, 'Expirado');
    });

    it('is forgotten a day after it lapsed unused, and nothing else is', async () => {
      const [unused, kept] = [await ticket(), await ticket()];
      await put(kept.path);
      agora += 62_000 + CORPO_PRAZO_MS + 10_000;
      const young = await ticket();
      await expireLapsed(deps);
      agora += 86_400_000 - CORPO_PRAZO_MS - 20_000;
      assert.equal(await forgetLapsed(deps), 0, 'not quite a day');
      assert.equal((await status(unused.id)).status, 'Expirado');
      agora += 30_000;
      assert.equal(await forgetLapsed(deps), 1);
      const ids = (await rows('arquivo')).map(({ id }) => id);
      assert.deepEqual(ids.toSorted(), [kept.id, young.id].toSorted());
      const answer = await app.inject({ url: `/storage/arquivo/${unused.id}` });
      assert.deepEqual([answer.statusCode, answer.json().codigo], [404, 'arquivo_nao_encontrado']);
      const late = await put(unused.path);
      assert.equal(late.statusCode, 403);
      assert.equal(await forgetLapsed(deps), 0);
    });

    it('is forgotten some at a time, however many lapsed', async () => {
      const lapsed = Array.from({ length: VENCIDOS_DE_CADA_VEZ + 3 }, (_one, n) => ({
        id: `vencido-${n}`,
        contador_id: 1,
        extensao: '.xml',
        tamanho_anunciado: 1,
        status: 'Expirado',
        criado_em: agora,
        expira_em: Math.floor(agora / 1000) - 90_000,
        kid: KID,
      }));
      await db.write.insertInto('arquivo').values(lapsed).execute();
      assert.equal(await forgetLapsed(deps), VENCIDOS_DE_CADA_VEZ);
      assert.equal(await forgetLapsed(deps), 3);
    });

    it('refuses every altered byte of id, kid, expiry and signature', async () => {
      const { path } = await ticket();
      const cut = path.indexOf('/upload/') + '/upload/'.length;
      let tried = 0;
      for (let at = cut; at < path.length; at++) {
        if ('?&=%'.includes(path.charAt(at))) continue;
        for (const other of [path.charAt(at) === 'A' ? 'B' : 'A', path.charAt(at) === '1' ? '2' : '1']) {
          const altered = path.slice(0, at) + other + path.slice(at + 1);
          const answer = await put(altered);
          assert.equal(answer.statusCode, 403, altered);
          assert.ok(!answer.body.includes('MLT1'), 'what was signed is not told');
          tried += 1;
        }
      }
      assert.ok(tried > 200);
      assert.equal(blobs(), 0);
    });

    it('answers a missing, empty, repeated or non-numeric parameter, an unknown key and an unknown id by S3’s names', async () => {
      const { path, id } = await ticket();
      const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
      const changed = (change: (query: URLSearchParams) => void, base = id) => {
        const copy = new URLSearchParams(query);
        change(copy);
        return `/upload/${base}?${copy}`;
      };
      const cases: [string, string][] = [
        [`/upload/${id}`, 'AccessDenied'],
        [changed((q) => q.delete('Expires')), 'AccessDenied'],
        [changed((q) => q.delete('Signature')), 'AccessDenied'],
        [changed((q) => q.delete('StorageAccessKeyId')), 'AccessDenied'],
        [changed((q) => q.set('Signature', '')), 'AccessDenied'],
        [changed((q) => q.append('Expires', query.get('Expires') ?? '')), 'AccessDenied'],
        [changed((q) => q.set('Expires', 'soon')), 'AccessDenied'],
        [changed((q) => q.set('Expires', '-1')), 'AccessDenied'],
        [changed((q) => q.set('Expires', '1e99')), 'AccessDenied'],
        [changed((q) => q.set('StorageAccessKeyId', 'outra')), 'InvalidAccessKeyId'],
        [changed((q) => q.set('Expires', String(Number(query.get('Expires')) + 1))), 'SignatureDoesNotMatch'],
        [changed(() => {}, '00000000-0000-4000-8000-000000000000'), 'SignatureDoesNotMatch'],
        [changed(() => {}, 'x%0Ay'), 'SignatureDoesNotMatch'],
      ];
      for (const [url, code] of cases) {
        const answer = await put(url);
        assert.deepEqual([answer.statusCode, codeIn(answer.body)], [403, code], url);
      }
    });

    it('answers problem+json to who asks for JSON', async () => {
      const { path } = await ticket();
      agora += 120_000;
      const answer = await put(path, XML, { accept: 'application/json' });
      assert.equal(answer.statusCode, 403);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
      const problem = answer.json();
      assert.equal(problem.codigo, 'endereco_expirado');
      assert.equal(problem.instance, path.slice(0, path.indexOf('?')));
    });

    it('takes the same bytes again, and refuses others once one upload was accepted', async () => {
      const { path, id } = await ticket();
      const first = await put(path);
      const again = await put(path);
      assert.deepEqual([again.statusCode, again.headers.etag], [200, first.headers.etag]);
      const other = await put(path, Buffer.from('<outro/>'));
      assert.deepEqual([other.statusCode, codeIn(other.body)], [409, 'InvalidObjectState']);
      assert.equal(blobs(), 1);
      assert.equal((await rows('job')).length, 1);
      const [arquivo] = await rows('arquivo');
      assert.deepEqual(await storage.get(arquivo?.blob ?? ''), XML);
      assert.equal((await status(id)).status, 'Em Processamento');
    });

    it('makes one import of fifty equal uploads at once', async () => {
      const { path } = await ticket();
      const answers = await Promise.all(Array.from({ length: 50 }, () => put(path)));
      assert.deepEqual(new Set(answers.map((answer) => answer.statusCode)), new Set([200]));
      assert.equal(new Set(answers.map((answer) => answer.headers.etag)).size, 1);
      assert.equal((await rows('job')).length, 1);
      assert.equal(blobs(), 1, 'the bytes of the others are gone');
    });

    it('lets one of several different uploads at once win, whole', async () => {
      const { path } = await ticket();
      const bodies = Array.from({ length: 8 }, (_, index) => Buffer.from(`<nota n="${index}"/>`.repeat(500)));
      const answers = await Promise.all(bodies.map((body) => put(path, body)));
      const won = answers.flatMap((answer, index) => (answer.statusCode === 200 ? [index] : []));
      assert.equal(won.length, 1);
      assert.ok(answers.every((answer) => [200, 409].includes(answer.statusCode)));
      const [arquivo] = await rows('arquivo');
      assert.deepEqual(await storage.get(arquivo?.blob ?? ''), bodies[won[0] ?? -1]);
      assert.equal(blobs(), 1);
    });

    it('checks Content-MD5 when it comes, and keeps nothing that differs from it', async () => {
      const md5 = createHash('md5').update(XML).digest('base64');
      const { path } = await ticket();
      const wrong = createHash('md5').update('other').digest('base64');
      const bad = await put(path, XML, { 'content-md5': wrong });
      assert.deepEqual([bad.statusCode, codeIn(bad.body)], [400, 'BadDigest']);
      for (const malformed of ['x', `${md5}=`, 'd41d8cd98f00b204e9800998ecf8427e', '']) {
        const answer = await put(path, XML, { 'content-md5': malformed });
        assert.deepEqual([answer.statusCode, codeIn(answer.body)], [400, 'InvalidDigest'], malformed);
      }
      assert.equal(blobs(), 0);
      assert.equal((await put(path, XML, { 'content-md5': md5 })).statusCode, 200);
    });

    it('keeps nothing of a body shorter than it was announced', async () => {
      const { path } = await ticket();
      const answer = await put(path, XML, { 'content-length': String(XML.length + 1) });
      assert.deepEqual([answer.statusCode, codeIn(answer.body)], [400, 'IncompleteBody']);
      assert.equal(blobs(), 0);
      assert.equal((await put(path)).statusCode, 200);
    });

    it('takes exactly 30,000,000 bytes', async () => {
      const { path } = await ticket('.zip');
      assert.equal((await put(path, Buffer.alloc(IMPORT_MAX_BYTES))).statusCode, 200);
    });

    it('takes an empty file, which the import then judges', async () => {
      const { path } = await ticket();
      assert.equal((await put(path, Buffer.alloc(0))).statusCode, 200);
    });

    it('allows PUT only, and any page to send', async () => {
      const { path } = await ticket();
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH'] as const) {
        const answer = await app.inject({ method, url: path, headers: { 'content-type': 'a/b' } });
        assert.equal(answer.statusCode, 405, method);
        assert.equal(answer.headers.allow, 'PUT, OPTIONS');
        assert.equal(codeIn(answer.body), 'MethodNotAllowed');
      }
      const preflight = await app.inject({
        method: 'OPTIONS',
        url: path,
        headers: { origin: 'https://pagina.example', 'access-control-request-method': 'PUT' },
      });
      assert.equal(preflight.statusCode, 204);
      assert.equal(preflight.headers['access-control-allow-origin'], '*');
      assert.equal(preflight.headers['access-control-allow-methods'], 'PUT');
      assert.equal(preflight.headers['access-control-max-age'], '3000');
      assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
      const answer = await put(path);
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      assert.match(String(answer.headers['access-control-expose-headers']), /ETag/);
    });

    it('answers 503 and keeps the ticket open when disk or database refuse', async () => {
      const { path, id } = await ticket();
      diskFault = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const onDisk = await put(path);
      assert.deepEqual([onDisk.statusCode, codeIn(onDisk.body)], [503, 'SlowDown']);
      assert.ok(Number(onDisk.headers['retry-after']) > 0);
      diskFault = null;
      onFailpoint((name) => {
        if (name === 'upload_antes_do_commit') throw new Error('database or disk is full');
      });
      assert.equal((await put(path)).statusCode, 503);
      onFailpoint(null);
      assert.equal((await status(id)).status, 'Aguardando Upload');
      assert.equal((await put(path)).statusCode, 200);
    });
  });

  it('puts uploads off while the queue is deep, and takes them again when it is not', async () => {
    const before = await ticket();
    const sent = await ticket();
    assert.equal((await put(sent.path)).statusCode, 200);
    await app.close();
    deps = { ...deps, config: readConfig({ MALOTE_DATA: folder, MALOTE_FILA_MAXIMA: '1' }) };
    await startServer();
    const refused = await announce({ size: 1, extension: '.xml' });
    assert.deepEqual([refused.statusCode, refused.json().codigo], [503, 'indisponivel']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const onUpload = await put(before.path);
    assert.deepEqual([onUpload.statusCode, codeIn(onUpload.body)], [503, 'SlowDown']);
    assert.ok(Number(onUpload.headers['retry-after']) > 0);
    assert.equal((await put(sent.path)).statusCode, 200, 'what is in already stays acknowledged');
    assert.equal((await status(before.id)).status, 'Aguardando Upload', 'reads go on');
    await db.write.updateTable('job').set({ estado: 'feito' }).execute();
    await until('the file is taken', async () => (await put(before.path)).statusCode === 200);
    await until(
      'no more is announced',
      async () => (await announce({ size: 1, extension: '.xml' })).statusCode === 503,
    );
  });

  describe('PUT on the wire', () => {
    function send(path: string, headers: Record<string, string | number> = {}): ClientRequest {
      const request = httpRequest({ host: '127.0.0.1', port, path, method: 'PUT', headers, agent: false });
      // The connection of a refused body may be reset after its answer, when nobody listens any more.
      return request.on('error', () => {});
    }
    async function answerOf(request: ClientRequest): Promise<{ status: number; body: string }> {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
    }

    it('tells a request without a body from an empty file, and leaves the address to the file', async () => {
      const { path } = await ticket();
      const sent = async (body: string) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(`PUT ${path} HTTP/1.0\r\nHost: x\r\n\r\n${body}`);
        return text(socket);
      };
      const none = await sent('');
      assert.match(none, /^HTTP\/1.1 411 /);
      assert.equal(codeIn(none), 'MissingContentLength');
      // All of the file, and no word of its length: to the parser a second request, which is none.
      assert.match(await sent(XML.toString()), /^HTTP\/1.1 4(11|00) /);
      assert.equal(blobs(), 0);
      assert.equal((await put(path)).statusCode, 200);
    });

    it('takes a body in chunks, without a length', async () => {
      const { path } = await ticket();
      const request = send(path);
      request.write(XML.subarray(0, 4));
      request.end(XML.subarray(4));
      assert.equal((await answerOf(request)).status, 200);
      const [arquivo] = await rows('arquivo');
      assert.equal(arquivo?.tamanho, XML.length);
    });

    it('refuses a length above the limit before the body, and longer chunks when they pass it', async () => {
      const { path } = await ticket();
      const announced = send(path, { 'content-length': IMPORT_MAX_BYTES + 1 });
      announced.flushHeaders();
      const early = await answerOf(announced);
      assert.deepEqual([early.status, codeIn(early.body)], [413, 'EntityTooLarge']);
      announced.destroy();

      const chunked = send(path);
      chunked.end(Buffer.alloc(IMPORT_MAX_BYTES + 1));
      const late = await answerOf(chunked);
      assert.deepEqual([late.status, codeIn(late.body)], [413, 'EntityTooLarge']);
      assert.equal(blobs(), 0);
      assert.equal((await put(path)).statusCode, 200, 'the address is still good');
    });

    it('says 100 Continue after the signature, and never to a bad one', async () => {
      const { path } = await ticket();
      const good = send(path, { expect: '100-continue', 'content-length': XML.length });
      good.flushHeaders();
      await once(good, 'continue');
      good.end(XML);
      assert.equal((await answerOf(good)).status, 200);

      const bad = send(alterado(path), { expect: '100-continue', 'content-length': XML.length });
      bad.on('continue', () => assert.fail('the body is not wanted'));
      bad.flushHeaders();
      assert.equal((await answerOf(bad)).status, 403);
      bad.destroy();
    });

    it('lets a client that writes everything first still read its refusal, and use the connection again', async () => {
      const { path } = await ticket();
      const wrong = alterado(path);
      const body = Buffer.alloc(2_000_000);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      const head = (target: string, length: number) =>
        `PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
      socket.write(head(wrong, body.length));
      socket.write(body);
      socket.write(head(path, XML.length));
      socket.write(XML);
      while (!/HTTP\/1\.1 200/.test(received)) await once(socket, 'data');
      assert.match(received, /^HTTP\/1\.1 403[\s\S]*SignatureDoesNotMatch[\s\S]*HTTP\/1\.1 200/);
      socket.destroy();
    });

    it('keeps nothing of a body whose sender goes away, and the address stays good', async () => {
      const { path, id } = await ticket();
      const request = send(path, { 'content-length': 1_000_000 });
      request.on('error', () => {});
      request.write(Buffer.alloc(100_000));
      while (blobs() === 0) await new Promise((resolve) => setImmediate(resolve));
      // The deadline counts at the headers: one that is under way is not Expirado.
      agora += 90_000;
      assert.equal((await status(id)).status, 'Aguardando Upload');
      request.destroy();
      while (blobs() > 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal((await rows('job')).length, 0);
      agora = T0;
      assert.equal((await put(path)).statusCode, 200);
    });
  });

  describe('status and items', () => {
    it('hide another office’s file, an unknown one and what is no id, alike', async () => {
      const { id } = await ticket();
      auth = {
        contadorId: 2,
        codigoCrm: '000002',
        tokenId: 2,
        autor: 'token:2',
        escopo: 'tudo',
        clienteIds: null,
      };
      const unknown = '00000000-0000-4000-8000-000000000000';
      for (const path of [id, unknown, 'x', `${id}/itens`, `${unknown}/itens`]) {
        const answer = await app.inject({ url: `/storage/arquivo/${path}` });
        assert.equal(answer.statusCode, 404, path);
        assert.equal(answer.json().codigo, 'arquivo_nao_encontrado');
      }
      auth = null;
      assert.equal((await app.inject({ url: `/storage/arquivo/${id}` })).statusCode, 401);
    });

    it('tell times of the import on Com Erro only, as the last two keys', async () => {
      const { id, path } = await ticket();
      assert.equal((await status(id)).dataUploaded, null);
      await put(path);
      const times = { inicio_em: T0 + 1_000, fim_em: T0 + 2_000 };
      await db.write
        .updateTable('arquivo')
        .set({ status: 'Uploaded', ...times })
        .execute();
      assert.deepEqual(Object.keys(await status(id)), [
        'tamanho',
        'extensao',
        'status',
        'dataCriacao',
        'log',
        'dataUploaded',
      ]);
      await db.write.updateTable('arquivo').set({ status: 'Com Erro', log: 'a\nb' }).execute();
      const failed = await status(id);
      assert.deepEqual(Object.keys(failed).slice(-2), ['dataInicioImportacao', 'dataFimImportacao']);
      assert.equal(failed.dataInicioImportacao, '2026-11-20T09:30:01.400');
      assert.equal(failed.log, 'a\nb');
    });

    it('page the items by their number', async () => {
      const { id } = await ticket();
      const { numero } = await db.read
        .selectFrom('arquivo')
        .select('numero')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const item = (ordem: number) => ({
        arquivo_numero: numero,
        ordem,
        caminho: `${ordem}.xml`,
        sha256: null,
        especie: 'NFe',
        chave: null,
        resultado: 'novo',
        codigo: null,
        mensagem: null,
        linha: null,
        coluna: null,
        elemento: null,
        documento_id: null,
      });
      await db.write
        .insertInto('item')
        .values(Array.from({ length: 7 }, (_, index) => item(index + 1)))
        .execute();
      const page = async (query: string) =>
        (await app.inject({ url: `/storage/arquivo/${id}/itens${query}` })).json();
      const second = await page('?pagina=2&TAMANHO=3');
      assert.deepEqual(Object.keys(second), ['total', 'paginas', 'tamanho', 'pagina', 'itens']);
      assert.deepEqual([second.total, second.paginas, second.tamanho, second.pagina], [7, 3, 3, 2]);
      assert.deepEqual(
        second.itens.map((row: { caminho: string }) => row.caminho),
        ['4.xml', '5.xml', '6.xml'],
      );
      assert.deepEqual(Object.keys(second.itens[0]), [
        'caminho',
        'sha256',
        'especie',
        'chave',
        'resultado',
        'codigo',
        'mensagem',
        'linha',
        'coluna',
        'elemento',
      ]);
      assert.equal((await page('?Pagina=3&Tamanho=3')).itens.length, 1);
      const beyond = await page('?Pagina=9007199254740991&Tamanho=500');
      assert.deepEqual([beyond.total, beyond.itens], [7, []]);
      assert.equal((await page('')).tamanho, 50);
      for (const [query, codigo] of [
        ['?Tamanho=501', 'tamanho_invalido'],
        ['?Tamanho=0', 'tamanho_invalido'],
        ['?Pagina=0', 'pagina_invalida'],
        ['?Pagina=x', 'pagina_invalida'],
        ['?Pagina=1&pagina=2', 'parametro_repetido'],
      ] as const) {
        assert.equal((await page(query)).codigo, codigo, query);
      }
      const empty = await ticket();
      const none = (await app.inject({ url: `/storage/arquivo/${empty.id}/itens` })).json();
      assert.deepEqual([none.total, none.paginas, none.itens], [0, 0, []]);
    });
  });
});

describe('the pace of a body', () => {
  it('is free in the first ten seconds, then 8 KiB a second on average, and two minutes in all', () => {
    const ok = (elapsedMs: number, receivedBytes: number) =>
      isArrivingFastEnough({ elapsedMs, receivedBytes });
    assert.equal(ok(CORPO_CARENCIA_MS, 0), true);
    assert.equal(ok(CORPO_CARENCIA_MS + 1, 0), false);
    assert.equal(ok(20_000, 20 * 8192), true);
    assert.equal(ok(20_000, 20 * 8192 - 1), false);
    assert.equal(ok(CORPO_PRAZO_MS, 29_000_000), true);
    assert.equal(ok(CORPO_PRAZO_MS + 1, 29_000_000), false);
  });
});
