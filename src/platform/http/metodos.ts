import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A fallback that answers whatever no other route knows: it tells nothing about a path's methods. */
    rest?: boolean;
  }
}

interface KnownPath {
  pattern: RegExp;
  /** Also matches where a value is missing: `/a//c`. The router takes that for an empty value. */
  withGaps: RegExp;
  methods: Set<string>;
}

export interface KnownMethods {
  /** What a path may be asked with; nothing for an unknown one. */
  allowed(path: string): string[];
  /** Whether a route gets this request, be it one that misses a value. */
  isRouted(method: string, path: string): boolean;
}

/**
 * Remembers every route that is registered from here on, so that a known path with another method can be told
 * from an unknown path (405 and 404). Call before any route is registered.
 */
export function rememberMethods(app: FastifyInstance): KnownMethods {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', (route) => {
    if (route.config?.rest) return;
    const entry = known.get(route.url) ?? toKnownPath(route.url);
    for (const method of [route.method].flat()) entry.methods.add(method);
    known.set(route.url, entry);
  });
  return {
    allowed(path) {
      const methods = new Set<string>();
      for (const entry of known.values()) {
        if (entry.pattern.test(path)) for (const method of entry.methods) methods.add(method);
      }
      return [...methods].sort();
    },
    isRouted(method, path) {
      for (const { withGaps, methods } of known.values()) {
        if (methods.has(method) && withGaps.test(path)) return true;
      }
      return false;
    },
  };
}

function toKnownPath(url: string): KnownPath {
  return { pattern: toPattern(url, '[^/]+'), withGaps: toPattern(url, '[^/]*'), methods: new Set() };
}

/** `/a/:b/c` matches any `value` at `:b`; `*` matches the rest. */
function toPattern(url: string, value: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return value;
    return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
