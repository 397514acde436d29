/** The table of test/e2e/erros.test.ts: how to make each route answer each of its errors. */
import { ChavesDeEndereco } from '../../src/autorizacao/chaves-de-endereco.ts';
import { chaveDe } from '../../src/documentos/cofre-testing.ts';
import { signedAddress } from '../../src/exportacao/enderecos.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { generateCnpj, generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { makeTicket } from '../../src/importacao/upload/ticket.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import { createLogger } from '../../src/platform/http/log.ts';
import { type CenarioDeExportacao, DOCUMENTOS, emitente } from './cenario-exportacao.ts';
import { fetchJson, importFile, type Malote, withDeps } from './malote.ts';
import type { Pedido } from './pedido.ts';

export interface Mesa {
  malote: Malote;
  cenario: CenarioDeExportacao;
  /** Tokens whose requests of this minute are used up, and the server that counts them. */
  esgotado: { url: string; token: string; contas: string };
  /** Access token of the scenario's office for the accounts area. */
  contas: string;
  /** Tokens of the same office that are limited to one area. */
  daOutraArea: { importacao: string; exportacao: string };
  /** Another office, with a client of its own. */
  outro: { codigoCrm: string; cliente: string };
}

/** A request that a row changes. */
export interface Rascunho {
  method: string;
  origin: string;
  /** Decoded path segments by their name in the OpenAPI path. */
  path: Record<string, string>;
  query: URLSearchParams;
  headers: [string, string][];
  body?: string | Uint8Array;
  withheldBytes?: number;
}

const AN_HOUR_MS = 3_600_000;
const UUID = '00000000-0000-4000-8000-000000000000';
const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];

const set = (name: string, value: string) => (draft: Rascunho) => draft.query.set(name, value);
const path = (name: string, value: string) => (draft: Rascunho) => {
  draft.path[name] = value;
};
/** Changes the values of the path that the route has. */
const eachPath = (values: Record<string, string>) => (draft: Rascunho) => {
  for (const [name, value] of Object.entries(values)) if (name in draft.path) draft.path[name] = value;
};
const header = (name: string, value: string) => (draft: Rascunho) => {
  draft.headers = [...draft.headers.filter(([known]) => known !== name), [name, value]];
};
const body = (text: string) => (draft: Rascunho) => {
  draft.body = text;
};

/** A `codigoCrm` in the path, or said by an OAuth client where there is none. */
function comCrm(crm: string) {
  return (draft: Rascunho, mesa: Mesa) => {
    if ('codigoCrm' in draft.path || 'CRM' in draft.path) eachPath({ codigoCrm: crm, CRM: crm })(draft);
    else {
      header('Authorization', `Bearer ${mesa.contas}`)(draft);
      header('X-Codigo-Crm', crm)(draft);
    }
  };
}

/** Adds fields to a JSON body; other bodies stay. */
function withFields(draft: Rascunho, fields: Record<string, string>): void {
  const text = String(draft.body ?? '');
  if (text.startsWith('{')) draft.body = JSON.stringify({ ...JSON.parse(text), ...fields });
}

type Mudanca = (draft: Rascunho, mesa: Mesa) => void | Promise<void>;

