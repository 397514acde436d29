/**
 * `npm run bench:nsu`: what it costs to number entries without holes, and what it would cost not to. On a real
 * PostgreSQL (`MALOTE_TESTE_POSTGRES`, else one of the machine or of npm), writers commit batches and one poller reads
 * `nsu > last` of the hottest client all the time, as an integrator does:
 *
 * - `contador`: the client's counter row, taken last in the transaction, as Malote does it;
 * - `sequência`: numbers of a sequence, one for all clients.
 *
 * Both for one hot client and for a thousand. What a transaction does besides (up to 15 ms) stands before the
 * numbering with the counter, and between numbering and commit with the sequence, which hands numbers out at insertion.
 * `-- --json` prints one object; `-- --segundos n --conexoes n --lote n` change the run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { servidorDeTeste } from '../test/support/postgres/servidor.ts';
import { descreverMaquina } from './maquina.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    segundos: { type: 'string', default: '8' },
    conexoes: { type: 'string', default: '8' },
    lote: { type: 'string', default: '20' },
  },
});
const SECONDS = Number(values.segundos);
const WRITERS = Number(values.conexoes);
const BATCH = Number(values.lote);
/** Simulated work of a transaction, ms. */
const WORK_UP_TO_MS = 15;
const MANY = 1_000;
const BANCO = `malote_bench_nsu_${process.pid}`;
const META = 'x'.repeat(400);

type Modo = 'contador' | 'sequencia';

interface Medida {
  modo: Modo;
  clientes: number;
  /** ms of work in each transaction, at most. */
  trabalhoMs: number;
  entradasPorSegundo: number;
  transacoesPorSegundo: number;
  /** How long one transaction takes, ms. */
  medianaMs: number;
  p99Ms: number;
  /** The hottest client's entries: committed, seen by the poller, and the difference. */
  confirmadas: number;
  vistas: number;
  perdidas: number;
  /** Numbers that nobody has. */
  buracos: number;
}

async function measure(url: string, run: Pick<Medida, 'modo' | 'clientes' | 'trabalhoMs'>): Promise<Medida> {
  const admin = await connect(url);
  await admin.query(
    `drop table if exists entrada, contador; drop sequence if exists nsu;
     create table contador (cliente bigint primary key, n bigint not null default 0) with (fillfactor = 50);
     create table entrada (cliente bigint, nsu bigint, meta text, primary key (cliente, nsu));
     create sequence nsu;
     insert into contador select c, 0 from generate_series(1, ${run.clientes}) as c;`,
  );
  const end = performance.now() + SECONDS * 1_000;
  const poller = poll(url, end);
  const times = (await Promise.all(Array.from({ length: WRITERS }, () => write(url, run, end)))).flat();
  const seen = await poller;
  const { rows } = await admin.query<{ n: string; maior: string }>(
    'select count(*) as n, coalesce(max(nsu), 0) as maior from entrada where cliente = 1',
  );
  await admin.end();
  times.sort((a, b) => a - b);
  const confirmadas = Number(rows[0]?.n);
  return {
    ...run,
    entradasPorSegundo: Math.round((times.length * BATCH) / SECONDS),
    transacoesPorSegundo: Math.round(times.length / SECONDS),
    medianaMs: round(times[Math.floor(times.length / 2)] ?? 0),
    p99Ms: round(times[Math.floor(times.length * 0.99)] ?? 0),
    confirmadas,
    vistas: seen,
    perdidas: confirmadas - seen,
    buracos: run.clientes === 1 ? Number(rows[0]?.maior) - confirmadas : 0,
  };
}

