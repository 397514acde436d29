/**
 * What programs that were written for the closed service find here: the specification's own types, in strictly typed
 * languages too; a loop that knows nothing but the specification; and the sequences of requests that deployed clients send.
 * `MALOTE_ESPELHO=5000` mirrors a month of so many documents.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { formatCpfCnpj } from '../src/fiscal/cpf-cnpj.ts';
import type { CpfCnpj } from '../src/fiscal/tipos.ts';
import { Aleatorio } from '../src/gerador/aleatorio.ts';
import { generateCnpj } from '../src/gerador/empresas.ts';
import { linhasDe, type Nome } from './compatibilidade/campos.ts';
import { EspelhoComEventos, EspelhoDaEspecificacao } from './compatibilidade/espelho.ts';
import { executar, LEITORES } from './compatibilidade/leitores.ts';
import { enviar, type Guardado, generateMes, guardadosDe, type Mes } from './compatibilidade/mes.ts';
import { openContas } from './support/acesso-contas.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  startMalote,
  upload,
} from './support/malote.ts';

const DOCUMENTOS = Number(process.env.MALOTE_ESPELHO ?? 150);
const ARQUIVOS = 5;

const pasta = mkdtempSync(join(tmpdir(), 'malote-compatibilidade-'));
let malote: Malote;
let escritorio: Escritorio;
let mes: Mes;
before(async () => {
  malote = await startMalote();
  mes = await generateMes({ documentos: DOCUMENTOS, arquivos: ARQUIVOS });
  escritorio = await createEscritorio(malote.dataFolder, { crm: '77', clientes: mes.clientes });
});
after(async () => {
  await malote?.[Symbol.asyncDispose]();
  rmSync(pasta, { recursive: true, force: true });
});

const baseDe = (cpfCnpj = mes.clientes[0] ?? '') => `${malote.url}/api/v1/${escritorio.codigoCrm}/${cpfCnpj}`;

describe('a folder that follows a month of documents and events by NSU', () => {
  it('ends with what the store has, byte by byte, whoever wrote the loop', async () => {
    const novaPasta = (nome: string) => {
      const path = join(pasta, nome);
      mkdirSync(path);
      return path;
    };
    const espelhos = mes.clientes.flatMap((cliente) => {
      const onde = (nome: string) => ({
        base: baseDe(cliente),
        token: escritorio.token,
        pasta: novaPasta(`${cliente}-${nome}`),
      });
      return [
        { cliente, espelho: new EspelhoDaEspecificacao(onde('xml'), { comXml: true }) },
        { cliente, espelho: new EspelhoDaEspecificacao(onde('bytes'), { comXml: false }) },
        { cliente, espelho: new EspelhoComEventos(onde('eventos')) },
      ];
    });
    for (const bytes of mes.arquivos) {
      await enviar(malote, escritorio, bytes);
      for (const { espelho } of espelhos) await espelho.ler();
    }
    const vistos = new Set<string>();
    for (const { cliente, espelho } of espelhos) {
      const guardados = await guardadosDe(malote, cliente);
      const comEventos = espelho instanceof EspelhoComEventos;
      const esperados = comEventos ? guardados : guardados.filter(({ classe }) => classe !== 'evento');
      checkPasta(espelho.onde.pasta, esperados);
      assert.deepEqual(
        [...espelho.status].sort(),
        guardados
          .filter(({ classe }) => classe !== 'evento')
          .map(({ nome, status }) => [nome, status])
          .sort(),
      );
      for (const { classe, status } of guardados) vistos.add(`${classe} ${status}`);
    }
    // A month without these would show nothing.
    assert.ok(mes.rascunhos > 1);
    for (const visto of [
      'documento Autorizada',
      'documento Cancelada',
      'inutilizacao Inutilizada',
      'evento Evento',
    ])
      assert.ok(vistos.has(visto), visto);
  });
});

function checkPasta(caminho: string, guardados: readonly Guardado[]): void {
  assert.deepEqual(readdirSync(caminho).sort(), guardados.map(({ nome }) => `${nome}.xml`).sort());
  const diferentes = guardados.filter(
    ({ nome, bytes }) => !bytes.equals(readFileSync(join(caminho, `${nome}.xml`))),
  );
  assert.deepEqual(
    diferentes.map(({ nome }) => nome),
    [],
  );
}

/** An answer of the service under the name of its record. */
interface Resposta {
  nome: Nome;
  texto: string;
}

