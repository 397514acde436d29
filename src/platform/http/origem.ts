import type { FastifyRequest } from 'fastify';

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,252})(?::[0-9]{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]{2,45}\](?::[0-9]{1,5})?$/i;

/**
 * The address by which the caller reached us: protocol of the connection and its `Host`, or what a trusted proxy says
 * of both (`X-Forwarded-Proto`, `X-Forwarded-Host`); anybody else's forwarding headers are ignored. A name that is no
 * host name falls back to the socket's own address, so that nothing of it enters a link.
 */
export function requestOrigin(request: FastifyRequest): string {
  const { host } = request;
  const usable = NAME.test(host) || IPV6.test(host);
  return `${requestProtocol(request)}://${usable ? host.toLowerCase() : localAddress(request)}`;
}

/** How the caller reached us, or its trusted proxy. */
export function requestProtocol(request: FastifyRequest): 'http' | 'https' {
  return request.protocol?.toLowerCase() === 'https' ? 'https' : 'http';
}

function localAddress(request: FastifyRequest): string {
  const { localAddress: address = '127.0.0.1', localPort: port = 80, localFamily } = request.socket;
  return localFamily === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}
