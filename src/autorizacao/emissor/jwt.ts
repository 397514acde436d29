/** The two kinds of tokens that the issuer makes and reads again: JWT of RS256 for others, of HS256 for itself. */
import { hash, randomUUID, type webcrypto } from 'node:crypto';
import { CompactSign, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { ClienteOauth } from '../clientes-oauth.ts';
import type { Emissor } from './emissor.ts';
import type { PedidoOauth } from './formulario.ts';
import type { Sessao } from './sessoes.ts';
import { ACCESS_SECONDS } from './tempos.ts';

/** `aud` of every access token. */
const AUDIENCE = 'malote';
/** Scopes of Keycloak's default clients; they open nothing here. */
export const SCOPES = ['email', 'profile'] as const;

/** What a token is made from. */
export interface Emissao {
  cliente: ClienteOauth;
  sessao: Sessao;
  scope: string;
  pedido: PedidoOauth;
}

/** Claims of an access token that has been verified. */
export interface ClaimsDeAcesso extends JWTPayload {
  azp: string;
  sid: string;
  exp: number;
}

/** Claims of a refresh token that has been verified. */
export interface ClaimsDeRefresh extends ClaimsDeAcesso {
  scope: string;
  geracao: number;
}

/** The claims of Keycloak, its old and its new names */
export function signAccess(emissor: Emissor, emissao: Emissao): Promise<string> {
  const { cliente, sessao, scope, pedido } = emissao;
  const { clientId } = cliente;
  const iat = Math.floor(emissor.clock.now() / 1_000);
  const { kid, privada } = emissor.chaves.atual();
  const claims = {
    exp: iat + ACCESS_SECONDS,
    iat,
    jti: randomUUID(),
    iss: pedido.issuer,
    aud: AUDIENCE,
    sub: subjectOf(clientId),
    typ: 'Bearer',
    azp: clientId,
    session_state: sessao.sid,
    acr: '1',
    scope,
    sid: sessao.sid,
    clientId,
    client_id: clientId,
    clientHost: pedido.endereco,
    clientAddress: pedido.endereco,
    preferred_username: `service-account-${clientId}`,
    codigosCrm: cliente.codigosCrm,
  };
  return sign(claims, { alg: 'RS256', kid, chave: privada });
}

export function signRefresh(emissor: Emissor, emissao: Emissao): Promise<string> {
  const { cliente, sessao, scope, pedido } = emissao;
  const { kid, segredo } = emissor.chaves.atual();
  const claims = {
    exp: sessao.fim,
    iat: Math.floor(emissor.clock.now() / 1_000),
    jti: randomUUID(),
    iss: pedido.issuer,
    aud: pedido.issuer,
    sub: subjectOf(cliente.clientId),
    typ: 'Refresh',
    azp: cliente.clientId,
    session_state: sessao.sid,
    scope,
    sid: sessao.sid,
    geracao: sessao.geracao,
  };
  return sign(claims, { alg: 'HS256', kid, chave: segredo });
}

/** Not by `SignJWT`, which copies the claims in depth before it writes them: for each token 30 us of nothing. */
function sign(
  claims: JWTPayload,
  { alg, kid, chave }: { alg: 'RS256' | 'HS256'; kid: string; chave: webcrypto.CryptoKey },
): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg, typ: 'JWT', kid })
    .sign(chave);
}

/** @returns null for anything but an access token of this issuer that has not expired */
export async function readAccess(emissor: Emissor, token: string): Promise<ClaimsDeAcesso | null> {
  const claims = await verify(emissor, { token, alg: 'RS256' });
  return claims?.typ === 'Bearer' && claims.aud === AUDIENCE ? (claims as ClaimsDeAcesso) : null;
}

/** @returns null for anything but a refresh token of this issuer that has not expired */
export async function readRefresh(emissor: Emissor, token: string): Promise<ClaimsDeRefresh | null> {
  const claims = await verify(emissor, { token, alg: 'HS256' });
  return claims?.typ === 'Refresh' ? (claims as ClaimsDeRefresh) : null;
}

/** The key is chosen by `kid` among ours and by nothing else of the header; its algorithm is fixed by the kind. */
async function verify(
  { chaves, clock, recognises }: Emissor,
  { token, alg }: { token: string; alg: 'RS256' | 'HS256' },
): Promise<JWTPayload | null> {
  const header = readHeader(token);
  if (header?.alg !== alg || (header.typ !== undefined && !/^(?:at\+)?jwt$/i.test(header.typ))) return null;
  const chave = await chaves.find(header.kid);
  if (!chave) return null;
  try {
    const { payload } = await jwtVerify(token, alg === 'RS256' ? chave.publica : chave.segredo, {
      algorithms: [alg],
      requiredClaims: ['exp', 'iat', 'iss', 'azp', 'sid'],
      currentDate: new Date(clock.now()),
    });
    return recognises(payload.iss) ? payload : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function readHeader(token: string): ReturnType<typeof decodeProtectedHeader> | null {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return null;
  }
}

/** A UUID for a client, always the same: Keycloak's id of its service account. */
function subjectOf(clientId: string): string {
  const bytes = hash('sha256', `malote/service-account/${clientId}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
