/** Reads `MALOTE_EMISSORES`: which foreign issuers the accounts area trusts, and where they tell what we need. */
import { faultOf, readListSetting } from './lista-da-configuracao.ts';

const ENV = 'MALOTE_EMISSORES';
const fault = faultOf(ENV);

/** HMAC is not among them: who can verify could then sign. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

export interface EmissorExterno {
  /** `iss` of its tokens, compared character by character. */
  issuer: string;
  /** Where its keys are, or the document that says so. */
  chaves: { jwksUri: string } | { discovery: string };
  /** One of them must be in `aud`. */
  audience: readonly string[];
  algs: readonly Algorithm[];
  /** Path of the claim that holds one or more `codigoCrm`. */
  claimCrm: readonly string[];
  /** Path of the claim that names the client; absent: `azp`, `client_id`, `clientId` or `sub`, the first that is there. */
  claimCliente: readonly string[] | null;
  /** Only these clients; null: all of the issuer's. */
  clientes: readonly string[] | null;
  /** Role that a token must have, and the path of the claim that lists roles. */
  papel: { claim: readonly string[]; nome: string } | null;
}

const FIELDS = [
  'issuer',
  'jwksUri',
  'discovery',
  'audience',
  'algs',
  'claimCrm',
  'claimCliente',
  'clientes',
  'claimPapel',
  'papel',
];

/**
 * @param text JSON, an array of objects; empty: none
 * @throws ConfigError naming the entry and the field
 */
export function readEmissores(text: string): EmissorExterno[] {
  const emissores = readListSetting(text, { env: ENV, campos: FIELDS, read: readEmissor });
  const names = new Set(emissores.map(({ issuer }) => issuer));
  if (names.size < emissores.length) throw fault('tem o mesmo issuer mais de uma vez');
  return emissores;
}

function readEmissor(entry: Record<string, unknown>, where: string): EmissorExterno {
  const issuer = address(entry.issuer, `${where}: issuer`);
  return {
    issuer,
    chaves: readChaves(entry, { where, issuer }),
    audience: texts(entry.audience, `${where}: audience`),
    algs: readAlgs(entry.algs, `${where}: algs`),
    claimCrm: claimPath(entry.claimCrm ?? 'codigosCrm', `${where}: claimCrm`),
    claimCliente:
      entry.claimCliente === undefined ? null : claimPath(entry.claimCliente, `${where}: claimCliente`),
    clientes: entry.clientes === undefined ? null : texts(entry.clientes, `${where}: clientes`),
    papel: readPapel(entry, where),
  };
}

function readChaves(
  { jwksUri, discovery }: Record<string, unknown>,
  { where, issuer }: { where: string; issuer: string },
): EmissorExterno['chaves'] {
  if (jwksUri !== undefined && discovery !== undefined)
    throw fault(`${where}: informe jwksUri ou discovery, não os dois`);
  if (jwksUri !== undefined) return { jwksUri: address(jwksUri, `${where}: jwksUri`) };
  const standard = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return { discovery: discovery === undefined ? standard : address(discovery, `${where}: discovery`) };
}

function readAlgs(value: unknown, where: string): readonly Algorithm[] {
  if (value === undefined) return ['RS256'];
  const names = texts(value, where);
  const known = ALGORITHMS.filter((name) => names.includes(name));
  if (known.length < new Set(names).size) throw fault(`${where}: só ${ALGORITHMS.join(', ')}`);
  return known;
}

function readPapel(entry: Record<string, unknown>, where: string): EmissorExterno['papel'] {
  const { papel, claimPapel } = entry;
  if (papel === undefined && claimPapel === undefined) return null;
  if (typeof papel !== 'string' || papel === '') throw fault(`${where}: papel deve ser um texto`);
  return { nome: papel, claim: claimPath(claimPapel, `${where}: claimPapel`) };
}

/** `realm_access.roles` → two steps; a `/` in front of it takes the rest as one name, since names may hold dots. */
function claimPath(value: unknown, where: string): readonly string[] {
  if (typeof value !== 'string' || value === '' || value === '/')
    throw fault(`${where}: deve ser o nome de um claim`);
  return value.startsWith('/') ? [value.slice(1)] : value.split('.');
}

function address(value: unknown, where: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw fault(`${where}: deve ser um endereço http(s)`);
  return String(value);
}

function texts(value: unknown, where: string): readonly string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const given = list.filter((one): one is string => typeof one === 'string' && one !== '');
  if (given.length === 0 || given.length < list.length)
    throw fault(`${where}: deve ser um texto ou uma lista de textos`);
  return given;
}
