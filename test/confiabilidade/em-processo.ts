/** `malote verificar` within this process: hundreds of them, each on a database that was damaged a moment before. */
import { rmSync } from 'node:fs';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { conferir } from '../../src/cli/conferencias.ts';
import { verifyAndRepair } from '../../src/cli/reparos.ts';
import { Saida } from '../../src/cli/saida.ts';
import type { Config } from '../../src/config.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { connectHere } from '../../src/platform/db/connect.ts';
import { openBlobStore } from '../../src/platform/storage/open.ts';

/** @returns what it found. A command that fails tells of the damage as well as one that names it */
export async function checkAqui(config: Config): Promise<string[]> {
  return comoAchados(config, async (deps, saida) => (await conferir(deps, saida)).relatorio.achados);
}

/** @returns what `--reparar` has left */
export async function repairAqui(config: Config): Promise<string[]> {
  return comoAchados(config, async (deps, saida) => {
    return (await verifyAndRepair(deps, { saida, aceitar: [] })).achados;
  });
}

async function comoAchados(
  config: Config,
  act: (
    deps: Parameters<typeof conferir>[0],
    saida: Saida,
  ) => Promise<{ conferencia: string; mensagem: string }[]>,
): Promise<string[]> {
  const storage = await openBlobStore(config);
  let db: ReturnType<typeof connectHere<Tabelas>> | null = null;
  try {
    db = connectHere<Tabelas>(config);
    const achados = await act({ config, clock: systemClock, db, storage }, new Saida({ json: true }));
    return achados.map(({ conferencia, mensagem }) => `${conferencia}: ${mensagem}`);
  } catch (error) {
    return [`falhou: ${(error as Error).message}`];
  } finally {
    await db?.close();
    await storage.close();
    if (config.databaseUrl === '')
      for (const end of ['-wal', '-shm']) rmSync(config.sqlitePath + end, { force: true });
  }
}
