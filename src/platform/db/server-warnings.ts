import { sql } from 'kysely';
import type { Database } from './connect.ts';

interface Found {
  papel: string;
  superusuario: number;
  ignora: number;
  fsync: string;
  commit: string;
}

/** What an operator should change about a PostgreSQL server, in words for the log (pt-BR). None for SQLite. */
export async function serverWarnings<T>(db: Pick<Database<T>, 'engine' | 'read'>): Promise<string[]> {
  if (db.engine === 'sqlite') return [];
  const { rows } = await sql<Found>`
    select rolname as papel, rolsuper as superusuario, rolbypassrls as ignora, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit
    from pg_roles where rolname = current_user`.execute(db.read);
  return rows.flatMap(warningsOf);
}

function warningsOf({ papel, superusuario, ignora, fsync, commit }: Found): string[] {
  const warnings: string[] = [];
  if (superusuario || ignora) {
    const porque = superusuario ? 'é superusuário' : 'tem BYPASSRLS';
    warnings.push(
      `O papel ${papel} do PostgreSQL ${porque}: a segunda barreira entre escritórios (row level security) não vale para ele. Use um papel comum, dono do banco.`,
    );
  }
  if (fsync === 'off' || commit === 'off') {
    warnings.push(
      `O PostgreSQL está com fsync=${fsync} e synchronous_commit=${commit}: uma queda de energia pode perder o que já foi confirmado.`,
    );
  }
  return warnings;
}