/** Commits batches until the end. @returns how long each took, ms */
async function write(
  url: string,
  { modo, clientes, trabalhoMs }: Pick<Medida, 'modo' | 'clientes' | 'trabalhoMs'>,
  end: number,
): Promise<number[]> {
  const client = await connect(url);
  const times: number[] = [];
  const work = () => (trabalhoMs > 0 ? sleep(Math.random() * trabalhoMs) : Promise.resolve());
  while (performance.now() < end) {
    // Every tenth batch is of the client that is watched.
    const cliente = clientes === 1 || Math.random() < 0.1 ? 1 : 1 + Math.floor(Math.random() * clientes);
    const startedAt = performance.now();
    await client.query('begin');
    if (modo === 'contador') {
      await work();
      const { rows } = await client.query<{ n: string }>(
        'update contador set n = n + $2 where cliente = $1 returning n',
        [cliente, BATCH],
      );
      const last = Number(rows[0]?.n);
      await client.query(
        'insert into entrada select $1, n, $4 from generate_series($2::bigint, $3::bigint) as n',
        [cliente, last - BATCH + 1, last, META],
      );
    } else {
      await client.query(
        "insert into entrada select $1, nextval('nsu'), $3 from generate_series(1, $2::int)",
        [cliente, BATCH, META],
      );
      await work();
    }
    await client.query('commit');
    times.push(performance.now() - startedAt);
  }
  await client.end();
  return times;
}

/** Follows the first client as an integrator does. @returns how many entries it has seen */
async function poll(url: string, end: number): Promise<number> {
  const client = await connect(url);
  let [last, seen] = [0, 0];
  for (;;) {
    const over = performance.now() > end + 500;
    const { rows } = await client.query<{ nsu: string }>(
      'select nsu from entrada where cliente = 1 and nsu > $1 order by nsu limit 500',
      [last],
    );
    seen += rows.length;
    last = Number(rows.at(-1)?.nsu ?? last);
    if (over && rows.length === 0) break;
    if (rows.length === 0) await sleep(2);
  }
  await client.end();
  return seen;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const round = (ms: number) => Math.round(ms * 10) / 10;

function table(medidas: readonly Medida[]): string {
  const head =
    '| numeração | clientes | trabalho | entradas/s | transações/s | mediana | p99 | confirmadas | perdidas pelo leitor | buracos |';
  const lines = medidas.map((m) =>
    [
      '',
      m.modo,
      m.clientes,
      m.trabalhoMs === 0 ? 'nenhum' : `até ${m.trabalhoMs} ms`,
      m.entradasPorSegundo,
      m.transacoesPorSegundo,
      `${m.medianaMs} ms`,
      `${m.p99Ms} ms`,
      m.confirmadas,
      m.perdidas,
      m.clientes === 1 ? m.buracos : '—',
      '',
    ]
      .join(' | ')
      .trim(),
  );
  return [head, '|---|---:|---|---:|---:|---:|---:|---:|---:|---:|', ...lines].join('\n');
}

const servidor = await servidorDeTeste('medida');
if (servidor.url === null) {
  console.error(`bench:nsu precisa de um PostgreSQL: ${servidor.motivo}`);
  process.exit(1);
}
const admin = await connect(servidor.url);
await admin.query(`create database ${BANCO}`);
const url = servidor.url.replace(/^(\w+:\/\/[^/]*)\/[^?]*/, `$1/${BANCO}`);
try {
  const medidas: Medida[] = [];
  for (const trabalhoMs of [0, WORK_UP_TO_MS]) {
    for (const clientes of [1, MANY]) {
      for (const modo of ['sequencia', 'contador'] as const) {
        process.stderr.write(`${modo}, ${clientes} cliente(s), trabalho até ${trabalhoMs} ms …\n`);
        medidas.push(await measure(url, { modo, clientes, trabalhoMs }));
      }
    }
  }
  const { rows } = await admin.query<{ v: string; f: string }>(
    "select current_setting('server_version') as v, current_setting('fsync') as f",
  );
  const maquina = descreverMaquina();
  const run = { segundos: SECONDS, conexoes: WRITERS, lote: BATCH, postgres: rows[0]?.v, fsync: rows[0]?.f };
  if (values.json) console.log(JSON.stringify({ maquina, ...run, medidas }, null, 2));
  else {
    console.log(
      `\nPostgreSQL ${run.postgres} (fsync ${run.fsync}), ${WRITERS} conexões, ${SECONDS} s por linha, lotes de ${BATCH}; ${maquina.processador}, ${maquina.nucleos} núcleos\n\n${table(medidas)}`,
    );
  }
} finally {
  await admin.query(`drop database if exists ${BANCO} with (force)`);
  await admin.end();
  await servidor.stop();
}
