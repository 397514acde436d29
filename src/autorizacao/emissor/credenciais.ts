import { clienteInvalido, pedidoInvalido } from './erros.ts';
import type { PedidoOauth } from './formulario.ts';

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** What a client says of itself, by header or by form. */
export interface Credenciais {
  clientId: string;
  /** Empty when none was given. */
  secret: string;
  /** By `Authorization`: then a 401 carries its challenge. */
  porCabecalho: boolean;
}

/**
 * Reads client credentials: `client_secret_basic`, `client_secret_post`, or both when they agree.
 * @throws 401 when there is no client_id, 400 when header and form disagree
 * @fonte RFC 6749 §2.3.1
 */
export function readCredenciais(
  pedido: PedidoOauth,
  input: { form: URLSearchParams; reino: string },
): Credenciais {
  const { form, reino } = input;
  const given = pedido.authorization;
  if (given.length > 1) throw pedidoInvalido('duplicated Authorization header');
  const header = given[0] === undefined ? null : readBasic(given[0]);
  const clientId = form.get('client_id') ?? '';
  const secret = form.get('client_secret') ?? '';
  if (header) {
    const differs =
      (clientId !== '' && clientId !== header.clientId) || (secret !== '' && secret !== header.secret);
    if (differs) throw pedidoInvalido('Multiple client authentication methods');
    return { ...header, porCabecalho: true };
  }
  if (clientId !== '') return { clientId, secret, porCabecalho: false };
  if (given.length > 0) throw clienteInvalido({ reino, porCabecalho: true });
  throw clienteInvalido({ reino, porCabecalho: false, description: 'Missing client_id parameter' });
}

/** Null for another scheme, or a value that is no `id:secret`. */
function readBasic(header: string): { clientId: string; secret: string } | null {
  const encoded = BASIC.exec(header.trim())?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  return { clientId: decodeForm(text.slice(0, colon)), secret: decodeForm(text.slice(colon + 1)) };
}

/** Both halves are form-encoded; many clients send them bare, which shows where decoding fails. */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