describe('readers in strictly typed languages, made from the tables of the specification', () => {
  const respostas: Resposta[] = [];
  before(async () => {
    respostas.push(...(await respostasDeExportacao()), ...(await respostasDeImportacao()));
    respostas.push(...(await respostasDeContas()));
  });

  it('find of each key the type that the specification gives it, and null for nothing but a time', () => {
    const faltas: string[] = [];
    for (const { nome, texto } of respostas) {
      for (const linha of linhasDe(nome, JSON.parse(texto)))
        if (/^(?!data)[^=]+=null$/.test(linha)) faltas.push(`${nome}: ${linha}`);
    }
    assert.deepEqual(faltas, []);
    const todas = respostas
      .filter(({ nome }) => nome === 'Pagina')
      .map((resposta) => resposta.texto)
      .join('');
    for (const visto of [
      '"NFSe"',
      '"57"',
      '"59"',
      '"Faltante"',
      '"Inutilizada"',
      '"Cancelada"',
      '"correcao"',
    ])
      assert.ok(todas.includes(visto), `no answer shows ${visto}`);
  });

  for (const { titulo, skip, compilar } of LEITORES) {
    it(`${titulo}: every answer is read, with its values`, { skip }, () => {
      const [comando = '', ...argumentos] = compilar(mkdtempSync(join(pasta, 'leitor-')));
      const arquivos = respostas.flatMap(({ nome, texto }, at) => {
        const path = join(pasta, `resposta-${at}.json`);
        writeFileSync(path, texto);
        return [nome, path];
      });
      const esperado = respostas.flatMap(({ nome, texto }) => linhasDe(nome, JSON.parse(texto)));
      assert.equal(executar(comando, ...argumentos, ...arquivos), `${esperado.join('\n')}\n`);
      const nula = join(pasta, 'nula.json');
      writeFileSync(nula, JSON.stringify({ mensagem: '', url: null, id: '' }));
      assert.throws(
        () => executar(comando, ...argumentos, 'Bilhete', nula),
        'this reader would not mind a null',
      );
    });
  }
});

/** What a request answers, as it came. */
async function texto(url: string, init: RequestInit = {}): Promise<string> {
  const headers = {
    authorization: `Bearer ${escritorio.token}`,
    ...(init.headers as Record<string, string>),
  };
  const answer = await fetch(url, { ...init, headers });
  const body = await answer.text();
  assert.equal(answer.status, 200, `${url}: ${body}`);
  return body;
}

async function respostasDeExportacao(): Promise<Resposta[]> {
  const [cliente = ''] = mes.clientes;
  const paginas = [
    'documentos/0/novos?Xml=true&Tamanho=500',
    'documentos/0/novos',
    'documentos/3/finalidade',
  ];
  paginas.push('documentos/0/finalidade?Finalidade=true&Tamanho=500', 'nfce?DataInicial=2026-03-01');
  for (const status of ['Todas', 'Canceladas', 'CartaCorrecao', 'Faltantes', 'Denegadas', 'Inutilizadas'])
    paginas.push(`nfe?DataInicial=2026-03-01&Tamanho=500&Status=${status}`);
  const respostas: Resposta[] = [];
  for (const path of paginas)
    respostas.push({ nome: 'Pagina', texto: await texto(`${baseDe(cliente)}/${path}`) });
  const [primeira] = respostas;
  const { chave, nsu } = JSON.parse(primeira?.texto ?? '').documentos.at(-1);
  for (const path of [`documentos/${nsu}`, `documentos/${nsu}?Xml=true`, `documentos/${chave}/chave`])
    respostas.push({ nome: 'Documento', texto: await texto(`${baseDe(cliente)}/${path}`) });
  return respostas;
}

