import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createEscritorio, fetchJson, type Malote, startMalote, upload } from '../../test/support/malote.ts';
import type { Conjunto } from '../conjunto.ts';
import { peakMemory, readMetrics } from '../observar.ts';
import type { Linha, Resultado } from '../razoes.ts';

const POLL_MS = 20;
const DEADLINE_MS = 10 * 60_000;
const MB = 1e6;

interface Corrida {
  /** From the answer to the PUT to `Uploaded`. */
  segundos: number;
  putSegundos: number;
  picoBytes: number | null;
  /** Seconds of work by step. */
  etapas: Record<string, number>;
  lacoP99Ms: number;
  lacoMaxMs: number;
}

/** Seconds of work by step; the import thread tells them once a second, with the finished file. */
async function stepSeconds(malote: Malote): Promise<Record<string, number>> {
  for (;;) {
    const metrics = [...(await readMetrics(malote))];
    const etapas = metrics.flatMap(([name, value]): [string, number][] => {
      const step = /^malote_importacao_segundos_total\{etapa="(\w+)"\}$/.exec(name)?.[1];
      return step ? [[step, value]] : [];
    });
    if (metrics.some(([name, value]) => name.startsWith('malote_importacao_arquivos_total') && value > 0))
      return Object.fromEntries(etapas);
    await pause(10 * POLL_MS);
  }
}

async function importZip(malote: Malote, input: { token: string; zip: Buffer }): Promise<Corrida> {
  const { token, zip } = input;
  await readMetrics(malote);
  const sentAt = performance.now();
  const id = await upload(malote, { token, bytes: zip, extension: '.zip' });
  const acceptedAt = performance.now();
  for (;;) {
    const { body } = await fetchJson(`${malote.url}/storage/arquivo/${id}`, { token });
    if (body.status === 'Uploaded') break;
    if (body.status === 'Com Erro') throw new Error(`the import failed: ${body.log}`);
    if (performance.now() - acceptedAt > DEADLINE_MS) throw new Error('the import does not end');
    await pause(POLL_MS);
  }
  const segundos = (performance.now() - acceptedAt) / 1000;
  const metrics = await readMetrics(malote);
  const etapas = await stepSeconds(malote);
  return {
    segundos,
    putSegundos: (acceptedAt - sentAt) / 1000,
    picoBytes: peakMemory(malote),
    etapas,
    lacoP99Ms: (metrics.get('nodejs_eventloop_lag_p99_seconds') ?? Number.NaN) * 1000,
    lacoMaxMs: (metrics.get('nodejs_eventloop_lag_max_seconds') ?? Number.NaN) * 1000,
  };
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function rows(input: {
  conjunto: Conjunto;
  corrida: Corrida;
  nucleos: number;
  bases: Bases;
  disco: number;
}): Linha[] {
  const { conjunto, corrida, nucleos, bases, disco } = input;
  const count = conjunto.documentos.length;
  const perSecond = count / corrida.segundos;
  const against = [
    bases.xmllint === null ? '' : `${(perSecond / bases.xmllint).toFixed(2)}x xmllint`,
    `${(perSecond / bases.wasm).toFixed(2)}x libxml2-wasm`,
  ].filter(Boolean);
  const work = Object.values(corrida.etapas).reduce((sum, seconds) => sum + seconds, 0);
  return [
    {
      oQue: 'do fim do PUT a Uploaded',
      valor: corrida.segundos,
      unidade: 's',
      nota: `${count} documentos num zip`,
    },
    { oQue: 'documentos por segundo', valor: perSecond, unidade: 'docs/s', nota: against.join(', ') },
    { oQue: 'por núcleo', valor: perSecond / nucleos, unidade: 'docs/s', nota: `${nucleos} núcleos` },
    {
      oQue: 'envio (PUT, com fsync)',
      valor: corrida.putSegundos,
      unidade: 's',
      nota: `${(conjunto.zip.length / MB).toFixed(1)} MB`,
    },
    ...Object.entries(corrida.etapas).map(([step, seconds]) => ({
      oQue: `etapa ${step}`,
      valor: (100 * seconds) / work,
      unidade: '%',
      nota: `${seconds.toFixed(2)} s de trabalho`,
    })),
    ...(corrida.picoBytes === null
      ? []
      : [
          {
            oQue: 'memória de pico',
            valor: corrida.picoBytes / MB,
            unidade: 'MB',
            nota: 'processo inteiro (VmHWM)',
          },
        ]),
    {
      oQue: 'atraso do laço, p99',
      valor: corrida.lacoP99Ms,
      unidade: 'ms',
      nota: 'thread HTTP, inclui 10 ms de amostragem',
    },
    { oQue: 'atraso do laço, máximo', valor: corrida.lacoMaxMs, unidade: 'ms', nota: 'thread HTTP' },
    {
      oQue: 'disco sobre XML',
      valor: disco / conjunto.xmlBytes,
      unidade: 'x',
      nota: `pasta de dados inteira, com o zip enviado; ${(conjunto.xmlBytes / MB).toFixed(1)} MB de XML`,
    },
  ];
}

interface Bases {
  xmllint: number | null;
  wasm: number;
}

/** One zip through the real service on SQLite: uploaded over HTTP, imported, every document delivered durably. */
export async function medirImportacao(
  conjunto: Conjunto,
  input: { pasta: string; nucleos: number; bases: Bases },
): Promise<Resultado> {
  const dataFolder = join(input.pasta, 'dados');
  const clientes = conjunto.clientes.map(({ cpfCnpj }) => cpfCnpj);
  const { token } = await createEscritorio(dataFolder, { crm: '1', clientes });
  const malote = await startMalote({
    dataFolder,
    env: { MALOTE_LEITORES: '0', MALOTE_LIMITE_MINUTO: '0', MALOTE_LOG: 'warn' },
  });
  let corrida: Corrida;
  try {
    corrida = await importZip(malote, { token, zip: conjunto.zip });
  } finally {
    await malote.stop();
  }
  const { segundos, etapas, picoBytes, lacoP99Ms } = corrida;
  const disco = folderBytes(dataFolder);
  const perSecond = conjunto.documentos.length / segundos;
  // Reading is spread over as many threads as there are cores; the other steps have one thread each.
  const slowest = Math.max((etapas.ler ?? 0) / input.nucleos, etapas.descompactar ?? 0, etapas.gravar ?? 0);
  return {
    titulo: 'Importação pelo serviço (SQLite, HTTP, durável)',
    linhas: rows({ conjunto, corrida, nucleos: input.nucleos, bases: input.bases, disco }),
    razoes: {
      importacao_sqlite_docs_s_nucleo: perSecond / input.nucleos,
      importacao_sobre_etapa_mais_lenta: slowest / segundos,
      ...(picoBytes === null ? {} : { memoria_pico_mb: picoBytes / MB }),
      disco_sobre_xml: disco / conjunto.xmlBytes,
      laco_p99_ms: lacoP99Ms,
    },
    motivos: {},
  };
}
