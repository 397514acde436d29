/**
 * After a start, imports that nobody gets: threads are started, schemas compiled, and V8 compiles what reads, checks and
 * stores documents, so that the first file is imported nearly as fast as the hundredth (it took twice as long). The very
 * code of an import runs, on documents of the generator and a database that is gone afterwards: in memory, on PostgreSQL
 * temporary tables. A real file comes first, and so does who reads pages: a round that has begun is broken off, the next
 * one waits.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { comecarAuditoria } from '../auditoria/auditar.ts';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { registerCliente } from '../contas/clientes.ts';
import { createContador } from '../contas/contadores.ts';
import type { Deps, Logger } from '../deps.ts';
import { isAtRest } from '../platform/at-rest.ts';
import { type Database, openSqlite } from '../platform/db/connect.ts';
import { applyMigrations } from '../platform/db/migrate.ts';
import { openShadow } from '../platform/db/shadow-postgres.ts';
import { InThreadExecutor } from '../platform/db/sqlite-executor.ts';
import { ownerHere } from '../platform/jobs/owner.ts';
import { addJob } from '../platform/jobs/queue.ts';
import { withEagerCompiler } from '../platform/slow-compiler.ts';
import { Importador } from './importador.ts';
import type { Leitor } from './leitores.ts';
import { emptyMetrics } from './metrics.ts';
import { insertArquivo, markReceived } from './queries.ts';
import { JOB_IMPORTAR, STATUS_ARQUIVO } from './tipos.ts';

const AMOSTRAS = new URL('../../amostras/', import.meta.url);

/**
 * With a fifth of them the first real file took a fifth longer; with more hardly less (measured). Together 11,500 documents,
 * more than the slow compiler then waits for (`slow-compiler.ts`).
 */
const RODADAS = 15;
/** A round that was broken off is done again, up to so many times the rounds in all: who is read from all the time has no rest. */
const VEZES = 2;
/**
 * Of one database in memory: what all of them leave in one would be 50 MB, and C's allocator does not give the system back
 * what lies between the memory of others.
 */
const RODADAS_DO_BANCO = 3;
/** Files in work at once, each in an office of its own, where all of it is new: more batches than one reader takes. */
const ARQUIVOS = 10;
/** Whoever starts a server may have to do with it first. */
const COMECAR_EM_MS = 300;
/** How soon a rehearsal gives way, and how often it looks whether it may go on. */
const OLHAR_A_CADA_MS = 20;

export interface Ensaio {
  leitor: Leitor;
  clock: Deps['clock'];
  log: Pick<Deps['log'], 'debug'>;
  /** Of PostgreSQL; '': SQLite. */
  databaseUrl: string;
  /** Real files are in work. */
  ocupado: () => boolean;
  /** Requests are answered all the time, or wait for what another thread makes. */
  atendendo: () => boolean;
  /** The thread is to end. */
  parou: () => boolean;
  rodadas?: number;
}

/** Never fails: what is broken is told to who sends a file. */
export async function ensaiar(deps: Ensaio): Promise<void> {
  try {
    await pausar(COMECAR_EM_MS, deps);
    const startedAt = performance.now();
    const rodadas = await ensaiarEmBanco(deps);
    deps.log.debug({ rodadas, ms: Math.round(performance.now() - startedAt) }, 'imports were rehearsed');
  } catch (err) {
    deps.log.debug({ err }, 'imports could not be rehearsed');
  }
}

/** A thread that is to end does not wait. */
async function pausar(ms: number, { parou }: Ensaio): Promise<void> {
  for (let left = ms; left > 0 && !parou(); left -= OLHAR_A_CADA_MS) await sleep(OLHAR_A_CADA_MS);
}

/** Until no real file is in work and the process is at rest: a round takes two cores, and who reads pages would wait. */
async function esperarSossego(deps: Ensaio): Promise<void> {
  for (let sossego = false; !sossego && !deps.parou(); )
    sossego = (await isAtRest((ms) => pausar(ms, deps))) && !deps.ocupado();
}

/** @returns how many rounds were begun */
async function ensaiarEmBanco(deps: Ensaio): Promise<number> {
  const zip = readFileSync(new URL('importacao.zip', AMOSTRAS));
  const clientes = JSON.parse(readFileSync(new URL('clientes.json', AMOSTRAS), 'utf8')) as string[];
  const { rodadas = RODADAS } = deps;
  let [rodada, inteiras] = [0, 0];
  const goesOn = () => !deps.parou() && inteiras < rodadas && rodada < VEZES * rodadas;
  while (goesOn()) {
    await comBanco(deps, async (db) => {
      const doBanco = db.engine === 'sqlite' ? RODADAS_DO_BANCO : Number.POSITIVE_INFINITY;
      for (let n = 0; n < doBanco && goesOn(); n++, rodada++) {
        await esperarSossego(deps);
        if (deps.parou()) return;
        await porRodadaNaFila({ db, clock: deps.clock }, { rodada, clientes, bytes: zip.length });
        if (await withEagerCompiler(() => importar({ ...deps, db, zip }))) inteiras += 1;
      }
    });
  }
  return rodada;
}

