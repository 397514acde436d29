/** A migrated database and a vault in a folder of their own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tabelas } from '../banco/tabelas.ts';
import { type MasterVault, openVault } from '../platform/crypto/cofre.ts';
import { connectSqliteHere, type Database } from '../platform/db/connect.ts';
import { migrateSqlite } from '../platform/db/migrate.ts';

export interface BancoDeTeste {
  db: Database<Tabelas>;
  vault: MasterVault;
  pasta: string;
  caminho: string;
  close(): Promise<void>;
}

export async function abrirBancoDeTeste(): Promise<BancoDeTeste> {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-contas-'));
  const caminho = join(pasta, 'malote.sqlite');
  migrateSqlite(caminho, fileURLToPath(new URL('../../migrations', import.meta.url)));
  const db = connectSqliteHere<Tabelas>(caminho);
  return {
    db,
    vault: openVault({ chaveMestra: '', dataFolder: pasta }),
    pasta,
    caminho,
    async close() {
      await db.close();
      rmSync(pasta, { recursive: true });
    },
  };
}
