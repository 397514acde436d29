/**
 * `npm test`: every test once on the embedded engine, and those that come to a database again on PostgreSQL, two runs more
 * at a time than there are cores: a third of a run is waiting for processes, disks and clocks. One server for all of them: from an address, the machine or npm
 * (`support/postgres/`). Without any, the runs on PostgreSQL are left out and the reason is said. Arguments are for the
 * test runner: `npm test -- --test-name-pattern=…`. At the end stands what took how long.
 */
import { createReadStream, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { CORRIDAS, type Corrida } from './corridas.ts';
import { encerrarTudo, executar, FALHAS } from './support/arquivo-de-teste.ts';
import { ENDERECO, servidorDeTeste } from './support/postgres/servidor.ts';

/** However many cores there are: with more runs at a time tests begin to wait for each other's processes. */
const JUNTAS_MAX = 4;
/** All files in one process; each has one of its own otherwise, one after the other. */
const NUM_PROCESSO = ['--test', '--test-isolation=none'];
/** A server that a failed test has left would keep its file from ending. */
const TERMINA = '--test-force-exit';
/** A process may hang at its end while this compiler still works (nodejs/node#54918): one file in a thousand did, on a busy machine. */
const SEM_MAGLEV = '--no-maglev';
/** Hundreds of processes load the same code: what has been compiled once is kept beside the packages. */
const COMPILADO = join(import.meta.dirname, '..', 'node_modules', '.cache', 'malote');
/** Where the next file begins. */
const ARQUIVO = '\n▸ ';
/** For what would wait for ever; the longest file, the crash campaign, takes a third of it on a slow machine. */
const LIMITE_MS = 20 * 60_000;
const LENTOS = 10;

interface Medida {
  nome: string;
  corrida: Corrida;
  segundos: number;
}

interface Terminada {
  corrida: Corrida;
  ok: boolean;
  /** File with what the runner printed. */
  saida: string;
  medidas: Medida[];
}

/** Into a file, and shown when it has ended: what each run prints stays in one piece. */
async function rodar(
  corrida: Corrida,
  input: { env: Record<string, string>; saida: string },
): Promise<Terminada> {
  const { files, motor, numProcesso, titulo } = corrida;
  const { saida } = input;
  const noPostgres = motor === 'postgres' ? { MALOTE_TESTE_MOTOR: 'postgres' } : {};
  const env = { NODE_COMPILE_CACHE: COMPILADO, ...process.env, ...input.env, ...noPostgres };
  const found = globSync(files).sort();
  const parts = numProcesso
    ? [{ nome: titulo, paths: found }]
    : found.map((nome) => ({ nome, paths: [nome] }));
  const terminada: Terminada = { corrida, ok: true, saida, medidas: [] };
  for (const { nome, paths } of parts) {
    const startedAt = performance.now();
    writeFileSync(saida, `${ARQUIVO}${nome}\n`, { flag: 'a' });
    const argumentos = [
      ...(numProcesso ? NUM_PROCESSO : []),
      ...[SEM_MAGLEV, TERMINA, `--test-timeout=${LIMITE_MS}`],
      ...process.argv.slice(2),
      ...paths,
    ];
    const ok = await executar({ nome, argumentos, env, saida, limiteMs: LIMITE_MS + 60_000 });
    terminada.ok &&= ok;
    terminada.medidas.push({ nome, corrida, segundos: (performance.now() - startedAt) / 1_000 });
  }
  return terminada;
}

async function mostrar({ corrida, saida }: Terminada): Promise<void> {
  console.log(`▶ ${corrida.titulo}`);
  const text = createReadStream(saida);
  text.pipe(process.stdout, { end: false });
  await finished(text);
}

/** What failed, once more, for who looks at the end only. */
function showFalhas({ corrida, saida }: Terminada): void {
  for (const text of readFileSync(saida, 'utf8').split(ARQUIVO)) {
    const [nome = ''] = text.split('\n');
    const at = text.indexOf(FALHAS);
    // Sums are counted once, by who adds up the lines that begin so.
    if (at >= 0)
      console.log(`▶ o que falhou: ${corrida.titulo}, ${nome}\n${text.slice(at).replaceAll(/^ℹ/gm, ' ℹ')}`);
  }
}

/** Where the time has gone: each run by itself, and the slowest files among all. */
function showTempos(terminadas: readonly Terminada[]): void {
  const sum = (medidas: readonly Medida[]) => medidas.reduce((all, { segundos }) => all + segundos, 0);
  const line = (segundos: number, text: string) =>
    console.log(`${segundos.toFixed(0).padStart(6)} s  ${text}`);
  const all = terminadas.flatMap(({ medidas }) => medidas);
  console.log(`▶ tempos: ${sum(all).toFixed(0)} s de corridas, e as mais longas delas`);
  for (const { corrida, medidas } of terminadas.toSorted((a, b) => sum(b.medidas) - sum(a.medidas)))
    line(sum(medidas), corrida.titulo);
  console.log('▶ os arquivos mais demorados');
  for (const { nome, corrida, segundos } of all.sort((a, b) => b.segundos - a.segundos).slice(0, LENTOS))
    line(segundos, `${nome} (${corrida.motor})`);
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
  await Promise.all(Array.from({ length: Math.min(JUNTAS_MAX, availableParallelism() + 2) }, umaPorVez));
  return terminadas;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    encerrarTudo();
    process.exit(1);
  });
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
  showTempos(terminadas);
  for (const terminada of terminadas) if (!terminada.ok) showFalhas(terminada);
  process.exitCode = terminadas.every(({ ok }) => ok) ? 0 : 1;
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
