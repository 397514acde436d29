import { SCOPES } from './jwt.ts';
import { GRANT_TYPES } from './token.ts';

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post'];
const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'azp', 'sid', 'scope', 'client_id', 'codigosCrm'];

/** Paths below the realm. As Keycloak has them. */
export const CAMINHOS = {
  descoberta: '/.well-known/openid-configuration',
  certs: '/protocol/openid-connect/certs',
  token: '/protocol/openid-connect/token',
  introspeccao: '/protocol/openid-connect/token/introspect',
  revogacao: '/protocol/openid-connect/revoke',
} as const;

/** What the issuer says of itself (OpenID Connect Discovery 1.0 §3). */
export function describeIssuer(issuer: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: issuer + CAMINHOS.token,
    jwks_uri: issuer + CAMINHOS.certs,
    introspection_endpoint: issuer + CAMINHOS.introspeccao,
    revocation_endpoint: issuer + CAMINHOS.revogacao,
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    response_types_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: SCOPES,
    claims_supported: CLAIMS,
  };
}
