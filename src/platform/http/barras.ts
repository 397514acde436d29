import { pathOf } from './problema.ts';

const SLASH = 47;

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
