import { mkdirSync } from 'node:fs';
import { haSelados } from '../autorizacao/queries-reselar.ts';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { type Config, readConfig } from '../config.ts';
import { type Cliente, findCliente, listClientes } from '../contas/clientes.ts';
import { findContador } from '../contas/contadores.ts';
import { clienteNaoEncontrado } from '../contas/errors.ts';
import type { Deps } from '../deps.ts';
import { systemClock } from '../platform/clock.ts';
import { type MasterVault, openVault } from '../platform/crypto/cofre.ts';
import { connectHere } from '../platform/db/connect.ts';
import { isMigrated, migrateDatabase } from '../platform/db/migrate.ts';
import { openBlobStore } from '../platform/storage/open.ts';
import { FalhaDoComando } from './saida.ts';

/** What commands that work on the data folder itself are given. */
export type DepsDoComando = Pick<Deps, 'config' | 'clock' | 'db'>;

/** And the stored files. */
export type DepsComArquivos = DepsDoComando & Pick<Deps, 'storage'>;

/** An office: its number in the database, and its code with all zeros. */
export interface DoEscritorio {
  contadorId: number;
  codigoCrm: string;
}

/** The folder holds tokens' hashes, keys and documents: for nobody else on this machine. */
const PRIVATE_FOLDER = 0o700;

/**
 * Opens the data folder of the settings for one command, making and migrating it when need be, and closes it
 * afterwards. Safe beside a running server: writers wait for each other, and what is committed is seen at once.
 */
export async function comBanco<T>(work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  return comBancoDe(readConfig(), work);
}

async function comBancoDe<T>(config: Config, work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  mkdirSync(config.dataFolder, { recursive: true, mode: PRIVATE_FOLDER });
  await migrateDatabase(config, MIGRATIONS);
  const db = connectHere<Tabelas>(config);
  try {
    return await work({ config, clock: systemClock, db });
  } finally {
    await db.close();
  }
}

/**
 * The same for a command that works on what is there, as all do but the one that opens an office. Where there is no
 * installation it says so. Else it would make an empty one, which the next command would find in order, or copy.
 * @throws FalhaDoComando instalacao_nao_encontrada
 */
export async function comInstalacao<T>(work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  const config = readConfig();
  if (await isMigrated(config)) return comBancoDe(config, work);
  const where = config.databaseUrl === '' ? `o arquivo ${config.sqlitePath}` : 'o banco de DATABASE_URL';
  throw new FalhaDoComando(
    'instalacao_nao_encontrada',
    `Não há instalação do Malote aqui: ${where} não existe ou está vazio. Confira MALOTE_DATA e DATABASE_URL: são as mesmas do servidor?`,
  );
}

/** The same for a command about one office. @throws contador_nao_encontrado */
export function noEscritorio<T>(
  crm: string,
  work: (deps: DepsDoComando, contador: DoEscritorio) => Promise<T>,
): Promise<T> {
  return comInstalacao(async (deps) => work(deps, await contadorDe(deps, crm)));
}

/** An office, as a command names it. @throws contador_nao_encontrado */
export async function contadorDe({ db }: Pick<DepsDoComando, 'db'>, crm: string): Promise<DoEscritorio> {
  const { id: contadorId, codigoCrm } = await findContador(db.read, { codigoCrm: crm });
  return { contadorId, codigoCrm };
}

/** Runs what needs the stored files too, and closes their store afterwards. */
export async function comArquivos<T>(
  deps: DepsDoComando,
  work: (deps: DepsComArquivos) => Promise<T>,
): Promise<T> {
  const storage = await openBlobStore(deps.config);
  try {
    return await work({ ...deps, storage });
  } finally {
    await storage.close();
  }
}

/** A client of an office, as a command names it. @throws cliente_nao_encontrado */
export async function clienteDe(
  { db }: Pick<DepsDoComando, 'db'>,
  input: { contadorId: number; cpfCnpj: string },
): Promise<Cliente> {
  const cliente = await findCliente(db.read, input);
  if (!cliente) throw clienteNaoEncontrado();
  return cliente;
}

const LIST_STEP = 500;

/** All clients of an office, in the order of their CPF/CNPJ. */
export async function* clientesDe(
  { db }: Pick<DepsDoComando, 'db'>,
  contadorId: number,
): AsyncGenerator<Cliente> {
  for (let depoisDe = ''; ; ) {
    const page = await listClientes(db.read, { contadorId, depoisDe, limite: LIST_STEP });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < LIST_STEP) return;
    depoisDe = last.cpfCnpj;
  }
}

/** What is sealed in the installation, opened: its key must be there when there is anything. @throws ConfigError */
export async function openCofreDe({ config, db }: DepsDoComando): Promise<MasterVault> {
  return openVault(config, { selados: await haSelados(db.read) });
}
