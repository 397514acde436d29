/**
 * The office that a piece of work runs for, known to the database connection that it uses. It is a second wall behind the
 * conditions of the statements (row level security, `migrations/0001_inicial.postgres.sql`; docs/arquitetura/muro.md). A
 * request runs for nobody in particular, sees everything and may look up credentials, until a guard has found out whose it
 * is. From then on it sees that office only. What runs outside of any request (imports, commands, timers) is the service
 * itself. SQLite has one wall; there this does nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What the database is told of work that is the service's own. */
const SYSTEM = '*';

/** The office of one request, once it is known, and where the request comes from. */
export interface TenantScope {
  tenant: string;
  /** Who waits for a connection with it, where that is somebody else. */
  turn?: string;
  /** Null for what no request does. */
  from: Caller | null;
}

interface Caller {
  readonly ip: string;
}

const scopes = new AsyncLocalStorage<TenantScope>();

/** The scope of a request whose office is not known yet: it acts as the system until `actForOffice`. */
export function newScope(from: Caller | null = null): TenantScope {
  return { tenant: SYSTEM, from };
}

/** Runs what belongs to a request: again when its context was lost, as it is while a body is read. */
export function runInScope<T>(scope: TenantScope, act: () => T): T {
  return scopes.run(scope, act);
}

/** From here on the request sees this office alone. Outside of a request it changes nothing. */
export function actForOffice(contadorId: number): void {
  const scope = scopes.getStore();
  if (scope) scope.tenant = String(contadorId);
}

/** Work for one office that no request waits for in this thread, such as what a thread makes for a page of it. */
export function runForOffice<T>(contadorId: number, act: () => T): T {
  return scopes.run({ tenant: String(contadorId), from: null }, act);
}

/**
 * Work that a request sets off but that is not its own, such as what several of them have gathered.
 * @param contadorId the office that waits for it, and whose turn it takes
 */
export function runAsService<T>(act: () => T, contadorId?: number): T {
  const turn = contadorId === undefined ? {} : { turn: String(contadorId) };
  return scopes.run({ ...newScope(), ...turn }, act);
}

/** Whether that is an office, and not the service itself. */
export function isOffice(tenant: string): boolean {
  return tenant !== SYSTEM;
}

/** What a connection is to be told before it is used. */
export function currentTenant(): string {
  return scopes.getStore()?.tenant ?? SYSTEM;
}

/** Who is to have the connection next, of those who wait for one: offices take turns. */
export function currentTurn(): string {
  return scopes.getStore()?.turn ?? currentTenant();
}

/** The address that what runs now was asked from; null outside of a request. */
export function currentIp(): string | null {
  return scopes.getStore()?.from?.ip ?? null;
}
