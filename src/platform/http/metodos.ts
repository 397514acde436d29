import type { FastifyInstance } from 'fastify';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Remembers every route that is registered from here on, so that a known path with another method can be told
 * from an unknown path (405 and 404). Call before any route is registered.
 */
export function rememberMethods(app: FastifyInstance): { allowed(path: string): string[] } {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', (route) => {
    // A fallback that answers whatever no other route knows tells nothing about a path's methods.
    if ((route.config as { rest?: boolean } | undefined)?.rest) return;
    const entry = known.get(route.url) ?? { pattern: toPattern(route.url), methods: new Set() };
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
  };
}

/** `/a/:b/c` matches any value at `:b`; `*` matches the rest. */
function toPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
