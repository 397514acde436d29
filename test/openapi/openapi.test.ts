/**
 * The OpenAPI documents as people find them who make clients of them: linters, generators, whose clients go the whole way
 * of one note on a real server, and the page `/docs`.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { generateCnpj, generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { type Documento, operacoesDe } from '../../src/platform/http/documentacao/tipos.ts';
import { openContas } from '../support/acesso-contas.ts';
import { createEscritorio, fetchJson, importFile, type Malote, startMalote } from '../support/malote.ts';
import { Navegador, SEM_NAVEGADOR } from '../support/navegador.ts';
import type { Mundo, Resultado } from './fluxos/mundo.ts';
import { generateClientes } from './gerar.ts';

/** Linters and generators, of which the project itself needs none. */
const SEM_PROGRAMAS =
  !existsSync(join(import.meta.dirname, 'node_modules')) && 'not installed: npm run openapi:instalar';
const DOCUMENTOS = ['/openapi.json', '/console/openapi.json'];

let malote: Malote;
let documento: Documento;
const pasta = mkdtempSync(join(tmpdir(), 'malote-openapi-'));
const require = createRequire(import.meta.url);

const ler = async (path: string): Promise<Documento> => (await fetchJson(malote.url + path)).body;

before(async () => {
  // Nobody is asked from a test.
  malote = await startMalote({ env: { MALOTE_CAPTURA: '0' } });
  documento = await ler('/openapi.json');
});
after(async () => {
  await malote[Symbol.asyncDispose]();
  rmSync(pasta, { recursive: true, force: true });
});

describe('the documents', () => {
  it('have no error and no warning for redocly lint', { skip: SEM_PROGRAMAS }, async () => {
    const redocly = join(require.resolve('@redocly/cli/package.json'), '..', 'bin', 'cli.js');
    // It neither tells anybody of the run nor looks for a newer version.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    for (const path of DOCUMENTOS) {
      const file = join(pasta, 'documento.json');
      writeFileSync(file, JSON.stringify(await ler(path)));
      const lint = [redocly, 'lint', '--extends=recommended', '--format=json', file];
      const { stdout } = await promisify(execFile)(process.execPath, lint, { cwd: pasta, env });
      assert.deepEqual(JSON.parse(stdout).problems, [], path);
    }
  });

  it('have no error and no warning for spectral', { skip: SEM_PROGRAMAS }, async () => {
    const { Spectral } = require('@stoplight/spectral-core');
    const { oas } = require('@stoplight/spectral-rulesets');
    const spectral = new Spectral();
    // Who operates an installation is not for the product to say.
    spectral.setRuleset({ extends: [[oas, 'recommended']], rules: { 'info-contact': 'off' } });
    for (const path of DOCUMENTOS) {
      const found: { code: string; path: string[] }[] = await spectral.run(await ler(path));
      assert.deepEqual(
        found.map((one) => `${one.code} ${one.path.join('.')}`),
        [],
      );
    }
  });

  it('part the routes of integrators and those of the console', async () => {
    const doConsole = await ler('/console/openapi.json');
    const isOfConsole = (path: string) => path.startsWith('/console/api/');
    assert.ok(Object.keys(doConsole.paths).length > 50);
    assert.ok(Object.keys(doConsole.paths).every(isOfConsole));
    assert.ok(!Object.keys(documento.paths).some(isOfConsole));
    assert.ok(!JSON.stringify(documento).includes('onsole/api'));
  });

  it('name every operation, and every shape of a body', () => {
    const ids = operacoesDe(documento).map(({ operacao }) => operacao.operationId ?? '');
    assert.deepEqual(ids, [
      'pedirEndereco',
      'enviarArquivo',
      'situacaoDoArquivo',
      'itensDoArquivo',
      'clientesDoEscritorio',
      'documentosNovos',
      'documentosComFinalidade',
      'documentoPorNsu',
      'documentoPorChave',
      'informarFinalidade',
      'listarNfe',
      'listarNfce',
      ...['captura', 'mudarCaptura', 'capturar', 'chavesPedidas', 'capturarChave'],
      ...['manifestacoes', 'manifestar'],
      'baixarDocumento',
      'lerFinalidade',
      'obterToken',
      'cadastrarCliente',
      'atualizarCliente',
    ]);
    const isText = (type: string) => /octet-stream|xml$/.test(type);
    for (const { operacao } of operacoesDe(documento))
      for (const { content = {} } of [operacao.requestBody ?? {}, ...Object.values(operacao.responses)])
        for (const [type, { schema }] of Object.entries(content))
          assert.ok(isText(type) || schema?.$ref, `${operacao.operationId} ${type}`);
  });

  it('say of every operation who may call it', () => {
    const publicas = ['enviarArquivo', 'baixarDocumento', 'lerFinalidade', 'obterToken'];
    for (const { operacao } of operacoesDe(documento)) {
      const isPublic = publicas.includes(operacao.operationId ?? '');
      assert.equal(operacao.security?.length === 0, isPublic, operacao.operationId);
    }
  });

  it('have no two paths that differ in the names of parameters only', () => {
    const paths = Object.keys(documento.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    assert.equal(new Set(paths).size, paths.length);
  });

  it('leave the codes of errors open, and never allow null for a number', () => {
    const { Problema, ErroDeCampo, Documento: registro } = documento.components.schemas;
    for (const schema of [Problema, ErroDeCampo]) {
      const { enum: closed, type } = schema?.properties?.codigo ?? {};
      assert.deepEqual([closed, type], [undefined, 'string']);
    }
    assert.equal(registro?.properties?.nsu?.type, 'integer');
  });

  it('name the address by which they were asked for, also where tokens are given', async () => {
    const { port } = new URL(malote.url);
    const url = `http://localhost:${port}`;
    const { body } = await fetchJson(`${url}/openapi.json`);
    assert.deepEqual(body.servers, [{ url, description: 'Esta instalação' }]);
    const { tokenUrl } = body.components.securitySchemes.oauth.flows.clientCredentials;
    assert.equal(tokenUrl, `${url}/auth/realms/service/protocol/openid-connect/token`);
  });
});

