/** Which page of a feed a request asks for, and what else of it could change the answer. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A page of a feed by its request. */
export interface Alvo {
  /** The same for requests that differ in the NSU alone. */
  molde: string;
  /** The same for requests that differ in nothing. */
  pagina: string;
  nsu: number;
}

/** Headers that differ from request to request and change no answer. All others are part of the key. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'user-agent',
  'traceparent',
  'tracestate',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-trace-id',
]);
const OF_A_BODY: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'expect']);

/** Most other requests do not have it. */
const SIGN_OF_A_PAGE = '/documentos/';
/** Canonical, so that the page is the same however the number is written. */
const OF_A_PAGE = /^(\/[^?#]*\/documentos\/)(0|[1-9][0-9]{0,14})\/(?:novos|finalidade)(?:\?|$)/;

/** An address of ours has few parameters: what is longer, with such as nobody knows, is not worth keeping. */
const LONGEST_URL = 500;

/** Who asks, by everything that a request says beside its address. */
interface Remetente {
  httpVersion: string;
  rawHeaders: readonly string[];
  digest: string | null;
}

/** One for the process. */
export class Alvos {
  /** The last sender of each connection: most programs send the same headers with each request. */
  readonly #remetentes = new WeakMap<Socket, Remetente>();

  /** Null for another route, and where there is no `paginaDe`. */
  of(request: IncomingMessage): Alvo | null {
    const url = request.url ?? '';
    if (url.length > LONGEST_URL) return null;
    const [, before, nsu] = OF_A_PAGE.exec(url) ?? [];
    if (before === undefined || nsu === undefined) return null;
    const remetente = this.#remetenteDe(request);
    if (remetente === null) return null;
    const behind = url.slice(before.length + nsu.length);
    return { molde: remetente + before + behind, pagina: remetente + url, nsu: Number(nsu) };
  }

  /** The key of what is asked for, should it be a page of a feed. Null for a request with a body, or one that has a header twice. */
  paginaDe(request: IncomingMessage): string | null {
    const url = request.url ?? '';
    if (url.length > LONGEST_URL || !url.includes(SIGN_OF_A_PAGE)) return null;
    const remetente = this.#remetenteDe(request);
    return remetente === null ? null : remetente + url;
  }

  #remetenteDe({ method, httpVersion, rawHeaders, socket }: IncomingMessage): string | null {
    if (method !== 'GET') return null;
    const last = this.#remetentes.get(socket);
    const same = last && last.httpVersion === httpVersion && isSame(last.rawHeaders, rawHeaders);
    if (same) return last.digest;
    // What may be left out of a request depends on the version.
    const digest = digestOf(rawHeaders, `${httpVersion} ${socket.remoteAddress}`);
    this.#remetentes.set(socket, { httpVersion, rawHeaders, digest });
    return digest;
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

/**
 * Headers and where they come from, in whatever order they came: some programs send them in another one each time.
 * They hold the token, so only their digest outlives the connection.
 */
function digestOf(rawHeaders: readonly string[], origin: string): string | null {
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (WITHOUT_EFFECT.has(name)) continue;
    if (OF_A_BODY.has(name)) return null;
    lines.push(`${name}:${rawHeaders[at + 1]}`);
  }
  lines.sort();
  return hasNameTwice(lines) ? null : hash('sha256', `${origin}\n${lines.join('\n')}`, 'base64');
}

/** @param lines sorted, each `name:value`: those of one name lie side by side, as no name holds a colon */
function hasNameTwice(lines: readonly string[]): boolean {
  return lines.some((line, at) => lines[at + 1]?.startsWith(line.slice(0, line.indexOf(':') + 1)) === true);
}
