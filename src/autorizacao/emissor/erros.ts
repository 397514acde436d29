/** An answer of the issuer that is no success, in the shape of OAuth (RFC 6749 §5.2). */
export class OauthError extends Error {
  readonly status: number;
  readonly error: string;
  /** Absent in the few answers of Keycloak that have only `error`. */
  readonly description: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(fields: {
    status: number;
    error: string;
    description?: string;
    headers?: Readonly<Record<string, string>>;
    cause?: unknown;
  }) {
    super(
      fields.description ?? fields.error,
      fields.cause === undefined ? undefined : { cause: fields.cause },
    );
    this.name = 'OauthError';
    this.status = fields.status;
    this.error = fields.error;
    this.description = fields.description;
    this.headers = fields.headers ?? {};
  }

  /** Body in the order of Keycloak. */
  toBody(): Record<string, string> {
    return {
      error: this.error,
      ...(this.description === undefined ? {} : { error_description: this.description }),
    };
  }
}

const BAD_CLIENT = 'Invalid client or Invalid client credentials';

export const pedidoInvalido = (description: string) =>
  new OauthError({ status: 400, error: 'invalid_request', description });

export const concessaoInvalida = (description: string) =>
  new OauthError({ status: 400, error: 'invalid_grant', description });

/** Keycloak's answer where SSL is required. */
export const httpsExigido = () =>
  new OauthError({ status: 403, error: 'invalid_request', description: 'HTTPS required' });

export const concessaoDesconhecida = () =>
  new OauthError({ status: 400, error: 'unsupported_grant_type', description: 'Unsupported grant_type' });

/** What RFC 6749 §5.2 wants in place of Keycloak's `unauthorized_client`; the same for a client that does not exist. */
export const clienteInvalido = (input: { reino: string; porCabecalho: boolean; description?: string }) =>
  new OauthError({
    status: 401,
    error: 'invalid_client',
    description: input.description ?? BAD_CLIENT,
    headers: input.porCabecalho ? { 'www-authenticate': `Basic realm="${input.reino}"` } : {},
  });

export const concessaoNaoPermitida = (input: { reino: string; porCabecalho: boolean }) =>
  new OauthError({
    status: 401,
    error: 'unauthorized_client',
    description: 'Client not enabled to retrieve service account',
    headers: input.porCabecalho ? { 'www-authenticate': `Basic realm="${input.reino}"` } : {},
  });

/** RFC 6749 §5.2 allows few characters in a description; what was asked for may hold any. */
export const escopoInvalido = (scope: string) =>
  new OauthError({
    status: 400,
    error: 'invalid_scope',
    description: `Invalid scopes: ${scope.slice(0, 200).replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')}`,
  });

export const tipoDeConteudoInvalido = () =>
  new OauthError({
    status: 415,
    error: 'invalid_request',
    description: 'The content-type header value did not match the value in @Consumes',
  });

export const tentativasDemais = (retryAfterSeconds: number) =>
  new OauthError({
    status: 429,
    error: 'temporarily_unavailable',
    description: `Too many failed attempts. Try again in ${retryAfterSeconds} seconds`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const ocupado = (retryAfterSeconds: number, cause?: unknown) =>
  new OauthError({
    status: 503,
    error: 'temporarily_unavailable',
    description: `The server cannot answer now. Try again in ${retryAfterSeconds} seconds`,
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });

export const reinoInexistente = () => new OauthError({ status: 404, error: 'Realm does not exist' });

export const caminhoInexistente = () => new OauthError({ status: 404, error: 'HTTP 404 Not Found' });

export const metodoInvalido = (allowed: readonly string[]) =>
  new OauthError({
    status: 405,
    error: 'HTTP 405 Method Not Allowed',
    headers: { allow: allowed.join(', ') },
  });
