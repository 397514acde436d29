/** Reads `MALOTE_ENTRAR_COM`: by which OpenID Connect providers people come into the console, beside their passwords. */
import { faultOf, readListSetting } from '../lista-da-configuracao.ts';

const ENV = 'MALOTE_ENTRAR_COM';
const fault = faultOf(ENV);

export interface Provedor {
  /** Stands in addresses. */
  id: string;
  /** On the button. */
  nome: string;
  /** `iss` of its tokens, compared character by character; its discovery document lies below it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** Claim with the address of who comes in. */
  claimEmail: string;
  /** The office vouches for the addresses of this provider, which does not say `email_verified` itself. */
  confiaNoEmail: boolean;
  /** Only addresses of these domains; null: any. */
  dominios: readonly string[] | null;
}

const FIELDS = [
  'id',
  'nome',
  'issuer',
  'clientId',
  'clientSecret',
  'escopo',
  'claimEmail',
  'confiaNoEmail',
  'dominios',
];
/** The path of the way back has this word in the place of an id. */
const RESERVED = 'retorno';

/**
 * @param text JSON, an array of objects; empty: none
 * @throws ConfigError naming the entry and the field, and no secret
 */
export function readProvedores(text: string): Provedor[] {
  const provedores = readListSetting(text, { env: ENV, campos: FIELDS, read: readProvedor });
  if (new Set(provedores.map(({ id }) => id)).size < provedores.length)
    throw fault('tem o mesmo id mais de uma vez');
  return provedores;
}

function readProvedor(entry: Record<string, unknown>, where: string): Provedor {
  const id = text(entry.id, `${where}: id`);
  if (!/^[a-z0-9-]{1,40}$/.test(id) || id === RESERVED)
    throw fault(`${where}: id deve ter de 1 a 40 letras minúsculas, dígitos ou -, e não ser "${RESERVED}"`);
  const { confiaNoEmail = false } = entry;
  if (typeof confiaNoEmail !== 'boolean') throw fault(`${where}: confiaNoEmail deve ser true ou false`);
  return {
    id,
    nome: text(entry.nome, `${where}: nome`),
    issuer: address(entry.issuer, `${where}: issuer`),
    clientId: text(entry.clientId, `${where}: clientId`),
    clientSecret: text(entry.clientSecret, `${where}: clientSecret`),
    scope: text(entry.escopo ?? 'openid email profile', `${where}: escopo`),
    claimEmail: text(entry.claimEmail ?? 'email', `${where}: claimEmail`),
    confiaNoEmail,
    dominios: readDominios(entry.dominios, `${where}: dominios`),
  };
}

function readDominios(value: unknown, where: string): readonly string[] | null {
  if (value === undefined) return null;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => text(one, where).toLowerCase().replace(/^@/, ''));
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw fault(`${where} deve ser um texto`);
}

/** Plain http is for a provider on this very machine, as in tests. */
function address(value: unknown, where: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const local = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !local)) throw fault(`${where} deve ser um endereço https`);
  return String(value);
}
