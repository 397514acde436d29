import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createEscritorio, type Malote, upload } from '../../test/support/malote.ts';
import { adoptBanco, releaseBanco } from '../../test/support/motor.ts';
import { type BancoDePostgres, createBanco, semPostgres } from '../../test/support/postgres/banco.ts';
import { type Conjunto, clientesDe } from '../conjunto.ts';
import { lacoMs, peakMemory, perguntarPeloArquivo, readMetrics, startMeasured } from '../observar.ts';
import type { Linha, Resultado } from '../razoes.ts';
import {
  type Bases,
  type Corrida,
  type CorridaDoMeio,
  linhaDaPrimeira,
  linhasDaImportacao,
  linhasDoTempo,
  sobreNativo,
} from './importacao-linhas.ts';

/**
 * How exactly the end of an import is known. Each question takes a millisecond of the cores that import: asked more often,
 * they would cost more than they tell.
 */
const POLL_MS = 25;
/** Nobody asks before this part of the shortest time that the same zip has taken. */
const UNASKED_PART = 0.75;
/** How often a file is asked about whose time does not count. */
const RECHECK_MS = 200;
const DEADLINE_MS = 10 * 60_000;
const RECEITAS_EM_MS = 120_000;
/**
 * Imports of the same zip, each in an office of its own, where all of it is new; the middle one counts. There are so many
 * because single ones differ by a half on virtual machines: fewer would tell of the moment and not of the service.
 */
const TURNS = 9;
const turnsOf = ({ breve }: Pedido) => (breve ? 2 : TURNS);

interface Trabalho {
  arquivos: number;
  /** Seconds of work by step. */
  etapas: Record<string, number>;
}

/** What the process has worked off since its start. */
async function trabalhoFeito(malote: Malote): Promise<Trabalho> {
  const feito: Trabalho = { arquivos: 0, etapas: {} };
  for (const [name, value] of await readMetrics(malote)) {
    const step = /^malote_importacao_segundos_total\{etapa="(\w+)"\}$/.exec(name)?.[1];
    if (step) feito.etapas[step] = value;
    if (name.startsWith('malote_importacao_arquivos_total')) feito.arquivos += value;
  }
  return feito;
}

/** Seconds of one file's work by step; the import thread tells them once a second, with the finished file. */
async function stepSeconds(malote: Malote, antes: Trabalho): Promise<Record<string, number>> {
  for (;;) {
    const { arquivos, etapas } = await trabalhoFeito(malote);
    if (arquivos > antes.arquivos) {
      return Object.fromEntries(
        Object.entries(etapas).map(([step, seconds]) => [step, seconds - (antes.etapas[step] ?? 0)]),
      );
    }
    await pause(RECHECK_MS);
  }
}

