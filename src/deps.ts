import type { FastifyBaseLogger } from 'fastify';
import type { Tabelas } from './banco/tabelas.ts';
import type { Config } from './config.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/db/connect.ts';
import type { BlobStore } from './platform/storage/blob-store.ts';

export type Logger = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;

/** What acts depend on; a function takes a `Pick` of it. */
export interface Deps {
  config: Config;
  clock: Clock;
  log: Logger;
  db: Database<Tabelas>;
  storage: BlobStore;
}