/** An office of its own for each client, so that each one's feed begins with its own note. */
async function mundoDe(crm: string, quem: 'emitente' | 'destinatario' = 'emitente') {
  const emitente = generateEmpresa(`emitente-${crm}`, { perfil: 'comercio', uf: 'SP' });
  const destinatario = generateEmpresa(`destinatario-${crm}`, { perfil: 'comercio', uf: 'SP' });
  const cliente = quem === 'emitente' ? emitente : destinatario;
  const emissao = new Date(Date.UTC(2026, 2, 1, 15));
  const nota = generateNfe({
    semente: crm,
    emitente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero: 1,
    emissao,
    itens: 1,
  });
  const office = await createEscritorio(malote.dataFolder, { crm, clientes: [cliente.id] });
  const {
    clientId,
    clientSecret,
    token: tokenDeAcesso,
  } = await openContas(malote, { contadorIds: [office.contadorId] });
  const { token, codigoCrm } = office;
  const novoCliente = generateCnpj(new Aleatorio(`novo-${crm}`));
  const acesso = { url: malote.url, token, clientId, clientSecret, tokenDeAcesso };
  return {
    mundo: { ...acesso, codigoCrm, cpfCnpj: cliente.id, xml: nota.xml, novoCliente },
    chave: nota.chave,
  };
}

/** What the generators made, as JavaScript. */
let js: string;

type Fluxo = (mundo: Mundo, sdk: unknown) => Promise<Resultado>;

/** What each flow is given besides: what its generator made. */
const CLIENTES: Record<string, { crm: string; sdk: () => unknown }> = {
  'openapi-typescript': { crm: '1', sdk: () => null },
  'hey-api': {
    crm: '2',
    sdk: () => ({
      ...require(join(js, 'gerado/hey-api/sdk.gen.js')),
      ...require(join(js, 'gerado/hey-api/client.gen.js')),
    }),
  },
  orval: { crm: '3', sdk: () => require(join(js, 'gerado/orval.js')) },
  'swagger-client': {
    crm: '4',
    sdk: async () => ({
      cliente: require('swagger-client'),
      spec: await ler('/openapi.json'),
    }),
  },
};