/** What makes a good request fail in one way, whatever the route. */
export const MUDANCAS: Record<string, Mudanca> = {
  credencial_repetida: (draft) => {
    draft.headers.push(['Authorization', 'Bearer x']);
  },
  token_ausente: (draft) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Authorization');
    draft.query.set('access_token', 'x');
  },
  token_invalido: header('Authorization', `Bearer mlt_${'a'.repeat(49)}`),
  limite_excedido: (draft, { esgotado }) => {
    draft.origin = esgotado.url;
    const token = draft.path.CRM === undefined ? esgotado.token : esgotado.contas;
    header('Authorization', `Bearer ${token}`)(draft);
  },
  rota_nao_encontrada: eachPath({ plataforma: 'a.b' }),
  escopo_insuficiente: (draft, { daOutraArea }) => {
    // The accounts area takes no integration token at all.
    const area = draft.path.codigoCrm === undefined ? 'exportacao' : 'importacao';
    header('Authorization', `Bearer ${daOutraArea[area]}`)(draft);
  },
  crm_invalido: comCrm('1234567'),
  crm_nao_autorizado: comCrm('999999'),
  cpf_cnpj_invalido: eachPath({ cpfCnpj: '11222333000182', CPFCNPJ: '11222333000182' }),
  cliente_nao_encontrado: eachPath({ cpfCnpj: '11222333000181', CPFCNPJ: '11222333000181' }),
  cliente_ja_cadastrado: (draft, { cenario }) => withFields(draft, { cpfCnpj: cenario.emitente }),
  certificado_invalido: (draft) =>
    withFields(draft, { arquivoCertificado: 'AAAA', senhaCertificado: 'AAAA', ufCertificado: 'SP' }),
  nsu_invalido: path('nsu', '-1'),
  chave_invalida: path('chave', '123'),
  servico_invalido: path('servico', 'mdfe'),
  captura_desligada: async (draft, mesa) => {
    await setCaptura(mesa, false);
    if ('servico' in draft.path) draft.path.servico = 'nfe';
  },
  chave_de_outro_servico: path('chave', DOCUMENTOS.autorizada.chave),
  finalidade_nao_se_aplica: path('chave', DOCUMENTOS.autorizada.chave),
  manifestacao_nao_se_aplica: body('{"codigo":"610110","justificativa":"Frete acima do combinado"}'),
  manifestacao_de_terceiro: path('chave', DOCUMENTOS.autorizada.chave),
  manifestacao_fora_do_prazo: async (draft, mesa) => {
    draft.path.chave = await addResumo(mesa, { dias: 100 });
  },
  manifestacao_ja_registrada: dita('registrada'),
  manifestacao_em_andamento: dita('pendente'),
  manifestacao_recusada: dita('recusada'),
  arquivo_nao_encontrado: path('id', UUID),
  documento_nao_encontrado: async (draft, mesa) => {
    if (draft.path.nsu !== undefined) draft.path.nsu = '999';
    if (draft.path.chave !== undefined) draft.path.chave = '9'.repeat(44);
    for (const name of ['versaoId', 'documentoId']) {
      if (draft.path[name] === undefined) continue;
      draft.path[name] = '999999';
      draft.query = new URL(await signedAt(Date.now(), { draft, mesa })).searchParams;
    }
  },
  parametro_repetido: (draft) => {
    for (const name of ['Xml', 'xml', 'Tamanho', 'Tamanho']) draft.query.append(name, '1');
  },
  parametro_obrigatorio: (draft) => {
    draft.query.delete('DataInicial');
    if (draft.method === 'POST') draft.body = '{"extension":".xml"}';
  },
  booleano_invalido: (draft) => {
    draft.query.set('Xml', 'sim');
    draft.query.set('Finalidade', 'sim');
  },
  tamanho_invalido: set('Tamanho', '501'),
  pagina_invalida: set('Pagina', '0'),
  data_invalida: set('DataInicial', '2026-02-30'),
  periodo_invalido: set('DataFinal', '2026-02-28'),
  tipo_invalido: set('Tipo', 'Nada'),
  status_invalido: set('Status', 'Nada'),
  size_invalido: body('{"size":30000001,"extension":".xml"}'),
  extensao_invalida: body('{"size":1,"extension":".txt"}'),
  corpo_invalido: body('{'),
  dados_invalidos: body('{"itens":[{"numero":"x"}]}'),
  corpo_grande_demais: (draft) => {
    draft.body = '"';
    draft.withheldBytes = 40_000_000;
  },
  tipo_de_conteudo_invalido: header('Content-Type', 'multipart/form-data; boundary=x'),
  endereco_incompleto: (draft) => draft.query.delete('Expires'),
  endereco_invalido: set('Signature', 'A'.repeat(44)),
  endereco_expirado: async (draft, mesa) => {
    const expired = new URL(await signedAt(Date.now() - AN_HOUR_MS, { draft, mesa }));
    draft.query = expired.searchParams;
    if (draft.path.id) draft.path.id = expired.pathname.split('/').at(-1) ?? '';
  },
  md5_invalido: header('Content-MD5', 'x'),
  md5_divergente: header('Content-MD5', Buffer.alloc(16).toString('base64')),
  arquivo_ja_recebido: async (draft, mesa) => {
    const { id, url } = await ticket(mesa);
    await fetch(url, { method: 'PUT', body: 'os primeiros bytes' });
    draft.path.id = id;
    draft.query = new URL(url).searchParams;
  },
};

