import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newScope, runInScope, type TenantScope } from '../db/tenant.ts';

/** Gives each request a scope of its own, in which a guard says whose it is (`db/tenant.ts`). Before all other hooks. */
export function scopeRequests(app: FastifyInstance): void {
  const scopes = new WeakMap<FastifyRequest, TenantScope>();
  app.addHook('onRequest', (request, _reply, done) => {
    // Not the request itself: the timer of an idle connection keeps the scope that it was set in.
    const scope = newScope({ ip: request.ip });
    scopes.set(request, scope);
    runInScope(scope, done);
  });
  // A body is read in events of its socket, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    runInScope(scopes.get(request) ?? newScope({ ip: request.ip }), done);
  });
}
