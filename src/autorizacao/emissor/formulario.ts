import { pedidoInvalido, tipoDeConteudoInvalido } from './erros.ts';

const FORM = 'application/x-www-form-urlencoded';
/** `type/subtype` and parameters, each a token or a quoted text. @fonte RFC 9110 §8.3.1 */
const MEDIA_TYPE =
  /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;[ \t]*(?:[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"]*"))?[ \t]*)*$/;
/** Longer than any that exists, so that the pattern above never meets a long text. */
const MEDIA_TYPE_CHARACTERS = 200;

/** What an endpoint is asked, free of the web framework. */
export interface PedidoOauth {
  /** `iss`: public address of the issuer. */
  issuer: string;
  /** Address of the caller. */
  endereco: string;
  contentType: string | undefined;
  /** As often as the header came. */
  authorization: readonly string[];
  body: string;
}

/**
 * Reads the form of a request. An empty body is an empty form, with or without a type.
 * @throws 415 for another type, 400 for a malformed or absent one
 */
export function readForm({ contentType = '', body }: PedidoOauth): URLSearchParams {
  const text = contentType.trim();
  if (text === '' && body === '') return new URLSearchParams();
  const type = text.length > MEDIA_TYPE_CHARACTERS ? undefined : MEDIA_TYPE.exec(text)?.[1]?.toLowerCase();
  if (type === undefined) throw pedidoInvalido('Missing or malformed Content-Type header');
  if (type !== FORM) throw tipoDeConteudoInvalido();
  return new URLSearchParams(body);
}

/** @throws 400 when any parameter came more than once (RFC 6749 §3.2) */
export function refuseDuplicates(form: URLSearchParams): void {
  const names = [...form.keys()];
  if (new Set(names).size < names.length) throw pedidoInvalido('duplicated parameter');
}
