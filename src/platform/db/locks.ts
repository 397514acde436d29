/**
 * Locks of a transaction on something that is no row yet. SQLite has one writer, whose transaction begins
 * `immediate`, so there is nothing left to lock; PostgreSQL has many, and what is decided from rows that were read
 * must not be decided twice at once.
 *
 * Order, so that two transactions never wait for each other: these locks first, each at most once and in the order
 * of this list, then rows (`for update`) in the order of their ids; the end of the audit log is the last of all.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { engineOf } from './engine.ts';

/** What is locked; the number is the first key of the advisory lock. */
export const LOCK = {
  /** The judging anew of stored signers: one step of one process at a time. */
  renovacao: 8,
  /** Everything that an office's documents become: one batch of an office at a time. Key: its id. */
  escritorio: 1,
  /** A session of the issuer. Key: `lockKey` of its id. */
  sessao: 2,
  /** The keys that sign addresses. */
  chavesDeEndereco: 3,
  /** The keys of the issuer. */
  chavesDoEmissor: 4,
  /** The change of the master key; who seals something takes it under a key of its own, before it seals. */
  chaveMestra: 5,
  /** An OAuth client and its secrets. Key: its id. */
  clienteOauth: 6,
  /** The mass exports of a user. Key: their id. */
  exportacoes: 7,
  /** Who calls for which CNPJ: one decision at a time. */
  captura: 9,
} as const;
export type Lock = (typeof LOCK)[keyof typeof LOCK];

/** Stands for "all of them" beside keys, which begin at 1. */
const EVERY = 0;

/** Waits for one or more things and holds them until the transaction ends. Holding one already is harmless. */
export async function lockFor(
  trx: QueryExecutorProvider,
  lock: Lock,
  keys: readonly number[] = [EVERY],
): Promise<void> {
  if (engineOf(trx) === 'sqlite' || keys.length === 0) return;
  const ordered = [...new Set(keys)].sort((a, b) => a - b);
  if (!ordered.includes(EVERY)) {
    await sql`select pg_advisory_xact_lock_shared(${lock}::int, ${EVERY}::int)`.execute(trx);
  }
  await sql`select pg_advisory_xact_lock(${lock}::int, key) from unnest(${ordered}::int[]) as key`.execute(
    trx,
  );
}

/** A key for what is known by text. Two texts may share one: they wait for each other without need, no more. */
export function lockKey(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0;
  return (hash & 0x3fff_ffff) + 1;
}
