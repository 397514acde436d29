/** What Node and OpenSSL say when a connection fails, in our words. */
import { type CodigoDeFalha, FalhaDeTransporte } from './tipos.ts';

const SEM_CONEXAO = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EHOSTUNREACH', 'ENETUNREACH'];
const DESCONHECIDO =
  /^(?:UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED|INVALID_CA|CERT_SIGNATURE_FAILURE|CERT_REVOKED)$/;
/** Alerts 40, 42 and 116; and what TLS 1.3 servers of the ADN were seen to say instead. @fonte RFC 8446 §6.2 */
const NAO_APRESENTADO =
  /ALERT_(?:HANDSHAKE_FAILURE|BAD_CERTIFICATE|CERTIFICATE_REQUIRED|NO_CERTIFICATE)$|BAD_RECORD_MAC|DECRYPTION_FAILED_OR_BAD_RECORD_MAC/;
/** Alerts 43 to 46 and 48. */
const RECUSADO =
  /ALERT_(?:UNSUPPORTED_CERTIFICATE|CERTIFICATE_REVOKED|CERTIFICATE_EXPIRED|CERTIFICATE_UNKNOWN|UNKNOWN_CA)$/;

/** @param enviado whether the request may have reached the service before that */
export function falhaDe(error: unknown, { enviado }: { enviado: boolean }): FalhaDeTransporte {
  if (error instanceof FalhaDeTransporte) return error;
  const causa = codeOf(error);
  const codigo = codigoDe(causa);
  // A certificate is looked at before a request is.
  const before = codigo === 'certificado_nao_apresentado' || codigo === 'certificado_recusado';
  return new FalhaDeTransporte(codigo, { enviado: enviado && !before, causa });
}

function codigoDe(causa: string): CodigoDeFalha {
  if (SEM_CONEXAO.includes(causa)) return 'sem_conexao';
  if (causa === 'ETIMEDOUT') return 'prazo_de_conexao';
  if (causa === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'servidor_com_outro_nome';
  if (causa === 'CERT_HAS_EXPIRED' || causa === 'CERT_NOT_YET_VALID') return 'servidor_vencido';
  if (DESCONHECIDO.test(causa)) return 'servidor_desconhecido';
  if (NAO_APRESENTADO.test(causa)) return 'certificado_nao_apresentado';
  if (RECUSADO.test(causa)) return 'certificado_recusado';
  if (/^ERR_(?:SSL|TLS|OSSL)_/.test(causa) || causa === 'EPROTO') return 'tls';
  return 'interrompida';
}

/** Only the code: the error itself may hold the options of the connection, and with them the key. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  const { code } = error;
  return typeof code === 'string' && /^\w{1,80}$/.test(code) ? code : '';
}
