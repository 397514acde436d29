import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Outgoing } from '../platform/http/outgoing.ts';

/** The areas that an integration token may be limited to. */
export type AreaDoToken = 'importacao' | 'exportacao';

/** Whose token a request carries. */
export interface Auth {
  contadorId: number;
  /** Exactly six digits. */
  codigoCrm: string;
  /** The integration token; null for an access token (JWT), whose client acts for this office. */
  tokenId: number | null;
  /** `token:7` or `oauth:<client id>`: who asks, in what is kept of accesses and acts. */
  autor: string;
  escopo: AreaDoToken | 'tudo';
  /** Ids of the only clients that the token reaches; null: every client of its office. */
  clienteIds: ReadonlySet<number> | null;
}

/** Whose access token (JWT) a request carries. */
export interface Oauth {
  clientId: string;
  /** Each exactly six digits; the offices that this client may act for. */
  codigosCrm: readonly string[];
  /** `embutido`, or the address of the foreign issuer. */
  emissor: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireToken`, with an access token by what chooses its office; null on routes without it. */
    auth: Auth | null;
    /** Set for an access token; null with an integration token, and on routes without either. */
    oauth: Oauth | null;
  }
}

export type OnRequestHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Which public address a link is made for (docs/configuracao.md, `MALOTE_URL_*`). */
export type AreaDeEndereco = 'base' | 'importacao' | 'upload';

interface SignedParts {
  /** `StorageAccessKeyId` of the address. */
  kid: string;
  /** Base64, not yet URL-encoded. */
  signature: string;
}

/** Signs and checks addresses that need no Authorization (docs/arquitetura/enderecos.md). Both are synchronous. */
export interface Enderecos {
  /** Signs with the newest key. Parts are joined with line feeds before the expiry; none may contain one. */
  sign(input: { parts: readonly string[]; expiresAtSeconds: number }): SignedParts;
  /** Compares in constant time. An unknown or retired kid is false. Does not look at the clock. */
  verify(input: {
    kid: string;
    parts: readonly string[];
    expiresAtSeconds: number;
    signature: string;
  }): boolean;
  /** The key that `sign` uses now, for a thread of this process that signs many addresses at once. */
  current(): { kid: string; secret: Uint8Array };
  /** Whether the kid is known and not retired, so that the upload address can name the fault as S3 does. */
  knows(kid: string): boolean;
}

/** What every route module is given by `app.ts`. */
export interface HttpContext {
  deps: Deps;
  /**
   * `onRequest` hook: credentials or 401; sets `request.auth`, and waits for the token's turn; 429 over a limit. In the import area also
   * the office of an access token, or 403.
   */
  requireToken: OnRequestHook;
  /** `onRequest` hook behind it where a path names a `codigoCrm`: 400, or 403 when it is not the token's own. */
  requireOwnCrm: OnRequestHook;
  /** `onRequest` hook of the accounts area: a valid access token or 401; sets `request.oauth`; turn and 429 as above. */
  requireOauth: OnRequestHook;
  enderecos: Enderecos;
  /** Room for answers, for routes that know how large theirs is before they make it. */
  outgoing: Pick<Outgoing, 'reserve'>;
  /** Public address of an area without trailing slash: the setting, else the request's own protocol and Host. */
  origin(request: FastifyRequest, area: AreaDeEndereco): string;
}

/** An office among those who share room and places. */
export function officeKey(contadorId: number): string {
  return `escritorio/${contadorId}`;
}

/** An integration token among those who are let in. */
export function tokenKey(tokenId: number | null): string {
  return `token/${tokenId}`;
}

/** The token's owner on a route behind `requireToken` and `requireOwnCrm`. @throws when the route forgot a hook */
export function authOf(request: FastifyRequest): Auth {
  if (!request.auth) throw new Error(`route ${request.routeOptions.url} has no hook that sets its owner`);
  return request.auth;
}

/** The token's client on a route behind `requireOauth`. @throws when the route forgot the hook */
export function oauthOf(request: FastifyRequest): Oauth {
  if (!request.oauth) throw new Error(`route ${request.routeOptions.url} has no access token`);
  return request.oauth;
}
