/** The issuer behind the real web server, on a database and a clock of its own; requests are injected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { openBanco } from '../../../test/support/bancos.ts';
import { type Config, readConfig } from '../../config.ts';
import { createContador } from '../../contas/contadores.ts';
import type { Deps } from '../../deps.ts';
import { openVault } from '../../platform/crypto/cofre.ts';
import { createLogger } from '../../platform/http/log.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { createClienteOauth } from '../cliente-oauth.ts';
import { type Emissores, openEmissores } from '../emissores.ts';
import { ERROS_AUTORIZACAO } from '../errors.ts';
import { ownCrmOf, requireOauth } from '../oauth-guard.ts';

export const AUTH = 'https://contas.exemplo.com.br';
export const ISSUER = `${AUTH}/auth/realms/service`;
export const TOKEN = '/auth/realms/service/protocol/openid-connect/token';
/** Sunday, 1 March 2026. */
export const T0 = Date.UTC(2026, 2, 1, 12);

export interface Credencial {
  clientId: string;
  clientSecret: string;
}

interface Resposta {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** Parsed; null where the body is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any endpoint, whose shape the test itself asserts
  body: any;
}

export interface Pergunta {
  method?: string;
  url: string;
  form?: Record<string, string> | string;
  headers?: Record<string, string | string[]>;
}

type DepsDaBancada = Pick<Deps, 'db' | 'clock' | 'log' | 'config'> & { vault: ReturnType<typeof openVault> };

export class Bancada implements AsyncDisposable {
  readonly deps: DepsDaBancada;
  readonly app: FastifyInstance;
  readonly emissores: Emissores;
  readonly folder: string;
  readonly #time: { now: number };
  #address = 0;

  constructor(fields: {
    deps: DepsDaBancada;
    app: FastifyInstance;
    emissores: Emissores;
    folder: string;
    time: { now: number };
  }) {
    this.deps = fields.deps;
    this.app = fields.app;
    this.emissores = fields.emissores;
    this.folder = fields.folder;
    this.#time = fields.time;
  }

  /** Lets time pass. */
  wait(ms: number): void {
    this.#time.now += ms;
  }

  /** Every question comes from an address of its own, unless one is named: the limits count addresses. */
  async ask({ method = 'POST', url, form, headers = {} }: Pergunta, address?: string): Promise<Resposta> {
    this.#address += 1;
    const isForm = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await this.app.inject({
      method: method as 'POST',
      url,
      headers: { ...isForm, ...headers },
      ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
      remoteAddress: address ?? `10.0.${this.#address >> 8}.${this.#address & 255}`,
    });
    const text = answer.body;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  /** Tokens by client credentials in the form. */
  grant({ clientId, clientSecret }: Credencial): Promise<Resposta> {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return this.ask({ url: TOKEN, form });
  }

  refresh({ clientId, clientSecret }: Credencial, token: string): Promise<Resposta> {
    const form = {
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: token,
    };
    return this.ask({ url: TOKEN, form });
  }

  /** What a protected route says to a token. */
  use(token: string, crm = '123'): Promise<Resposta> {
    const headers = { authorization: `Bearer ${token}` };
    return this.ask({ method: 'GET', url: `/prova/${crm}`, headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    await this.emissores.close();
    await this.deps.db.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Opens it with the office 000123 and, for each name, an OAuth client of it. */
export async function openBancada(env: Record<string, string> = {}): Promise<Bancada> {
  const folder = mkdtempSync(join(tmpdir(), 'malote-emissor-'));
  const config: Config = readConfig({ MALOTE_DATA: folder, MALOTE_URL_AUTH: AUTH, ...env });
  const banco = await openBanco({ path: config.sqlitePath });
  const time = { now: T0 };
  const deps: DepsDaBancada = {
    config,
    clock: { now: () => time.now },
    log: createLogger('silent'),
    db: { ...banco.db, close: banco.close },
    vault: openVault(config),
  };
  const emissores = await openEmissores(deps).catch(async (error: unknown) => {
    await deps.db.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const app = await createHttpServer({
    log: createLogger('silent'),
    catalogo: ERROS_AUTORIZACAO,
    proxies: config.proxies,
    https: false,
    logFields: () => ({}),
    answersContinueItself: () => false,
  });
  app.decorateRequest('oauth', null);
  // Injected requests lack what Node gives real ones.
  app.addHook('onRequest', async ({ raw }) => {
    const { authorization } = raw.headers;
    const given = authorization === undefined ? {} : { authorization: [authorization].flat() };
    Object.defineProperty(raw, 'headersDistinct', { value: given });
  });
  await emissores.routes(app);
  const guard = requireOauth({ accessTokens: emissores.accessTokens, admit: async () => {} });
  app.get<{ Params: { CRM: string } }>('/prova/:CRM', { onRequest: guard }, async (request) => ({
    codigoCrm: ownCrmOf(request, request.params.CRM),
    oauth: request.oauth,
  }));
  await createContador(deps, { codigoCrm: '123', nome: 'Escritório', email: 'a@b.co' });
  return new Bancada({ deps, app, emissores, folder, time });
}

/** Makes an OAuth client of the office 000123. */
export function makeCliente(bancada: Bancada, input: { emiteTokens?: boolean } = {}): Promise<Credencial> {
  return createClienteOauth(bancada.deps, { contadorIds: [1], nome: 'ERP', ...input });
}

/** `Authorization` by RFC 6749 §2.3.1: both halves form-encoded. */
export function basic({ clientId, clientSecret }: Credencial): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

/** The claims of a JWT, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}
