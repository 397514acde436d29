/**
 * Memory and the event loop while the service has the most to do: uploads of nearly 30 MB, one alone and then eight at
 * once, each of an office of its own, while readers take pages with their texts as fast as they come.
 */
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createEscritorio, importFile, type Malote } from '../../test/support/malote.ts';
import { type Conjunto, clientesDe } from '../conjunto.ts';
import { lacoMs, linhaDoPico, peakMemory, readMetrics, startMeasured } from '../observar.ts';
import type { Resultado } from '../razoes.ts';

const ENVIOS = 8;
const LEITORES = 4;
const TAMANHO = 100;
const MB = 1e6;

/** @param input.lidos imported before; its pages are what is read */
export async function measureEnvios(
  conjunto: Conjunto,
  input: { pasta: string; lidos: Conjunto },
): Promise<Resultado> {
  const { lidos } = input;
  const dataFolder = join(input.pasta, 'dados-dos-envios');
  const leitura = await createEscritorio(dataFolder, { crm: '1', clientes: clientesDe(lidos) });
  const tokens: string[] = [];
  for (let turn = 0; turn <= ENVIOS; turn++)
    tokens.push(
      (await createEscritorio(dataFolder, { crm: `2${turn}`, clientes: clientesDe(conjunto) })).token,
    );
  const malote = await startMeasured(dataFolder);
  try {
    await importFile(malote, { token: leitura.token, bytes: lidos.zip, extension: '.zip' });
    const bases = clientesDe(lidos).map((id) => `/api/v1/${leitura.codigoCrm}/${id}/documentos`);
    await using leitores = ler(malote, { token: leitura.token, bases });
    const [primeiro = '', ...demais] = tokens;
    const so = await enviar(malote, [primeiro], conjunto);
    const oito = await enviar(malote, demais, conjunto);
    if (leitores.faltas > 0) throw new Error(`${leitores.faltas} pages were not answered`);
    return resultOf({ conjunto, so, oito, paginas: leitores.paginas, picoBytes: peakMemory(malote) });
  } finally {
    await malote.stop();
  }
}

interface Envio {
  segundos: number;
  lacoP99Ms: number;
}

/** The zip for each of these offices at once, to the end of the last import. */
async function enviar(malote: Malote, tokens: readonly string[], { zip }: Conjunto): Promise<Envio> {
  await readMetrics(malote);
  const startedAt = performance.now();
  await Promise.all(tokens.map((token) => importFile(malote, { token, bytes: zip, extension: '.zip' })));
  const segundos = (performance.now() - startedAt) / 1000;
  return { segundos, lacoP99Ms: lacoMs(await readMetrics(malote), 'p99') };
}

interface Leitores extends AsyncDisposable {
  paginas: number;
  faltas: number;
}

/** Readers that walk through the feeds of these clients, page behind page and round after round, until disposed of. */
function ler(malote: Malote, input: { token: string; bases: readonly string[] }): Leitores {
  const agent = new Agent({ keepAlive: true, maxSockets: LEITORES });
  const headers = { authorization: `Bearer ${input.token}`, 'accept-encoding': 'gzip' };
  const get = (url: string) =>
    new Promise<{ status: number; next: string | null }>((resolve, reject) => {
      request(url, { agent, headers }, (answer) => {
        const next = /<([^>]*)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1] ?? null;
        answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, next }));
      })
        .on('error', reject)
        .end();
    });
  let isOver = false;
  const walk = async (from: number) => {
    for (let at = from; !isOver; at++) {
      const base = input.bases[at % input.bases.length];
      let url: string | null = `${malote.url}${base}/0/novos?Xml=true&Tamanho=${TAMANHO}`;
      while (url !== null && !isOver) {
        const { status, next } = await get(url);
        if (status === 200) leitores.paginas += 1;
        else leitores.faltas += 1;
        url = next;
      }
    }
  };
  const share = Math.ceil(input.bases.length / LEITORES);
  const leitores: Leitores = {
    paginas: 0,
    faltas: 0,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(walks);
      agent.destroy();
    },
  };
  const walks = Array.from({ length: LEITORES }, (_, at) => walk(at * share));
  return leitores;
}

function resultOf(input: {
  conjunto: Conjunto;
  so: Envio;
  oito: Envio;
  paginas: number;
  picoBytes: number | null;
}): Resultado {
  const { conjunto, so, oito, paginas, picoBytes } = input;
  const cada = `${(conjunto.zip.length / MB).toFixed(1)} MB, ${conjunto.documentos.length} documentos`;
  const laco = 'thread HTTP, inclui 5 ms de amostragem';
  return {
    titulo: `Envios grandes enquanto ${LEITORES} leitores pedem páginas com XML sem parar (SQLite)`,
    linhas: [
      { oQue: 'um envio, do bilhete a Uploaded', valor: so.segundos, unidade: 's', nota: cada },
      { oQue: 'atraso do laço, p99', valor: so.lacoP99Ms, unidade: 'ms', nota: laco },
      {
        oQue: `${ENVIOS} envios ao mesmo tempo`,
        valor: oito.segundos,
        unidade: 's',
        nota: `cada um como aquele, de escritórios diferentes; ${paginas} páginas lidas ao todo`,
      },
      { oQue: 'atraso do laço, p99, com todos', valor: oito.lacoP99Ms, unidade: 'ms', nota: laco },
      ...linhaDoPico(picoBytes),
    ],
    razoes: {
      laco_p99_ms: so.lacoP99Ms,
      ...(picoBytes === null ? {} : { memoria_pico_mb: picoBytes / MB }),
    },
    motivos: {},
  };
}
