/** A migrated database and a vault in a folder of their own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BancoAberto, openBanco } from '../../test/support/bancos.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { type MasterVault, openVault } from '../platform/crypto/cofre.ts';
import type { Database } from '../platform/db/connect.ts';

export interface BancoDeTeste {
  db: Database<Tabelas>;
  vault: MasterVault;
  pasta: string;
  danificar: BancoAberto['danificar'];
  close(): Promise<void>;
}

export async function openBancoDeTeste(): Promise<BancoDeTeste> {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-contas-'));
  const banco = await openBanco({ path: join(pasta, 'malote.sqlite') });
  return {
    db: banco.db,
    vault: openVault({ chaveMestra: '', dataFolder: pasta }),
    pasta,
    danificar: banco.danificar,
    async close() {
      await banco.close();
      rmSync(pasta, { recursive: true });
    },
  };
}