async function respostasDeImportacao(): Promise<Resposta[]> {
  const bilhete = await texto(`${malote.url}/storage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ size: 10, extension: '.xml' }),
  });
  const respostas: Resposta[] = [{ nome: 'Bilhete', texto: bilhete }];
  const ids = [JSON.parse(bilhete).id];
  const enviados = [
    { bytes: Buffer.from('<nada/>'), extension: '.xml' },
    { bytes: mes.arquivos[0] ?? assert.fail(), extension: '.zip' },
  ] as const;
  for (const enviado of enviados) {
    const id = await upload(malote, { token: escritorio.token, ...enviado });
    await imported(malote, { token: escritorio.token, id });
    ids.push(id);
  }
  for (const id of ids)
    respostas.push({ nome: 'Arquivo', texto: await texto(`${malote.url}/storage/arquivo/${id}`) });
  assert.deepEqual(
    respostas.slice(1).map((resposta) => JSON.parse(resposta.texto).status),
    ['Aguardando Upload', 'Com Erro', 'Uploaded'],
  );
  return respostas;
}

async function respostasDeContas(): Promise<Resposta[]> {
  const acesso = await openContas(malote, { contadorIds: [escritorio.contadorId] });
  const headers = { authorization: `Bearer ${acesso.token}`, 'content-type': 'application/json' };
  const clientes = `${malote.url}/api/contas/platform/contador/${escritorio.codigoCrm}/cliente`;
  const cpfCnpj = generateCnpj(new Aleatorio('compatibilidade'));
  const corpo = { cpfCnpj, nomeEmpresa: 'Empresa Nova', email: 'nova@exemplo.com.br' };
  const token = await texto(`${malote.url}/auth/realms/service/protocol/openid-connect/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: acesso.clientId,
      client_secret: acesso.clientSecret,
    }).toString(),
  });
  const cadastro = await texto(clientes, { method: 'POST', headers, body: JSON.stringify(corpo) });
  const atualizacao = await texto(`${clientes}/${cpfCnpj}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ nomeEmpresa: 'Outro Nome' }),
  });
  return [
    { nome: 'Acesso', texto: token },
    { nome: 'Cadastro', texto: cadastro },
    { nome: 'Atualizacao', texto: atualizacao },
  ];
}

describe('what deployed clients send and rely on', () => {
  const auth = () => ({ token: escritorio.token });
  const read = (path: string, headers: Record<string, string> = {}) =>
    fetchJson(`${baseDe()}/${path}`, { ...auth(), headers });
  const chaves = async (path: string) => {
    const { status, body } = await read(path);
    assert.equal(status, 200, path);
    return body.documentos.map(({ chave }: { chave: string }) => chave);
  };
  const bilhete = async (corpo: Record<string, unknown>) => {
    const { status, body } = await fetchJson(`${malote.url}/storage`, { ...auth(), json: corpo });
    assert.equal(status, 200, JSON.stringify(corpo));
    return body;
  };

  it('1: a date as isoformat(), as a full timestamp and as DD/MM/YYYY selects the same notes', async () => {
    for (const rota of ['nfe', 'nfce']) {
      const notas = await chaves(`${rota}?DataInicial=2026-03-10&DataFinal=2026-03-20&Tamanho=500`);
      for (const [de, ate] of [
        ['10/03/2026', '20/03/2026'],
        ['2026-03-10T00:00:00', '2026-03-20T23:59:59'],
        ['2026-03-10T03:00:00.000Z', '2026-03-21T02:59:59.999Z'],
        ['2026-03-10T00:00:00-03:00', '2026-03-20T23:59:59-03:00'],
      ] as const) {
        const query = new URLSearchParams({ DataInicial: de, DataFinal: ate, Tamanho: '500' });
        assert.deepEqual(await chaves(`${rota}?${query}`), notas, `${rota} ${de}`);
      }
    }
    assert.ok((await chaves('nfe?DataInicial=2026-03-10')).length > 0);
  });

  it('2: Pagina counts from 1', async () => {
    const todas = await chaves('documentos/0/novos?Tamanho=20');
    assert.deepEqual(await chaves('documentos/0/novos?Tamanho=10&Pagina=1'), todas.slice(0, 10));
    assert.deepEqual(await chaves('documentos/0/novos?Tamanho=10&Pagina=2'), todas.slice(10));
    assert.equal((await read('documentos/0/novos?Pagina=0')).status, 400);
  });

  it('3: who stops at a page shorter than Tamanho has all; a Tamanho that is too large is refused, never cut', async () => {
    const { body } = await read('nfe?DataInicial=2026-03-01&Tamanho=1');
    const lidas: string[] = [];
    for (let pagina = 1; ; pagina++) {
      const docs = await chaves(`nfe?DataInicial=2026-03-01&Tamanho=25&Pagina=${pagina}`);
      lidas.push(...docs);
      if (docs.length < 25) break;
    }
    assert.equal(lidas.length, body.total);
    assert.equal(new Set(lidas).size, body.total);
    const cem = await read('documentos/0/novos?Tamanho=100');
    assert.equal(cem.body.documentos.length, Math.min(100, cem.body.total));
    assert.equal((await read('documentos/0/novos?Tamanho=501')).status, 400);
  });

  it('4: a page past the end is empty, with the true total', async () => {
    for (const path of ['documentos/0/novos?', 'nfe?DataInicial=2026-03-01&']) {
      const { body: primeira } = await read(`${path}Tamanho=25`);
      const { status, body } = await read(`${path}Tamanho=25&Pagina=9999`);
      assert.deepEqual([status, body.documentos, body.total], [200, [], primeira.total]);
    }
  });

  it('5: the list of every page is called documentos', async () => {
    for (const path of [
      'documentos/0/novos',
      'documentos/0/finalidade',
      'nfe?DataInicial=2026-03-01',
      'nfce?DataInicial=2026-03-01',
      'nfe?DataInicial=2026-03-01&Status=Faltantes',
    ])
      assert.ok(Array.isArray((await read(path)).body.documentos), path);
  });

  it('6: names in any case, booleans as true, True or 1', async () => {
    for (const query of ['Xml=true', 'xml=true', 'XML=True', 'xml=1']) {
      const { body } = await read(`documentos/0/novos?${query}&tamanho=1`);
      assert.match(body.documentos[0].xml, /^</, query);
    }
    for (const query of ['Xml=false', 'xml=0', 'Xml=False'])
      assert.equal((await read(`documentos/0/novos?${query}`)).body.documentos[0].xml, '', query);
  });

  it('7: JSON is answered, whatever Accept says', async () => {
    for (const accept of ['application/xml', 'text/html,application/xhtml+xml', 'image/png', '']) {
      const { status, headers } = await read('documentos/0/novos?Tamanho=1', { accept });
      assert.equal(status, 200, accept);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
    }
  });

  it('8: parameters and fields that nobody knows are ignored', async () => {
    assert.equal((await read('documentos/0/novos?Ordenacao=asc&versao=2')).status, 200);
    assert.ok((await bilhete({ size: 10, extension: '.xml', contentType: 'application/xml' })).url);
  });

  it('9: an empty body tells a bad token from a good one: credentials come first, and refusals are JSON', async () => {
    const vazio = async (token: string) => {
      const answer = await fetch(`${malote.url}/storage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    assert.equal((await vazio(escritorio.token)).status, 400);
    const errado = await vazio('mlt_errado');
    assert.deepEqual([errado.status, errado.body.codigo], [401, 'token_invalido']);
    const alheio = await fetchJson(baseDe().replace(escritorio.codigoCrm, '999999').concat('/nfe'), auth());
    assert.deepEqual([alheio.status, alheio.body.codigo], [403, 'crm_nao_autorizado']);
  });

  it('10: url_download is absolute, and answers XML without the token as with it', async () => {
    const { body } = await read('documentos/0/novos?Tamanho=3');
    for (const { url_download: url } of body.documentos) {
      assert.match(url, /^https?:\/\//);
      for (const headers of [{}, { authorization: `Bearer ${escritorio.token}` }] as Record<
        string,
        string
      >[]) {
        const answer = await fetch(url, { headers });
        assert.equal(answer.status, 200);
        assert.match(await answer.text(), /^(\ufeff)?\s*</);
      }
    }
  });

  it('11: xml is the text itself, which begins with <', async () => {
    const { body } = await read('documentos/0/novos?Xml=true&Tamanho=500');
    for (const { nsu, xml } of body.documentos) assert.match(xml, /^</, String(nsu));
  });

  it('12: a key that is not there is 404 in JSON, so that the next source is tried', async () => {
    const [chave = ''] = await chaves('nfe?DataInicial=2026-03-01');
    const outra = chave.slice(0, 25).concat('000000001', chave.slice(34, 43));
    const digito = [...'0123456789'].map((d) => read(`documentos/${outra}${d}/chave`));
    const statuses = (await Promise.all(digito)).map(({ status, body }) => `${status} ${body.codigo}`);
    assert.ok(statuses.includes('404 documento_nao_encontrado'), statuses.join(', '));
  });

  it('13: an unknown path of the API is 404 in JSON, and never a page', async () => {
    for (const path of [
      `${baseDe()}/documentos/1/nada`,
      `${malote.url}/api/v2/1/2/nfe`,
      `${malote.url}/storage/x/y/z`,
    ]) {
      const { status, headers, body } = await fetchJson(path, {
        ...auth(),
        headers: { accept: 'text/html' },
      });
      assert.deepEqual([status, body.codigo], [404, 'rota_nao_encontrada'], path);
      assert.match(headers.get('content-type') ?? '', /json/);
    }
  });

  it('14: bytes are sent with any Content-Type or none, and with credentials that nobody asked for; a form is refused', async () => {
    const send = async (headers: Record<string, string>) => {
      const { url } = await bilhete({ size: 7, extension: 'xml' });
      return (await fetch(url, { method: 'PUT', headers, body: Buffer.from('<nada/>') })).status;
    };
    for (const type of ['application/xml', 'application/zip', 'application/octet-stream', 'text/plain'])
      assert.equal(await send({ 'content-type': type }), 200, type);
    assert.equal(await send({ authorization: `Bearer ${escritorio.token}` }), 200);
    assert.equal(await send({ 'content-type': 'multipart/form-data; boundary=x' }), 415);
  });

  it('15: codigoCrm is the same with its zeros and as the number that it was', async () => {
    const [cliente] = mes.clientes;
    const todas = await chaves('documentos/0/novos');
    for (const crm of ['000077', '77']) {
      const { body } = await fetchJson(`${malote.url}/api/v1/${crm}/${cliente}/documentos/0/novos`, auth());
      assert.deepEqual(
        body.documentos.map(({ chave }: { chave: string }) => chave),
        todas,
      );
    }
  });

  it('16: extension with or without its dot, in any case', async () => {
    for (const extension of ['.xml', 'xml', '.XML', 'Zip', '.zip', 'ZIP']) {
      const { id } = await bilhete({ size: 10, extension });
      const { body } = await fetchJson(`${malote.url}/storage/arquivo/${id}`, auth());
      assert.equal(body.extensao, extension);
    }
  });

  it('17: cpfCnpj with or without its mask', async () => {
    const [cliente = ''] = mes.clientes;
    const todas = await chaves('documentos/0/novos');
    const { body } = await fetchJson(
      `${baseDe(encodeURIComponent(formatCpfCnpj(cliente as CpfCnpj)))}/documentos/0/novos`,
      auth(),
    );
    assert.deepEqual(
      body.documentos.map(({ chave }: { chave: string }) => chave),
      todas,
    );
  });
});
