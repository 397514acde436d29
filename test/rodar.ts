/**
 * `npm test`: every test once on the embedded engine, and those that come to a database again on PostgreSQL, one run more
 * at a time than there are cores: a third of a run is waiting for processes, disks and clocks. One server for all of them: from an address, the machine or npm
 * (`support/postgres/`). Without any, the runs on PostgreSQL are left out and the reason is said. Arguments are for the
 * test runner: `npm test -- --test-name-pattern=…`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { CORRIDAS, type Corrida } from './corridas.ts';
import { ENDERECO, servidorDeTeste } from './support/postgres/servidor.ts';

/** However many cores there are: with more runs at a time tests begin to wait for each other's processes. */
const JUNTAS_MAX = 3;
/** One file after the other: each starts processes of its own that keep a core busy. */
const DE_CADA_VEZ = '--test-concurrency=1';
const NUM_PROCESSO = '--test-isolation=none';
/** Hundreds of processes load the same code: what has been compiled once is kept beside the packages. */
const COMPILADO = join(import.meta.dirname, '..', 'node_modules', '.cache', 'malote');
/** Where the runner begins to tell the failures of a run again. */
const FALHAS = '✖ failing tests:';
/** For what would wait for ever; the longest file, the crash campaign, takes a third of it on a slow machine. */
const LIMITE = '--test-timeout=1200000';
/** For a run that something left open keeps from ending: what it has said so far is shown then. */
const LIMITE_DA_CORRIDA_MS = 40 * 60_000;
const SEM_RESPOSTA_MS = 20_000;

interface Terminada {
  corrida: Corrida;
  ok: boolean;
  /** File with what the runner printed. */
  saida: string;
}

/** Into a file, and shown when it has ended: what each run prints stays in one piece. */
async function rodar(
  corrida: Corrida,
  input: { env: Record<string, string>; saida: string },
): Promise<Terminada> {
  const { files, motor, numProcesso } = corrida;
  const modo = numProcesso ? NUM_PROCESSO : DE_CADA_VEZ;
  const noPostgres = motor === 'postgres' ? { MALOTE_TESTE_MOTOR: 'postgres' } : {};
  const child = spawn(process.execPath, ['--test', modo, LIMITE, ...process.argv.slice(2), ...files], {
    env: { NODE_COMPILE_CACHE: COMPILADO, ...process.env, ...input.env, ...noPostgres },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const demorada = setTimeout(() => encerrar(child, corrida.titulo), LIMITE_DA_CORRIDA_MS);
  await pipeline(child.stdout, createWriteStream(input.saida));
  const [code] = (await closed) as [number | null];
  clearTimeout(demorada);
  return { corrida, ok: code === 0, saida: input.saida };
}

/** The runner tells what it knows when it is asked to end. */
function encerrar(child: ChildProcess, titulo: string): void {
  console.log(`▷ ${titulo}: passou do tempo, é encerrada`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), SEM_RESPOSTA_MS).unref();
}

async function mostrar({ corrida, saida }: Terminada): Promise<void> {
  console.log(`▶ ${corrida.titulo}`);
  const text = createReadStream(saida);
  text.pipe(process.stdout, { end: false });
  await finished(text);
}

/** What failed, once more, for who looks at the end only. */
function showFalhas({ corrida, saida }: Terminada): void {
  const text = readFileSync(saida, 'utf8');
  const at = text.lastIndexOf(FALHAS);
  if (at >= 0) console.log(`▶ o que falhou: ${corrida.titulo}\n${text.slice(at)}`);
}

/** Takes the runs in their order, some at a time. */
async function runAll(
  corridas: readonly Corrida[],
  input: { env: Record<string, string>; pasta: string },
): Promise<Terminada[]> {
  const terminadas: Terminada[] = [];
  const proximas = corridas.entries();
  let mostrando = Promise.resolve();
  const umaPorVez = async () => {
    for (const [at, corrida] of proximas) {
      console.log(`▷ ${corrida.titulo} …`);
      const terminada = await rodar(corrida, { env: input.env, saida: join(input.pasta, `${at}.txt`) });
      terminadas.push(terminada);
      mostrando = mostrando.then(() => mostrar(terminada));
      await mostrando;
    }
  };
  await Promise.all(Array.from({ length: Math.min(JUNTAS_MAX, availableParallelism() + 1) }, umaPorVez));
  return terminadas;
}

const postgres = await servidorDeTeste('memoria');
const pasta = mkdtempSync(join(tmpdir(), 'malote-testes-'));
try {
  const temPostgres = postgres.url !== null;
  const corridas = CORRIDAS.filter(({ motor }) => motor === 'sqlite' || temPostgres);
  const env: Record<string, string> = temPostgres ? { [ENDERECO]: postgres.url } : {};
  const terminadas = await runAll(corridas, { env, pasta });
  if (temPostgres) {
    console.log(`▶ PostgreSQL: ${postgres.origem}`);
    await postgres.stop();
  } else console.log(`▶ testes em PostgreSQL: pulados, ${postgres.motivo}`);
  for (const terminada of terminadas) if (!terminada.ok) showFalhas(terminada);
  process.exitCode = terminadas.every(({ ok }) => ok) ? 0 : 1;
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
