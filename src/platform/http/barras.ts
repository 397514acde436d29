import type { IncomingMessage } from 'node:http';
import { pathOf } from './problema.ts';

const SLASH = 47;
const SERVER_NAME = /^https?:\/\/([^/?#]+)/i;

/**
 * A target with the server's name before its path, as a program writes it that takes us for its proxy, becomes the path that
 * every other request has. What `Host` says of such a one does not count.
 * @fonte RFC 9112, 3.2.2
 */
export function takeServerName(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.charCodeAt(0) === SLASH) return;
  const [start, name] = SERVER_NAME.exec(url) ?? [];
  if (start === undefined || name === undefined) return;
  const path = url.slice(start.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  const { rawHeaders } = request;
  const host = rawHeaders.findIndex((one, at) => at % 2 === 0 && one.toLowerCase() === 'host');
  if (host < 0) return;
  // In both: kept pages tell requests apart by these as they came.
  rawHeaders[host + 1] = name;
  request.headers.host = name;
}

/** The address with single slashes and none at its end; null when it is like that already, or no path. */
function withoutSpareSlashes(url: string): string | null {
  const end = pathEnd(url);
  const isSpare = url.lastIndexOf('//', end - 2) >= 0 || (end > 1 && url.charCodeAt(end - 1) === SLASH);
  if (!isSpare || url.charCodeAt(0) !== SLASH) return null;
  const path = url.slice(0, end).replace(/\/{2,}/g, '/');
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path) + url.slice(end);
}

function pathEnd(url: string): number {
  const query = url.indexOf('?');
  return query < 0 ? url.length : query;
}

/**
 * Gives an address its one form: `//storage` and `/storage/` are taken for `/storage`. A base address that ends with a
 * slash makes the first, some programs write the second, and other services have taken both. An address that a route knows
 * as it stands, or that is unknown either way, keeps its slashes.
 */
export function straightener(input: {
  isForgiven: (path: string) => boolean;
  isRouted: (method: string, path: string) => boolean;
  isKnown: (path: string) => boolean;
  /** The one form of a path. */
  canonical: (path: string) => string;
}): (request: { method?: string | undefined; url?: string | undefined }) => string {
  return ({ method = '', url: written = '/' }) => {
    const before = written.slice(0, pathEnd(written));
    const form = input.canonical(before);
    const url = form === before ? written : form + written.slice(before.length);
    const straight = withoutSpareSlashes(url);
    if (straight === null) return url;
    const path = pathOf(straight);
    const isMeant = input.isForgiven(path) && input.isKnown(path) && !input.isRouted(method, pathOf(url));
    return isMeant ? straight : url;
  };
}
