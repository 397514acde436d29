/** Somebody who is logged in to the console, for tests of its routes. */
import type { Papel } from '../../src/banco/tabelas-console.ts';
import {
  alcanceDoPapel,
  colunasDoAlcance,
  keepAlcance,
} from '../../src/console/sessao/alcance-do-usuario.ts';
import { insertUsuario } from '../../src/console/sessao/queries-usuario.ts';
import { openSessao } from '../../src/console/sessao/sessoes.ts';
import { Campos } from '../../src/contas/campos.ts';
import { fetchJson, type JsonAnswer, type Malote, withDeps } from './malote.ts';
import { send } from './pedido.ts';

export interface Pedinte {
  usuarioId: number;
  /** `Cookie` header. */
  cookie: string;
  /** `X-CSRF-Token` header. */
  csrf: string;
  /** Asks a route by its path below `/console/api`, with both headers. */
  ask(path: string, options?: { method?: string; json?: unknown }): Promise<JsonAnswer>;
}

let made = 0;

/**
 * Makes a user of an office and a session of it straight in the database, without the way through password and log-in.
 * @param input `clientes`: CPF/CNPJ of whom papel `cliente` sees, or of an operator's portfolio; absent: the whole office
 */
export async function logInToConsole(
  malote: Pick<Malote, 'url' | 'dataFolder'>,
  input: { contadorId: number; papel?: Papel; clientes?: readonly string[]; email?: string },
): Promise<Pedinte> {
  const { contadorId, papel = 'administrador', clientes = null } = input;
  const { usuarioId, valor } = await withDeps(malote.dataFolder, async ({ db, clock }) => {
    const agora = clock.now();
    const alcance = await alcanceDoPapel(db.read, new Campos(), { contadorId, papel, clientes });
    const email = input.email ?? `pessoa${++made}@exemplo.com.br`;
    return db.write.transaction().execute(async (trx) => {
      const id = await insertUsuario(trx, {
        contador_id: contadorId,
        email,
        email_chave: email,
        nome: `Pessoa ${made}`,
        papel,
        ...colunasDoAlcance(papel, alcance),
        senha: 'nenhuma: entra pelo teste',
        senha_em: agora,
        criado_em: agora,
        entrou_em: null,
      });
      if (id === null) throw new Error('the user is there already');
      await keepAlcance(trx, { contadorId, usuarioId: id, alcance });
      const { valor } = await openSessao(trx, {
        contadorId,
        usuarioId: id,
        ip: '127.0.0.1',
        agente: 'teste',
        agora,
      });
      return { usuarioId: id, valor };
    });
  });
  const cookie = `__Host-malote=${valor}`;
  const { body } = await fetchJson(`${malote.url}/console/api/sessao`, { headers: { cookie } });
  const headers = { cookie, 'x-csrf-token': body.csrf as string };
  return {
    usuarioId,
    cookie,
    csrf: body.csrf,
    ask: (path, options = {}) => fetchJson(`${malote.url}/console/api${path}`, { ...options, headers }),
  };
}

/** A browser as far as the console's routes can tell: it keeps the cookie, and sends the token of its session. */
export class Navegador {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #csrf: string | null = null;
  /** `Cookie` header; empty: none. */
  cookie: string;

  constructor(url: string, cookie = '', headers: Record<string, string> = {}) {
    this.#url = url;
    this.cookie = cookie;
    this.#headers = headers;
  }

  /** Asks a route by its path below `/console/api`. */
  async ask(
    path: string,
    options: { method?: string; json?: unknown; headers?: Record<string, string> } = {},
  ): Promise<JsonAnswer> {
    const method = options.method ?? (options.json === undefined ? 'GET' : 'POST');
    if (method !== 'GET' && this.cookie !== '')
      this.#csrf ??= (await this.#send('/sessao', {})).body.csrf ?? '';
    return this.#send(path, { ...options, method });
  }

  async #send(
    path: string,
    { method = 'GET', json, headers }: { method?: string; json?: unknown; headers?: Record<string, string> },
  ): Promise<JsonAnswer> {
    const { hostname, port } = new URL(this.#url);
    const body = json === undefined ? '' : JSON.stringify(json);
    const answer = await send({
      method,
      url: `http://${hostname}:${port}/console/api${path}`,
      headers: Object.entries({
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(this.#csrf ? { 'x-csrf-token': this.#csrf } : {}),
        ...(json !== undefined
          ? { 'content-type': 'application/json' }
          : method === 'GET'
            ? {}
            : { 'content-length': '0' }),
        ...this.#headers,
        ...headers,
      }),
      ...(body === '' ? {} : { body }),
    });
    const known = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const one of [value ?? []].flat()) known.append(name, one);
    for (const line of known.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [, value = ''] = pair.split('=');
      if (value === '') continue;
      this.cookie = pair;
      this.#csrf = null;
    }
    return {
      status: answer.status,
      headers: known,
      body: answer.text === '' ? null : JSON.parse(answer.text),
    };
  }
}
