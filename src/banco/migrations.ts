import { fileURLToPath } from 'node:url';

/** Folder of the migrations that make and change the tables, beside `src` and beside what is built of it. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