async function importZip(
  malote: Malote,
  input: { token: string; zip: Buffer; unaskedMs?: number },
): Promise<Corrida> {
  const { token, zip, unaskedMs = 0 } = input;
  const antes = await trabalhoFeito(malote);
  const sentAt = performance.now();
  const id = await upload(malote, { token, bytes: zip, extension: '.zip' });
  const acceptedAt = performance.now();
  await pause(unaskedMs);
  for (;;) {
    const { status, log } = await perguntarPeloArquivo(malote, { id, token });
    if (status === 'Uploaded') break;
    if (status === 'Com Erro') throw new Error(`the import failed: ${log}`);
    if (performance.now() - acceptedAt > DEADLINE_MS) throw new Error('the import does not end');
    await pause(POLL_MS);
  }
  const segundos = (performance.now() - acceptedAt) / 1000;
  const metrics = await readMetrics(malote);
  const etapas = await stepSeconds(malote, antes);
  return {
    segundos,
    putSegundos: (acceptedAt - sentAt) / 1000,
    picoBytes: peakMemory(malote),
    etapas,
    lacoP99Ms: lacoMs(metrics, 'p99'),
    lacoMaxMs: lacoMs(metrics, 'max'),
  };
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Recipes take the place of uploads some seconds after the import: waits until none is there any more, or gives up. */
export async function semEnvios(dataFolder: string): Promise<void> {
  const startedAt = performance.now();
  while (folderBytes(join(dataFolder, 'arquivos')) > 0) {
    if (performance.now() - startedAt > RECEITAS_EM_MS) return;
    await pause(RECHECK_MS);
  }
}

/**
 * Warms the service up as it is when it runs all day: code has been compiled on the first documents. As many of them as are
 * counted: with 1,500 on PostgreSQL, the first of five imports had three times as much left to compile as the others. What
 * the first import of a process takes is told beside it.
 */
async function aquecer(malote: Malote, input: { token: string; aquecimento: Conjunto }): Promise<void> {
  await importZip(malote, { token: input.token, zip: input.aquecimento.zip });
}

interface Pedido {
  pasta: string;
  nucleos: number;
  /** Imported before, in an office of its own. */
  aquecimento: Conjunto;
  /** A month with all that an office gets. */
  mes: Conjunto;
  bases: Bases;
  /** A trial. */
  breve: boolean;
}

/** @returns seconds */
function shortest(corridas: readonly Corrida[]): number {
  return Math.min(...corridas.map(({ segundos }) => segundos));
}

/** The middle one by its time; of delays and memory the worst of all. */
function middleRun(corridas: readonly Corrida[]): CorridaDoMeio {
  const middle = corridas.toSorted((a, b) => a.segundos - b.segundos)[corridas.length >> 1];
  if (!middle) throw new Error('nothing was imported');
  const worst = (of: (corrida: Corrida) => number) => Math.max(...corridas.map(of));
  return {
    ...middle,
    extremos: [shortest(corridas), worst(({ segundos }) => segundos)],
    quantas: corridas.length,
    picoBytes: middle.picoBytes === null ? null : worst(({ picoBytes }) => picoBytes ?? 0),
    lacoP99Ms: worst(({ lacoP99Ms }) => lacoP99Ms),
    lacoMaxMs: worst(({ lacoMaxMs }) => lacoMaxMs),
  };
}

/** One zip through the real service, several times: uploaded over HTTP, imported, every document delivered durably. */
async function correr(
  conjunto: Conjunto,
  input: Pedido & { dataFolder: string; antesDeParar?: () => Promise<void> },
): Promise<CorridaDoMeio> {
  const { dataFolder, aquecimento } = input;
  const outro = await createEscritorio(dataFolder, { crm: '2', clientes: clientesDe(aquecimento) });
  const escritorios: { token: string }[] = [];
  for (let turn = 0; turn < turnsOf(input); turn++) {
    const crm = `1${turn}`;
    escritorios.push(await createEscritorio(dataFolder, { crm, clientes: clientesDe(conjunto) }));
  }
  const malote = await startMeasured(dataFolder);
  try {
    await aquecer(malote, { token: outro.token, aquecimento });
    const corridas: Corrida[] = [];
    for (const { token } of escritorios) {
      const unaskedMs = corridas.length === 0 ? 0 : UNASKED_PART * 1000 * shortest(corridas);
      corridas.push(await importZip(malote, { token, zip: conjunto.zip, unaskedMs }));
    }
    await input.antesDeParar?.();
    return middleRun(corridas);
  } finally {
    await malote.stop();
  }
}

/** An office's month in a process of its own: what else it has than notes is not told by them. */
async function linhaDoMes(input: Pedido & { dataFolder: string }): Promise<Linha> {
  const { segundos } = await correr(input.mes, input);
  const count = input.mes.documentos.length;
  return {
    oQue: 'um mês de um escritório, por núcleo',
    valor: count / segundos / input.nucleos,
    unidade: 'docs/s',
    nota: `${count} documentos: notas com eventos e inutilizações, CT-e, NFS-e e CF-e SAT`,
  };
}

/** The first zip of a process. @returns seconds */
async function primeiraDoProcesso(
  conjunto: Conjunto,
  { dataFolder }: { dataFolder: string },
): Promise<number> {
  const { token } = await createEscritorio(dataFolder, { crm: '1', clientes: clientesDe(conjunto) });
  const malote = await startMeasured(dataFolder);
  try {
    const { segundos } = await importZip(malote, { token, zip: conjunto.zip });
    return segundos;
  } finally {
    await malote.stop();
  }
}

/** On SQLite, with the memory and the disk that it takes, once recipes have taken the place of the uploads. */
export async function measureImportacao(
  conjunto: Conjunto,
  input: Pedido,
): Promise<{ docsPorSegundo: number; resultado: Resultado }> {
  const dataFolder = join(input.pasta, 'dados');
  const corrida = await correr(conjunto, {
    ...input,
    dataFolder,
    antesDeParar: async () => {
      if (!input.breve) await semEnvios(dataFolder);
    },
  });
  const { segundos } = corrida;
  const primeira = await primeiraDoProcesso(conjunto, { dataFolder: join(input.pasta, 'dados-da-primeira') });
  const mes = await linhaDoMes({ ...input, dataFolder: join(input.pasta, 'dados-do-mes') });
  const disco = folderBytes(dataFolder);
  const xmlBytes = turnsOf(input) * conjunto.xmlBytes + input.aquecimento.xmlBytes;
  const perSecond = conjunto.documentos.length / segundos;
  const conferir = sobreNativo(perSecond / input.nucleos, input.bases);
  const resultado: Resultado = {
    titulo: 'Importação pelo serviço (SQLite, HTTP, durável)',
    linhas: [
      ...linhasDaImportacao({
        conjunto,
        corrida,
        nucleos: input.nucleos,
        bases: input.bases,
        disco,
        xmlBytes,
      }),
      ...conferir.linhas,
      linhaDaPrimeira(conjunto, primeira),
      mes,
    ],
    razoes: {
      ...(conferir.valor === null ? {} : { importacao_sqlite_sobre_nativo: conferir.valor }),
      disco_sobre_xml: disco / xmlBytes,
    },
    motivos: {},
  };
  return { docsPorSegundo: perSecond, resultado };
}

async function fsyncDe({ urlDoAdministrador }: BancoDePostgres): Promise<string> {
  const client = new pg.Client(urlDoAdministrador);
  await client.connect();
  try {
    const { rows } = await client.query<{ fsync: string }>('show fsync');
    return rows[0]?.fsync ?? '?';
  } finally {
    await client.end();
  }
}

/** In a database of its own. */
async function noPostgres<T>(
  input: Pedido,
  {
    nome,
    medir,
  }: { nome: string; medir: (input: Pedido & { dataFolder: string }, banco: BancoDePostgres) => Promise<T> },
): Promise<T> {
  const dataFolder = join(input.pasta, nome);
  const banco = await createBanco();
  adoptBanco(dataFolder, banco);
  try {
    return await medir({ ...input, dataFolder }, banco);
  } finally {
    await releaseBanco(dataFolder);
  }
}

/** What is told beside the ratio, and a trial has seen on SQLite: each takes a process of its own. */
async function outrasNoPostgres(conjunto: Conjunto, input: Pedido): Promise<Linha[]> {
  const primeira = await noPostgres(input, {
    nome: 'dados-da-primeira-no-postgres',
    medir: (proprio) => primeiraDoProcesso(conjunto, proprio),
  });
  const mes = await noPostgres(input, { nome: 'dados-do-mes-no-postgres', medir: linhaDoMes });
  return [linhaDaPrimeira(conjunto, primeira), mes];
}

/** The same on a PostgreSQL of this machine, with its durability as it comes. */
export async function measureImportacaoInPostgres(conjunto: Conjunto, input: Pedido): Promise<Resultado> {
  const titulo = 'Importação pelo serviço (PostgreSQL, HTTP, durável)';
  const motivo = await semPostgres();
  if (motivo !== null) {
    return { titulo, linhas: [], razoes: {}, motivos: { importacao_postgres_sobre_nativo: motivo } };
  }
  const { fsync, ...corrida } = await noPostgres(input, {
    nome: 'dados-postgres',
    medir: async (proprio, banco) => ({ fsync: await fsyncDe(banco), ...(await correr(conjunto, proprio)) }),
  });
  const { segundos } = corrida;
  const outras = input.breve ? [] : await outrasNoPostgres(conjunto, input);
  const conferir = sobreNativo(conjunto.documentos.length / segundos / input.nucleos, input.bases);
  return {
    titulo,
    linhas: [
      ...linhasDoTempo(
        { conjunto, corrida, nucleos: input.nucleos },
        { contra: `servidor com fsync ${fsync}`, nucleos: ', com o servidor do banco' },
      ),
      ...conferir.linhas,
      ...outras,
    ],
    razoes: conferir.valor === null ? {} : { importacao_postgres_sobre_nativo: conferir.valor },
    motivos: {},
  };
}
