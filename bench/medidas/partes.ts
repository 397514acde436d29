/**
 * The parts of an import alone, each against what other programs take on the same bytes: unpacking against `unzip -p`,
 * writing against plain rows (`insert` into SQLite, `COPY` into PostgreSQL), durable uploads against `fdatasync`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { comprimir } from '../../src/documentos/bytes/conteudo.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import type { PecaLida } from '../../src/documentos/tipos.ts';
import { TRANSACAO_PECAS } from '../../src/importacao/limites.ts';
import { readContent } from '../../src/importacao/reading/leitor.ts';
import { loadEsquemas } from '../../src/importacao/standards/esquemas-instalados.ts';
import { entradasDe } from '../../src/importacao/unpack/entradas.ts';
import { createEscritorio, startMalote, upload, withDeps } from '../../test/support/malote.ts';
import { adoptBanco, releaseBanco } from '../../test/support/motor.ts';
import { createBanco, semPostgres } from '../../test/support/postgres/banco.ts';
import type { Conjunto } from '../conjunto.ts';
import { middle, shortestRun } from '../melhor.ts';
import type { Linha, Resultado } from '../razoes.ts';

const TURNS = 3;
const ENVIOS = 200;
const SYNC_BYTES = 4_096;
const AMBIENTE = { MALOTE_LIMITE_MINUTO: '0', MALOTE_LOG: 'warn' };

type Guardavel = Extract<PecaLida, { kind: 'registro' }>;

/** @param input.nucleo documents a second of the fiscal core in one thread; `importacao`: of the whole chain on SQLite */
export async function measurePartes(
  conjunto: Conjunto,
  input: { pasta: string; nucleo: number; importacao: number },
): Promise<Resultado> {
  const pasta = join(input.pasta, 'partes');
  mkdirSync(pasta, { recursive: true });
  const pecas = lidas(conjunto, pasta);
  const descompactada = await descompactar(conjunto, pasta);
  const noSqlite = await gravar({ pecas, conjunto, pasta, motor: 'SQLite' });
  const noPostgres = await gravar({ pecas, conjunto, pasta, motor: 'PostgreSQL' });
  const cofre = noSqlite.at(-1)?.valor ?? Number.NaN;
  const maisLenta = Math.min(input.nucleo, cofre);
  const razao = input.importacao / maisLenta;
  return {
    titulo: 'Partes da importação, cada uma sozinha',
    linhas: [
      ...descompactada,
      ...noSqlite,
      row(
        'a importação inteira',
        input.importacao,
        `${razao.toFixed(2)}x a mais lenta de duas partes sozinhas, ${maisLenta === cofre ? 'o cofre em SQLite' : 'o núcleo fiscal'} (${maisLenta.toFixed(0)} docs/s)`,
      ),
      ...noPostgres,
      ...(await enviar(conjunto, pasta)),
    ],
    razoes: { importacao_sobre_etapa_mais_lenta: razao },
    motivos: {},
  };
}

function lidas({ documentos }: Conjunto, dataFolder: string): Guardavel[] {
  const validador = loadEsquemas({ dataFolder });
  return documentos.flatMap(({ nome, bytes }) =>
    readContent({ caminho: nome, bytes }, { validador }).flatMap((peca) =>
      peca.kind === 'registro' ? [peca] : [],
    ),
  );
}

const row = (oQue: string, valor: number, nota = ''): Linha => ({ oQue, valor, unidade: 'docs/s', nota });

async function secondsOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1_000;
}

async function descompactar({ zip, documentos }: Conjunto, pasta: string): Promise<Linha[]> {
  const file = join(pasta, 'envio.zip');
  writeFileSync(file, zip);
  const unzip = () =>
    spawnSync('unzip', ['-p', file], { stdio: ['ignore', 'ignore', 'ignore'] }).error === undefined;
  const unpack = async () => {
    let count = 0;
    for await (const entrada of entradasDe({ bytes: zip, prontas: 0 })) if ('bytes' in entrada) count++;
    if (count !== documentos.length)
      throw new Error(`${count} of ${documentos.length} entries were unpacked`);
  };
  await unpack();
  const own: number[] = [];
  const other: number[] = [];
  const installed = unzip();
  for (let i = 0; i < TURNS; i++) {
    if (installed) other.push(documentos.length / shortestRun(unzip));
    own.push(documentos.length / (await secondsOf(unpack)));
  }
  const linhas = installed ? [row('unzip -p, um zip', middle(other), 'com o início do processo')] : [];
  const nota = installed
    ? `${(middle(own) / middle(other)).toFixed(2)}x unzip -p`
    : 'unzip não está instalado';
  return [...linhas, row('Malote: descompactar', middle(own), nota)];
}