/** Documented errors that need a fault of the surroundings, or that come before any route: the test that makes it, and a word of it. */
export const EM_OUTRO_TESTE: Record<string, readonly [file: string, word: string]> = {
  requisicao_malformada: ['src/platform/http/server.test.ts', 'requisicao_malformada'],
  cabecalhos_grandes_demais: ['src/platform/http/server.test.ts', 'cabecalhos_grandes_demais'],
  caminho_invalido: ['test/e2e/erros.test.ts', 'caminho_invalido'],
  tempo_esgotado: ['test/e2e/erros.test.ts', 'tempo_esgotado'],
  erro_interno: ['src/platform/http/server.test.ts', 'erro_interno'],
  indisponivel: ['src/platform/http/server.test.ts', 'indisponivel'],
  'PUT /upload/{id} indisponivel': ['src/importacao/upload.test.ts', 'SlowDown'],
  'PUT /upload/{id} corpo_ausente': ['src/importacao/upload.test.ts', 'MissingContentLength'],
  'PUT /upload/{id} corpo_incompleto': ['src/importacao/upload.test.ts', 'IncompleteBody'],
};

/** A good request of each route, by `METHOD path`. */
export const BASES: Record<string, (mesa: Mesa) => Promise<Rascunho>> = {
  'POST /storage': async (mesa) => ({
    ...withToken(mesa, 'POST'),
    body: '{"size":100,"extension":".xml"}',
  }),
  'GET /storage/arquivo/{id}': async (mesa) => ({
    ...withToken(mesa),
    path: { id: (await ticket(mesa)).id },
  }),
  'GET /storage/arquivo/{id}/itens': async (mesa) => ({
    ...withToken(mesa),
    path: { id: (await ticket(mesa)).id },
  }),
  'PUT /upload/{id}': async (mesa) => {
    const { id, url } = await ticket(mesa);
    return {
      ...blank(mesa, 'PUT'),
      path: { id },
      query: new URL(url).searchParams,
      headers: [['Accept', 'application/json']],
      body: 'bytes',
    };
  },
  'GET /api/v1/{codigoCrm}/clientes': async (mesa) => ({
    ...withToken(mesa),
    path: { codigoCrm: mesa.cenario.codigoCrm },
  }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}/novos': byNsu,
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}/finalidade': byNsu,
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{nsu}': byNsu,
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/chave': byChave,
  'PUT /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/chave/finalidade': async (mesa) => ({
    ...withToken(mesa, 'PUT'),
    path: { ...escopo(mesa), chave: await addCompra(mesa) },
    body: '{"finalidade_aquisicao":"Revenda"}',
  }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/manifestacao': byChave,
  'POST /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/manifestacao': async (mesa) => ({
    ...withToken(mesa, 'POST'),
    path: { ...escopo(mesa), chave: await addResumo(mesa, { dias: 1 }) },
    body: '{"codigo":"210200"}',
  }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/nfe': listagem,
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/nfce': listagem,
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/captura': async (mesa) => ({ ...withToken(mesa), path: escopo(mesa) }),
  'GET /api/v1/{codigoCrm}/{cpfCnpj}/captura/chaves': async (mesa) => ({
    ...withToken(mesa),
    path: escopo(mesa),
  }),
  'PUT /api/v1/{codigoCrm}/{cpfCnpj}/captura/{servico}': async (mesa) => ({
    ...withToken(mesa, 'PUT'),
    path: { ...escopo(mesa), servico: 'nfe' },
    body: '{"ligada":true}',
  }),
  'POST /api/v1/{codigoCrm}/{cpfCnpj}/captura/{servico}/capturar': async (mesa) => {
    await setCaptura(mesa, true);
    return { ...withToken(mesa, 'POST'), path: { ...escopo(mesa), servico: 'nfe' }, body: '{}' };
  },
  'POST /api/v1/{codigoCrm}/{cpfCnpj}/documentos/{chave}/capturar': async (mesa) => {
    await setCaptura(mesa, true);
    const path = { ...escopo(mesa), chave: chaveDe({ numero: 7 }) };
    return { ...withToken(mesa, 'POST'), path, body: '{}' };
  },
  'POST /api/contas/{plataforma}/contador/{CRM}/cliente': async (mesa) => ({
    ...contas(mesa, 'POST'),
    path: { plataforma: 'platform', CRM: mesa.cenario.codigoCrm },
    body: JSON.stringify({
      cpfCnpj: generateCnpj(new Aleatorio(`cliente-${++registered}`)),
      nomeEmpresa: 'Padaria Estrela',
      email: 'contato@padaria.com.br',
    }),
  }),
  'PUT /api/contas/{plataforma}/contador/{CRM}/cliente/{CPFCNPJ}': async (mesa) => ({
    ...contas(mesa, 'PUT'),
    path: { plataforma: 'platform', CRM: mesa.cenario.codigoCrm, CPFCNPJ: mesa.cenario.emitente },
    body: '{"email":"novo@exemplo.com.br"}',
  }),
  'GET /download/{versaoId}': async (mesa) => {
    const { url_download: address } = await registro(mesa);
    const url = new URL(address);
    return { ...blank(mesa), path: { versaoId: url.pathname.split('/')[2] ?? '' }, query: url.searchParams };
  },
  'GET /finalidade/{clienteId}/{documentoId}': async (mesa) => {
    const { url_finalidade: address } = await registro(mesa);
    const url = new URL(address);
    const [, , clienteId = '', documentoId = ''] = url.pathname.split('/');
    return { ...blank(mesa), path: { clienteId, documentoId }, query: url.searchParams };
  },
};

function blank({ malote }: Mesa, method = 'GET'): Rascunho {
  return { method, origin: malote.url, path: {}, query: new URLSearchParams(), headers: [] };
}

function withToken(mesa: Mesa, method = 'GET'): Rascunho {
  const headers: [string, string][] = [['Authorization', `Bearer ${mesa.cenario.token}`]];
  if (method !== 'GET') headers.push(JSON_TYPE);
  return { ...blank(mesa, method), headers };
}

/** Clients that good requests have registered so far: each registers another one. */
let registered = 0;

function contas(mesa: Mesa, method: string): Rascunho {
  return { ...blank(mesa, method), headers: [['Authorization', `Bearer ${mesa.contas}`], JSON_TYPE] };
}

function escopo({ cenario }: Mesa): Record<string, string> {
  return { codigoCrm: cenario.codigoCrm, cpfCnpj: cenario.emitente };
}

async function byNsu(mesa: Mesa): Promise<Rascunho> {
  return { ...withToken(mesa), path: { ...escopo(mesa), nsu: '1' } };
}

/** A note that the client bought by. */
async function addCompra(mesa: Mesa): Promise<string> {
  const { bytes, chave } = COMPRA;
  const { token } = mesa.cenario;
  await importFile(mesa.malote, { token, bytes: Buffer.from(bytes), extension: '.xml' });
  return chave;
}

const COMPRA = generateNfe({
  semente: 'compra da tabela de erros',
  emitente: generateEmpresa('fornecedor da tabela', { perfil: 'industria', uf: 'SP' }),
  destinatario: emitente,
  modelo: '55',
  serie: 1,
  numero: 1,
  emissao: new Date('2026-03-11T15:00:00Z'),
  itens: 1,
});

async function byChave(mesa: Mesa): Promise<Rascunho> {
  return { ...withToken(mesa), path: { ...escopo(mesa), chave: DOCUMENTOS.autorizada.chave } };
}

async function setCaptura({ cenario }: Mesa, ligada: boolean): Promise<void> {
  await fetchJson(`${cenario.base()}/captura/nfe`, { token: cenario.token, method: 'PUT', json: { ligada } });
}

/** Summaries that good requests have told of so far. */
let summaries = 0;

/** Tells the client of a note that was authorised some days ago. @returns its key */
function addResumo({ malote, cenario }: Mesa, { dias }: { dias: number }): Promise<string> {
  const chave = chaveDe({ numero: 900_000 + ++summaries });
  const em = Date.now() - dias * 24 * AN_HOUR_MS;
  return withDeps(malote.dataFolder, async ({ db }) => {
    const { id, contador_id } = await clienteOf(db, cenario.emitente);
    await db.write
      .insertInto('resumo_de_nota')
      .values({
        contador_id,
        cliente_id: id,
        chave,
        ambiente: 1,
        emitente: null,
        emitente_nome: null,
        valor: null,
        emitida_em: em,
        autorizada_em: em,
        situacao: 'Autorizada',
        visto_em: em,
      })
      .execute();
    return chave;
  });
}

/** What the request asks to be declared was asked before. */
function dita(estado: 'registrada' | 'pendente' | 'recusada'): Mudanca {
  return (draft, { malote, cenario }) =>
    withDeps(malote.dataFolder, async ({ db }) => {
      const { id, contador_id } = await clienteOf(db, cenario.emitente);
      await db.write
        .insertInto('manifestacao')
        .values({
          contador_id,
          cliente_id: id,
          chave: draft.path.chave ?? '',
          codigo: '210200',
          ambiente: 1,
          justificativa: null,
          estado,
          pedida_em: 1,
          pedida_por: 'cli',
          proxima_em: null,
          resposta: estado === 'recusada' ? '575' : null,
        })
        .onConflict((oc) => oc.columns(['contador_id', 'chave', 'codigo']).doNothing())
        .execute();
    });
}

type Db = Parameters<Parameters<typeof withDeps>[1]>[0]['db'];

function clienteOf(db: Db, cpfCnpj: string) {
  return db.read
    .selectFrom('cliente')
    .select(['id', 'contador_id'])
    .where('cpf_cnpj', '=', cpfCnpj)
    .executeTakeFirstOrThrow();
}

async function listagem(mesa: Mesa): Promise<Rascunho> {
  const query = new URLSearchParams({ DataInicial: '2026-03-01' });
  return { ...withToken(mesa), path: escopo(mesa), query };
}

async function ticket({ malote, cenario }: Mesa): Promise<{ id: string; url: string }> {
  const json = { size: 100, extension: '.xml' };
  return (await fetchJson(`${malote.url}/storage`, { token: cenario.token, json })).body;
}

/** Of the purchase: what the client sold has no purpose. */
async function registro(mesa: Mesa): Promise<{ url_download: string; url_finalidade: string }> {
  const { cenario } = mesa;
  const chave = await addCompra(mesa);
  const url = `${cenario.base()}/documentos/0/finalidade?Finalidade=true&Tamanho=500`;
  const { documentos } = (await fetchJson(url, { token: cenario.token })).body;
  return documentos.find((um: { chave: string }) => um.chave === chave);
}

/** The address of a draft as the server itself signs it at some instant, with its own keys. */
function signedAt(instant: number, { draft, mesa }: { draft: Rascunho; mesa: Mesa }): Promise<string> {
  return withDeps(
    mesa.malote.dataFolder,
    async (deps) => {
      const log = createLogger('silent');
      const enderecos = new ChavesDeEndereco({ ...deps, log, vault: openVault(deps.config) });
      await enderecos.start();
      enderecos.stop();
      const origin = mesa.malote.url;
      if (draft.path.id) {
        const pedido = { size: 1, extension: '.xml' };
        const { url } = await makeTicket(
          { ...deps, enderecos },
          { pedido, contadorId: 1, tokenId: 1, origin },
        );
        return url;
      }
      const { versaoId, clienteId = '', documentoId = '' } = draft.path;
      const alvo = versaoId
        ? { kind: 'download' as const, versaoId }
        : { kind: 'finalidade' as const, clienteId, documentoId };
      return signedAddress({ enderecos, deps: deps as never }, { origin, alvo });
    },
    { now: () => instant },
  );
}

/** The request of a draft, its path values URL-encoded. */
export function toPedido(template: string, draft: Rascunho): Pedido {
  const filled = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(draft.path[name] ?? ''),
  );
  const { method, headers, body: sent, withheldBytes } = draft;
  return {
    method,
    url: `${draft.origin}${filled}?${draft.query}`,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
    ...(withheldBytes === undefined ? {} : { withheldBytes }),
  };
}

/**
 * The same request as other programs write it: the words of its path begin with a capital, its office comes without the
 * zeros on the left.
 */
export function outraGrafia(template: string, draft: Rascunho): Pedido {
  const words = template.replace(/\/([a-z])/g, (_whole, first: string) => `/${first.toUpperCase()}`);
  const semZeros = (crm: string) => (/^[0-9]{6}$/.test(crm) ? String(Number(crm)) : crm);
  const path = { ...draft.path };
  for (const name of ['codigoCrm', 'CRM']) if (path[name] !== undefined) path[name] = semZeros(path[name]);
  return toPedido(words, { ...draft, path });
}
