/** One faulty field of a request. */
export interface ErroDeCampo {
  campo: string;
  codigo: string;
  mensagem: string;
}

export interface CamposDoErro {
  /** Stable, lower snake case: decide by this, never by the text. */
  codigo: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  mensagem: string;
  requestId?: string | null;
  erros?: readonly ErroDeCampo[];
  /** How long the service asks to wait, in milliseconds. */
  esperarMs?: number | null;
  cause?: unknown;
}

/** Any failure of a call. `message` is the service's own sentence in Portuguese. */
export class MaloteError extends Error {
  readonly codigo: string;
  readonly status: number;
  /** Quote it when asking for help; also in the `X-Request-Id` header. */
  readonly requestId: string | null;
  readonly erros: readonly ErroDeCampo[];
  readonly esperarMs: number | null;

  constructor(campos: CamposDoErro) {
    super(campos.mensagem, campos.cause === undefined ? undefined : { cause: campos.cause });
    this.name = new.target.name;
    this.codigo = campos.codigo;
    this.status = campos.status;
    this.requestId = campos.requestId ?? null;
    this.erros = campos.erros ?? [];
    this.esperarMs = campos.esperarMs ?? null;
  }
}

/** 400, 405, 415, 422: the request itself is wrong; `erros` may name the fields. */
export class RequisicaoInvalida extends MaloteError {}
/** 401: the token is missing, unknown, revoked or expired. */
export class NaoAutorizado extends MaloteError {}
/** 403: the token does not serve this office, or a signed address has expired. */
export class Proibido extends MaloteError {}
/** 404: file, client or document unknown. */
export class NaoEncontrado extends MaloteError {}
/** 409. */
export class Conflito extends MaloteError {}
/** 413: more than 30,000,000 bytes. */
export class ArquivoGrandeDemais extends MaloteError {}
/** 429, after all tries. */
export class LimiteExcedido extends MaloteError {}
/** 502, 503, 504, after all tries. */
export class Indisponivel extends MaloteError {}
/** Any other status from 500 on; the details are in the server's log under `requestId`. */
export class ErroInterno extends MaloteError {}
/** The entry is there and its content is not: it was deleted at the end of its retention (`codigo` `conteudo_excluido`). */
export class ConteudoExcluido extends MaloteError {}
/** No answer at all, after all tries (`codigo` `falha_de_rede`); `cause` is the runtime's own error. */
export class FalhaDeRede extends MaloteError {}
/** A file did not reach its final state in time (`codigo` `tempo_esgotado`). It goes on being imported. */
export class TempoEsgotado extends MaloteError {}
/** The answer is not of this service, such as a proxy's HTML page (`codigo` `resposta_inesperada`). */
export class RespostaInesperada extends MaloteError {}

type ErrorClass = new (campos: CamposDoErro) => MaloteError;

const CLASS_BY_STATUS: ReadonlyMap<number, ErrorClass> = new Map<number, ErrorClass>([
  [401, NaoAutorizado],
  [403, Proibido],
  [404, NaoEncontrado],
  [409, Conflito],
  [413, ArquivoGrandeDemais],
  [429, LimiteExcedido],
  [502, Indisponivel],
  [503, Indisponivel],
  [504, Indisponivel],
]);

/** Longest part of an unknown body that is quoted in a message. */
const QUOTED_CHARS = 200;

/** Makes the error of a failed answer from its body: problem+json, the S3-style XML of the upload address, or anything else. */
export function errorOf(answer: { status: number; headers: Headers; body: string }): MaloteError {
  const { status, headers, body } = answer;
  const ErrorOfStatus = CLASS_BY_STATUS.get(status) ?? (status >= 500 ? ErroInterno : RequisicaoInvalida);
  const common = {
    status,
    requestId: headers.get('x-request-id'),
    esperarMs: retryAfterMs(headers.get('retry-after')),
  };
  const problem = problemOf(body);
  if (problem) return new ErrorOfStatus({ ...common, ...problem });
  const code = /<Code>([^<]*)<\/Code>/.exec(body)?.[1];
  if (code !== undefined) {
    const message = /<Message>([^<]*)<\/Message>/.exec(body)?.[1] ?? code;
    return new ErrorOfStatus({ ...common, codigo: snakeCase(code), mensagem: message });
  }
  const excerpt = body.replace(/\s+/g, ' ').trim().slice(0, QUOTED_CHARS);
  const said = excerpt === '' ? '' : `: ${excerpt}`;
  return CLASS_BY_STATUS.has(status) || status >= 500
    ? new ErrorOfStatus({
        ...common,
        codigo: `http_${status}`,
        mensagem: `O servidor respondeu ${status}${said}`,
      })
    : new RespostaInesperada({
        ...common,
        codigo: 'resposta_inesperada',
        mensagem: `Resposta inesperada (${status})${said}`,
      });
}

function problemOf(body: string): (Pick<CamposDoErro, 'codigo' | 'mensagem'> & Partial<CamposDoErro>) | null {
  const parsed = parseObject(body);
  if (!parsed || typeof parsed.codigo !== 'string') return null;
  const { codigo, mensagem, detail, erros, requestId } = parsed;
  return {
    codigo,
    mensagem: typeof mensagem === 'string' ? mensagem : typeof detail === 'string' ? detail : codigo,
    erros: Array.isArray(erros) ? erros.filter(isErroDeCampo) : [],
    ...(typeof requestId === 'string' ? { requestId } : {}),
  };
}

function isErroDeCampo(value: unknown): value is ErroDeCampo {
  if (typeof value !== 'object' || value === null) return false;
  const { campo, codigo, mensagem }: { campo?: unknown; codigo?: unknown; mensagem?: unknown } = value;
  return [campo, codigo, mensagem].every((part) => typeof part === 'string');
}

function parseObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** `SignatureDoesNotMatch` → `signature_does_not_match`. */
function snakeCase(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

/** Seconds or an HTTP date → milliseconds from now; null when absent or unreadable. */
export function retryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