type NoBanco = (db: Database<Tabelas>) => Promise<void>;

/** Of the engine that real files come to: what is compiled for the other is of no use to it. */
async function comBanco(deps: Ensaio, act: NoBanco): Promise<void> {
  const db = deps.databaseUrl === '' ? null : await sombra(deps);
  if (db === null) return comBancoNaMemoria(act);
  try {
    await db.write.transaction().execute(comecarAuditoria);
    await act(db);
  } finally {
    await db.close();
  }
}

async function sombra({ databaseUrl, log }: Ensaio): Promise<Database<Tabelas> | null> {
  try {
    return await openShadow<Tabelas>(databaseUrl);
  } catch (err) {
    log.debug({ err }, 'imports are not rehearsed on PostgreSQL');
    return null;
  }
}

async function comBancoNaMemoria(act: NoBanco): Promise<void> {
  const executor = new InThreadExecutor({ path: ':memory:' });
  try {
    applyMigrations(executor, MIGRATIONS);
    await act(openSqlite<Tabelas>(executor));
  } finally {
    executor.close();
  }
}

/** Files of one round, each in an office of its own. */
async function porRodadaNaFila(
  deps: DepsDaRodada,
  { rodada, clientes, bytes }: { rodada: number; clientes: readonly string[]; bytes: number },
): Promise<void> {
  for (let n = 1; n <= ARQUIVOS; n++) {
    const codigoCrm = String(rodada * ARQUIVOS + n);
    const contadorId = await abrirEscritorio(deps, { codigoCrm, clientes });
    await porNaFila(deps, { contadorId, bytes });
  }
}

/** Works off what is in line, unless a real file comes, or many who want to be answered. @returns whether none did */
async function importar(input: Ensaio & { db: Database<Tabelas>; zip: Uint8Array }): Promise<boolean> {
  const importador = importadorDeEnsaio(input);
  let inteira = true;
  const watching = setInterval(() => {
    if (!input.ocupado() && !input.atendendo() && !input.parou()) return;
    inteira = false;
    void importador.stop();
  }, OLHAR_A_CADA_MS);
  try {
    await importador.drain();
  } finally {
    clearInterval(watching);
  }
  return inteira;
}

const CALADO = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => CALADO,
} as unknown as Logger;

function importadorDeEnsaio(input: Ensaio & { db: Database<Tabelas>; zip: Uint8Array }): Importador {
  const { db, zip, leitor, clock } = input;
  const storage = { get: () => Promise.resolve(new Uint8Array(zip)) } as unknown as Deps['storage'];
  const owner = ownerHere({ processRun: randomUUID(), threadRun: randomUUID() });
  return new Importador({
    db,
    storage,
    clock,
    leitor,
    owner,
    log: CALADO,
    homologacao: true,
    metricas: emptyMetrics(),
    espacoLivre: async () => Number.POSITIVE_INFINITY,
  });
}

type DepsDaRodada = Pick<Deps, 'clock'> & { db: Database<Tabelas> };

async function abrirEscritorio(
  deps: DepsDaRodada,
  { codigoCrm, clientes }: { codigoCrm: string; clientes: readonly string[] },
): Promise<number> {
  const quem = { nome: 'Ensaio', email: 'ensaio@exemplo.com.br' };
  const { id } = await createContador(deps, { codigoCrm, ...quem });
  for (const cpfCnpj of clientes)
    await registerCliente(deps, { contadorId: id, cpfCnpj, ...quem, aoRegistrar: async () => {} });
  return id;
}

async function porNaFila(
  { db, clock }: DepsDaRodada,
  { contadorId, bytes }: { contadorId: number; bytes: number },
): Promise<void> {
  const [id, now] = [randomUUID(), clock.now()];
  await insertArquivo(db.write, {
    id,
    contador_id: contadorId,
    extensao: '.zip',
    tamanho_anunciado: bytes,
    status: STATUS_ARQUIVO.aguardandoUpload,
    criado_em: now,
    expira_em: Math.ceil(now / 1000),
    kid: 'ensaio',
  });
  await db.write.transaction().execute(async (trx) => {
    const recebido = { id, agora: now, tamanho: bytes, sha256: '', md5: '', blob: 'ensaio' };
    await markReceived(trx, recebido);
    await addJob(trx, { tipo: JOB_IMPORTAR, arquivoId: id, contadorId, pesoBytes: bytes, now });
  });
}
