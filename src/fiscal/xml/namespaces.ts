/** Namespaces in XML 1.0: the two reserved names and the rules of a declaration. */

export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** Unreserved, sub-delims, gen-delims without brackets, and percent-encoded bytes. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const AUTHORITY = /^(?:[^@]*@)?[^@:]*(?::[0-9]{1,5})?$/;

/**
 * Whether a namespace name is a URI reference. Deliberately a little narrower than RFC 3986 (no IPv6 host, no
 * network-path reference): what libxml2 refuses must not pass here.
 * @fonte RFC 3986 §3, §4.2; Namespaces in XML 1.0 §2.2
 */
export function isUriReference(uri: string): boolean {
  if (!URI_CHARACTERS.test(uri) || uri.indexOf('#') !== uri.lastIndexOf('#')) return false;
  const scheme = SCHEME.exec(uri)?.[0];
  const rest = uri.slice(scheme?.length ?? 0);
  const [head = ''] = rest.split(/[/?#]/, 1);
  if (rest.startsWith('//'))
    return scheme !== undefined && AUTHORITY.test(rest.slice(2).split(/[/?#]/, 1)[0] ?? '');
  return scheme !== undefined || !head.includes(':');
}

/** Why a declaration is not allowed, in pt-BR; null when it is. `prefix` is '' for the default namespace. */
export function declarationFault(prefix: string, uri: string): string | null {
  if (prefix === 'xmlns') return 'o prefixo xmlns é reservado e não pode ser declarado';
  if (prefix === 'xml') {
    return uri === XML_NAMESPACE ? null : 'o prefixo xml é reservado e não pode receber outro namespace';
  }
  if (uri === XML_NAMESPACE || uri === XMLNS_NAMESPACE) {
    return `o namespace reservado "${uri}" não pode ser declarado aqui`;
  }
  if (uri === '') return prefix === '' ? null : `o prefixo ${prefix} foi declarado com namespace vazio`;
  return isUriReference(uri) ? null : `o namespace "${uri.slice(0, 80)}" não é um endereço (URI) válido`;
}