describe('a client made from /openapi.json asks for an address, sends, waits, reads and registers', {
  skip: SEM_PROGRAMAS,
}, () => {
  before(async () => {
    mkdirSync(join(pasta, 'clientes'));
    js = await generateClientes(join(pasta, 'clientes'), `${malote.url}/openapi.json`);
  });
  for (const [nome, { crm, sdk }] of Object.entries(CLIENTES)) {
    it(nome, async () => {
      const { mundo, chave } = await mundoDe(crm);
      const { fluxo } = require(join(js, 'fluxos', `${nome}.js`)) as { fluxo: Fluxo };
      const { documentos, clienteId, ...rest } = await fluxo(mundo, await sdk());
      const message = `Cliente ${mundo.novoCliente.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')} atualizado com sucesso.`;
      assert.deepEqual(rest, { status: 'Uploaded', mensagem: message, recusa: 'tamanho_invalido' });
      assert.equal(typeof clienteId, 'number');
      assert.equal(documentos.length, 3);
      for (const { nsu, chave: known, xml } of documentos)
        assert.deepEqual([nsu, known, xml], [1, chave, mundo.xml]);
    });
  }
});

const SEM_CURL = spawnSync('curl', ['--version']).error ? 'no curl on this machine' : false;

describe('the page /docs', () => {
  const exemplos = () =>
    operacoesDe(documento).map(({ operacao }) => ({
      nome: operacao.operationId ?? '',
      source: operacao['x-codeSamples']?.[0]?.source ?? '',
    }));

  it('is ours: Portuguese, under our name, with every example, and nothing of a framework', async () => {
    const page = await fetch(`${malote.url}/docs`);
    const html = await page.text();
    assert.match(html, /<html lang="pt-BR">/);
    assert.match(html, /<title>Malote: documentação da API<\/title>/);
    assert.doesNotMatch(html, /swagger|redoc|scalar/i);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    const shown = html.replace(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)));
    const [, comeco = ''] = /Antes de copiar(.*?)<section>/s.exec(html) ?? [];
    for (const { nome, source } of exemplos()) {
      for (const [, variavel] of source.matchAll(/\$(\w+)/g))
        assert.match(comeco, new RegExp(`\\b${variavel}\\b`), `${nome}: where ${variavel} comes from`);
      assert.ok(source !== '' && shown.includes(source), nome);
      assert.ok(html.includes(`<article id="${nome}">`), nome);
    }
  });

  it('has examples that do what they say when they are pasted into a shell', { skip: SEM_CURL }, async () => {
    // Its note is a purchase of its client, so that it has a purpose.
    const { mundo, chave } = await mundoDe('5', 'destinatario');
    const { token, codigoCrm, cpfCnpj, clientId, clientSecret, xml } = mundo;
    await importFile(malote, { token, bytes: Buffer.from(xml), extension: '.xml' });
    writeFileSync(join(pasta, 'nota.xml'), xml);
    const json = { size: xml.length, extension: '.xml' };
    const ticket = (await fetchJson(`${malote.url}/storage`, { token, json })).body;
    const feed = `${malote.url}/api/v1/${codigoCrm}/${cpfCnpj}/documentos/0/finalidade?Finalidade=true`;
    const [registro] = (await fetchJson(feed, { token })).body.documentos;
    const env = {
      PATH: process.env.PATH,
      TOKEN: token,
      CRM: codigoCrm,
      CNPJ: cpfCnpj,
      CHAVE: chave,
      ID: ticket.id,
      URL: ticket.url,
      URL_DOWNLOAD: registro.url_download,
      URL_FINALIDADE: registro.url_finalidade,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      TOKEN_DE_ACESSO: mundo.tokenDeAcesso,
    };
    for (const { nome, source } of exemplos()) {
      const pasted = ['-c', `${source} -w '\\n%{http_code}'`];
      const { stdout } = await promisify(execFile)('sh', pasted, { cwd: pasta, env });
      // Its note is of months ago: there is no longer anything to declare of it.
      const status = nome === 'manifestar' ? 409 : 200;
      assert.ok(stdout.endsWith(`\n${status}`), `${nome}: ${source}\n${stdout}`);
    }
  });

  for (const largura of [360, 1440]) {
    it(`reads well ${largura} wide, and copies`, { skip: SEM_NAVEGADOR }, async () => {
      await using navegador = await Navegador.abrir({ largura, altura: 900, esquema: 'light' });
      const { page } = navegador;
      await page.goto(`${malote.url}/docs`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(width, largura, 'nothing stands out at the side');
      await page.locator('#documentosNovos [data-copiar]').click();
      await page.getByRole('button', { name: /Copiado|Selecionado/ }).waitFor();
      assert.deepEqual([navegador.queixas, await navegador.violacoes()], [[], []]);
    });
  }
});
