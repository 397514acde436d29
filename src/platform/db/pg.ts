import { createRequire } from 'node:module';
import type pg from 'pg';

/** The driver of PostgreSQL, loaded by who connects: on SQLite nobody does, and each thread would hold it. */
export const driver = (): typeof pg => createRequire(import.meta.url)('pg') as typeof pg;