/** The vault without reading, in transactions as an import makes them, and the bytes alone as plain rows. */
async function gravar(input: {
  pecas: readonly Guardavel[];
  conjunto: Conjunto;
  pasta: string;
  motor: 'SQLite' | 'PostgreSQL';
}): Promise<Linha[]> {
  const { pecas, motor, pasta } = input;
  if (motor === 'PostgreSQL' && (await semPostgres()) !== null) return [];
  const dataFolder = join(pasta, motor);
  const banco = motor === 'PostgreSQL' ? await createBanco() : null;
  if (banco) adoptBanco(dataFolder, banco);
  try {
    const own: number[] = [];
    const plain: number[] = [];
    const simples = pecas.map(({ registro, conteudo }) => ({
      chave: registro.chave,
      bytes: comprimir(conteudo).bytes,
    }));
    for (let turn = 0; turn < TURNS; turn++) {
      plain.push(
        banco
          ? await copiar(simples, { url: banco.urlDoAdministrador, pasta })
          : inserir(simples, join(pasta, `linhas-${turn}.sqlite`)),
      );
      own.push(await noCofre({ ...input, dataFolder, crm: String(turn + 1) }));
    }
    const [ours, base] = [pecas.length / middle(own), pecas.length / middle(plain)];
    const what = banco ? 'COPY para o PostgreSQL' : 'insert no SQLite';
    const porTransacao = TRANSACAO_PECAS[banco ? 'postgres' : 'sqlite'];
    return [
      row(`${what}: chave e bytes`, base, `uma tabela sem índices, ${porTransacao} por transação`),
      row(
        `Malote: o cofre em ${motor}`,
        ours,
        `${(ours / base).toFixed(2)}x; documento, versão, participantes, entradas com NSU, índices`,
      ),
    ];
  } finally {
    await releaseBanco(dataFolder);
  }
}

/** Seconds of the vault for all pieces, in an office of its own. */
async function noCofre(input: {
  pecas: readonly Guardavel[];
  conjunto: Conjunto;
  dataFolder: string;
  crm: string;
}): Promise<number> {
  const { pecas, conjunto, dataFolder, crm } = input;
  const clientes = conjunto.clientes.map(({ cpfCnpj }) => cpfCnpj);
  const { contadorId } = await createEscritorio(dataFolder, { crm, clientes });
  return withDeps(dataFolder, ({ db, clock }) =>
    secondsOf(async () => {
      const each = TRANSACAO_PECAS[db.engine];
      for (let at = 0; at < pecas.length; at += each) {
        const lotes = [{ arquivoNumero: 1, contadorId, pecas: pecas.slice(at, at + each) }];
        await db.write
          .transaction()
          .execute((trx) => storeLotes(trx, { lotes, agora: clock.now(), homologacao: false }));
      }
    }),
  );
}

/** What the plain rows are: a key, and the document compressed by itself. */
interface Simples {
  chave: string;
  bytes: Uint8Array;
}

function inserir(linhas: readonly Simples[], file: string): number {
  const database = new DatabaseSync(file);
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table linha (id integer primary key, chave text, bytes blob)',
  );
  const insert = database.prepare('insert into linha (chave, bytes) values (?, ?)');
  const startedAt = performance.now();
  const each = TRANSACAO_PECAS.sqlite;
  for (let at = 0; at < linhas.length; at += each) {
    database.exec('begin immediate');
    for (const { chave, bytes } of linhas.slice(at, at + each)) insert.run(chave, bytes);
    database.exec('commit');
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  database.close();
  return seconds;
}

/** The server reads a file of its own machine: nothing is between it and the rows. */
async function copiar(
  linhas: readonly Simples[],
  { url, pasta }: { url: string; pasta: string },
): Promise<number> {
  // Who runs the server has to come to it.
  for (const folder of [pasta, join(pasta, '..')]) chmodSync(folder, 0o755);
  const files: string[] = [];
  const each = TRANSACAO_PECAS.postgres;
  for (let at = 0; at < linhas.length; at += each) {
    const file = join(pasta, `copy-${files.length}.txt`);
    const lines = linhas
      .slice(at, at + each)
      .map(({ chave, bytes }) => `${chave}\t\\\\x${Buffer.from(bytes).toString('hex')}\n`);
    writeFileSync(file, lines.join(''), { mode: 0o644 });
    files.push(file);
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      'drop table if exists linha; create table linha (id bigserial, chave text, bytes bytea)',
    );
    return await secondsOf(async () => {
      for (const file of files) await client.query(`copy linha (chave, bytes) from '${file}'`);
    });
  } finally {
    await client.end();
  }
}

/** Uploads of one document each, one behind the other, and what the disk makes durable in the same way. */
async function enviar(conjunto: Conjunto, pasta: string): Promise<Linha[]> {
  const dataFolder = join(pasta, 'envios');
  const { token } = await createEscritorio(dataFolder, { crm: '1' });
  await using malote = await startMalote({ dataFolder, env: AMBIENTE, medido: true });
  const part = conjunto.documentos.slice(0, ENVIOS);
  await upload(malote, { token, bytes: Buffer.from('<nada/>'), extension: '.xml' });
  const syncs = sincronizar(join(dataFolder, 'sync'));
  const seconds = await secondsOf(async () => {
    for (const { bytes } of part) await upload(malote, { token, bytes, extension: '.xml' });
  });
  const perSecond = part.length / seconds;
  return [
    { oQue: 'fdatasync de 4 KB', valor: syncs, unidade: 'por s', nota: 'um arquivo, um depois do outro' },
    {
      oQue: 'Malote: envios duráveis, um por vez',
      valor: perSecond,
      unidade: 'por s',
      nota: `bilhete e PUT por HTTP, enquanto os anteriores são importados; ${(perSecond / syncs).toFixed(2)}x fdatasync`,
    },
  ];
}

/** Durable writes a second. */
function sincronizar(file: string): number {
  const fd = openSync(file, 'w');
  const block = Buffer.alloc(SYNC_BYTES, 1);
  const startedAt = performance.now();
  for (let i = 0; i < ENVIOS; i++) {
    writeSync(fd, block);
    fdatasyncSync(fd);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  closeSync(fd);
  return ENVIOS / seconds;
}
