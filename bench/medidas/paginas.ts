/**
 * Pages of 100 records of `/novos` against nginx, which serves the same bytes as files. Both get 32 connections of wrk on
 * the same cores, round by round.
 * *First* pages begin at an NSU at which nobody has read before. Each is asked for once, after an import that pollers of
 * the feeds were waiting for.
 * *Old* pages are read from a process that has started and come to rest, page behind page, no document twice.
 * A first reading without texts is over in a fifth of a second. It has more feeds of its own, so that the requests that
 * open connections stay fewer than the hundredth behind p99. The same holds for pages in gzip, which most programs take
 * without being told.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createEscritorio,
  fetchJson,
  importFile,
  type Malote,
  startMalote,
} from '../../test/support/malote.ts';
import { CONEXOES, faltaDeFerramenta, type Medida, measureCarga, openNginx } from '../carga.ts';
import type { Conjunto } from '../conjunto.ts';
import { middle } from '../melhor.ts';
import { readMetrics } from '../observar.ts';
import type { Linha, Razao, Resultado } from '../razoes.ts';

const TAMANHO = 100;
/** One page of each so many starts belongs to the sample: served by nginx, and read again and again. */
const AMOSTRA_EACH = 20;
const AMOSTRA_MAX = 40;
/** What is read again and again can be read any number of times: so many rounds for each with pages of its own. */
const REPETIDAS = 3;
/** Within this a process has done what it does at its start. */
const REPOUSO_MS = 2_000;
/** What a process at rest needs of a processor in a second, being asked for its figures. */
const REPOUSO_CPU_S = 0.1;
const ENV = { MALOTE_LIMITE_MINUTO: '0', MALOTE_LOG: 'warn' };
const TITULO = `Páginas de ${TAMANHO} registros de /novos, ${CONEXOES} conexões, contra nginx com os mesmos bytes`;
const FIGURES = [
  'pagina_xml_fria',
  'pagina_xml_quente',
  'pagina_fria',
  'pagina_quente',
  'pagina_xml_antiga',
  'pagina_p99_sobre_mediana',
] as const satisfies readonly Razao[];

interface Mundo {
  malote: Malote;
  pasta: string;
  token: string;
  feeds: Feed[];
  /** Those that are read without texts only. */
  outros: Feed[];
  /** Those that are read without texts and in gzip. */
  emGzip: Feed[];
}

/** Base path of a client and how many entries it has. */
interface Feed {
  base: string;
  total: number;
}

/** @param input.outros further documents, of other clients, for first readings without texts; `emGzip` for those in gzip */
export async function measurePaginas(
  conjunto: Conjunto,
  input: {
    pasta: string;
    segundos: number;
    rodadas: number;
    outros: readonly Conjunto[];
    emGzip: Conjunto;
  },
): Promise<Resultado> {
  const falta = faltaDeFerramenta();
  if (falta !== null) return missing(falta);
  const pasta = join(input.pasta, 'paginas');
  mkdirSync(pasta, { recursive: true });
  const dataFolder = join(pasta, 'dados');
  const proprios = clientesDe([conjunto]);
  const alheios = clientesDe(input.outros, proprios);
  const comprimidos = clientesDe([input.emGzip], [...proprios, ...alheios]);
  const clientes = [...proprios, ...alheios, ...comprimidos];
  const { token, codigoCrm } = await createEscritorio(dataFolder, { crm: '1', clientes });
  const baseOf = (cpfCnpj: string) => `/api/v1/${codigoCrm}/${cpfCnpj}/documentos`;
  const malote = await startMalote({ dataFolder, env: ENV, medido: true });
  let mundo: Mundo = { malote, pasta, token, feeds: [], outros: [], emGzip: [] };
  try {
    for (const cpfCnpj of alheios) await read(mundo, `${baseOf(cpfCnpj)}/0/novos?Tamanho=${TAMANHO}`);
    for (const cpfCnpj of proprios)
      await read(mundo, `${baseOf(cpfCnpj)}/0/novos?Xml=true&Tamanho=${TAMANHO}`);
    for (const cpfCnpj of comprimidos)
      await read(mundo, `${baseOf(cpfCnpj)}/0/novos?Tamanho=${TAMANHO}`, true);
    for (const { zip } of [...input.outros, input.emGzip, conjunto])
      await importFile(malote, { token, bytes: zip, extension: '.zip' });
    await prepared(malote);
    const feedOf = async (cpfCnpj: string): Promise<Feed> => {
      const base = baseOf(cpfCnpj);
      return { base, total: await totalOf(mundo, base) };
    };
    const feeds = await Promise.all(proprios.map(feedOf));
    const outros = await Promise.all(alheios.map(feedOf));
    const emGzip = await Promise.all(comprimidos.map(feedOf));
    mundo = { ...mundo, feeds, outros, emGzip };
    if (feeds.every(({ total }) => total < 2 * TAMANHO))
      return missing('poucos documentos para páginas cheias');
    const recentes = await measureRecent(mundo, input);
    await malote.stop();
    return resultOf(recentes, await measureOld(mundo, input));
  } finally {
    await malote.stop();
  }
}

/** Clients of these documents that are not among others. */
function clientesDe(conjuntos: readonly Conjunto[], outros: readonly string[] = []): string[] {
  const all = conjuntos.flatMap(({ clientes }) => clientes.map(({ cpfCnpj }) => cpfCnpj));
  return [...new Set(all)].filter((cpfCnpj) => !outros.includes(cpfCnpj));
}

function missing(motivo: string): Resultado {
  return {
    titulo: TITULO,
    linhas: [],
    razoes: {},
    motivos: Object.fromEntries(FIGURES.map((name) => [name, motivo])),
  };
}

const headersOf = ({ token }: Mundo, gzip: boolean) => ({
  authorization: `Bearer ${token}`,
  ...(gzip ? { 'accept-encoding': 'gzip' } : {}),
});

const agent = new Agent({ keepAlive: true, maxSockets: CONEXOES });

/** The bytes of an answer as they came; pages with texts always compressed. */
async function read(mundo: Mundo, path: string, gzip = path.includes('Xml=true')): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await receive(mundo, { path, gzip }, (piece) => pieces.push(piece));
  return Buffer.concat(pieces);
}

/** @param take is given what comes, to keep it or not. @throws when it is not a page */
function receive(
  mundo: Mundo,
  { path, gzip }: { path: string; gzip: boolean },
  take: (piece: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = headersOf(mundo, gzip);
    request(mundo.malote.url + path, { headers, agent }, (response) => {
      response.on('data', take);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${path}: ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end();
  });
}

async function totalOf({ malote, token }: Mundo, base: string): Promise<number> {
  const { body } = await fetchJson(`${malote.url}${base}/0/novos?Tamanho=1`, { token });
  return body.total;
}

/** Waits until what is prepared ahead does not grow any more: while nginx answers, the service would go on with it. */
async function prepared(malote: Malote): Promise<void> {
  let [bytesBefore, secondsBefore, quiet] = [-1, 0, 0];
  while (quiet < 3) {
    await pause(1_000);
    const metrics = await readMetrics(malote);
    const bytesOf = (what: string) => metrics.get(`malote_exportacao_preparado_bytes{o_que="${what}"}`) ?? 0;
    const bytes = bytesOf('segmentos') + bytesOf('trechos');
    const seconds = metrics.get('process_cpu_seconds_total') ?? 0;
    quiet = bytes === bytesBefore && seconds - secondsBefore < REPOUSO_CPU_S ? quiet + 1 : 0;
    [bytesBefore, secondsBefore] = [bytes, seconds];
  }
}

type Tipo = 'nginx' | 'nginxXml' | 'fria' | 'friaGzip' | 'quente' | 'xmlFria' | 'xmlQuente';
type Recentes = Record<Tipo, Medida[]> & { bytes: number; bytesXml: number };

async function measureRecent(mundo: Mundo, input: { segundos: number; rodadas: number }): Promise<Recentes> {
  const { ineditas, amostra } = pathsOf(mundo.feeds);
  const { ineditas: outras } = pathsOf(mundo.outros);
  const { ineditas: comprimidas } = pathsOf(mundo.emGzip);
  const sizes = await writeStatic(mundo, amostra);
  await using nginx = await openNginx(mundo.pasta);
  const { pasta, malote } = mundo;
  const load = (url: string, caminhos: readonly string[], gzip: boolean, repetir = true) =>
    measureCarga({
      pasta,
      url,
      caminhos,
      headers: headersOf(mundo, gzip),
      segundos: input.segundos,
      repetir,
    });
  const [semXml, comXml] = [arquivosDe('s', amostra), arquivosDe('x', amostra)];
  const found: Recentes = {
    nginx: [],
    nginxXml: [],
    fria: [],
    friaGzip: [],
    quente: [],
    xmlFria: [],
    xmlQuente: [],
    ...sizes,
  };
  // Each round takes starts of its own, which nobody has read at.
  const own = (all: readonly string[], round: number) => {
    const share = Math.floor(all.length / input.rodadas);
    return all.slice(round * share, (round + 1) * share);
  };
  for (let round = 0; round < input.rodadas * REPETIDAS; round++) {
    const isFirst = round < input.rodadas;
    found.nginx.push(await load(nginx.url, semXml, false));
    if (isFirst) {
      const plain = [...own(ineditas, round), ...own(outras, round)];
      found.fria.push(await load(malote.url, plain, false, false));
      found.friaGzip.push(await load(malote.url, own(comprimidas, round), true, false));
    }
    found.quente.push(await load(malote.url, amostra, false));
    found.nginxXml.push(await load(nginx.url, comXml, true));
    if (isFirst) found.xmlFria.push(await load(malote.url, own(ineditas, round).map(withXml), true, false));
    found.xmlQuente.push(await load(malote.url, amostra.map(withXml), true));
  }
  for (const [tipo, medidas] of Object.entries(found)) {
    const erros = Array.isArray(medidas) ? medidas.reduce((sum, medida) => sum + medida.erros, 0) : 0;
    if (erros > 0) throw new Error(`${tipo}: ${erros} pages were not answered`);
  }
  return found;
}

/** Where nginx has the pages of a sample; `writeStatic` puts them there. */
const arquivosDe = (folder: 's' | 'x', amostra: readonly string[]) =>
  amostra.map((_, at) => `/${folder}/${at}.json`);

const withXml = (path: string) => `${path}&Xml=true`;

/** Every full page of every feed, by where it begins, in an order that goes from feed to feed. */
function pathsOf(feeds: readonly Feed[]): { ineditas: string[]; amostra: string[] } {
  const longest = Math.max(0, ...feeds.map(({ total }) => total));
  const all = Array.from({ length: longest }, (_, nsu) =>
    feeds.flatMap(({ base, total }) =>
      nsu > 0 && nsu + TAMANHO <= total ? [`${base}/${nsu}/novos?Tamanho=${TAMANHO}`] : [],
    ),
  ).flat();
  const isSample = (at: number) => at % AMOSTRA_EACH === 0 && at < AMOSTRA_EACH * AMOSTRA_MAX;
  return {
    ineditas: all.filter((_, at) => !isSample(at)),
    amostra: all.filter((_, at) => isSample(at)),
  };
}

async function writeStatic(
  mundo: Mundo,
  amostra: readonly string[],
): Promise<{ bytes: number; bytesXml: number }> {
  for (const folder of ['s', 'x']) mkdirSync(join(mundo.pasta, folder), { recursive: true });
  let [bytes, bytesXml] = [0, 0];
  for (const [at, path] of amostra.entries()) {
    const [plain, gzip] = [await read(mundo, path), await read(mundo, withXml(path))];
    writeFileSync(join(mundo.pasta, 's', `${at}.json`), plain);
    writeFileSync(join(mundo.pasta, 'x', `${at}.json.gz`), gzip);
    bytes += plain.length / amostra.length;
    bytesXml += gzip.length / amostra.length;
  }
  return { bytes, bytesXml };
}

/**
 * Pages of old documents over what nginx serves right before. The load comes from this process: there are too few such
 * pages for wrk. It keeps nothing of them, since what it collects as garbage takes the processors from the service.
 */
async function measureOld(
  mundo: Mundo,
  { segundos, rodadas }: { segundos: number; rodadas: number },
): Promise<number[]> {
  const ratios: number[] = [];
  const { pasta } = mundo;
  await using nginx = await openNginx(pasta);
  const caminhos = arquivosDe('x', pathsOf(mundo.feeds).amostra);
  for (let round = 0; round < rodadas; round++) {
    await using malote = await startMalote({ dataFolder: join(pasta, 'dados'), env: ENV, medido: true });
    await pause(REPOUSO_MS);
    const now = { ...mundo, malote };
    const headers = headersOf(now, true);
    const baseline = await measureCarga({
      pasta,
      url: nginx.url,
      caminhos,
      headers,
      segundos,
      repetir: true,
    });
    ratios.push((await readOld(now)) / baseline.porSegundo);
  }
  return ratios;
}

/** @returns pages a second. The last page of each feed is left out: it is read before, so that connections are open */
async function readOld(mundo: Mundo): Promise<number> {
  const pages = mundo.feeds.flatMap(({ base, total }) =>
    Array.from({ length: Math.floor(total / TAMANHO) }, (_, at) => `${base}/${at * TAMANHO}/novos`),
  );
  await Promise.all(
    mundo.feeds.map(({ base, total }) => read(mundo, `${base}/${total - 1}/novos?Xml=true&Tamanho=1`)),
  );
  const startedAt = performance.now();
  await Promise.all(
    pages.map((path) =>
      receive(mundo, { path: `${path}?Tamanho=${TAMANHO}&Xml=true`, gzip: true }, () => {}),
    ),
  );
  return pages.length / ((performance.now() - startedAt) / 1_000);
}

function resultOf(recentes: Recentes, antigas: readonly number[]): Resultado {
  const ratio = (ours: Tipo, base: Tipo) =>
    middle(recentes[ours].map(({ porSegundo }, at) => porSegundo / (recentes[base][at]?.porSegundo ?? 0)));
  const tail = (tipo: Tipo) => middle(recentes[tipo].map(({ p99Ms, medianaMs }) => p99Ms / medianaMs));
  const nossos = ['fria', 'quente', 'xmlFria', 'xmlQuente'] as const;
  const razoes = {
    pagina_fria: ratio('fria', 'nginx'),
    pagina_quente: ratio('quente', 'nginx'),
    pagina_xml_fria: ratio('xmlFria', 'nginxXml'),
    pagina_xml_quente: ratio('xmlQuente', 'nginxXml'),
    pagina_xml_antiga: middle(antigas),
    pagina_p99_sobre_mediana: Math.max(...nossos.map(tail)),
  };
  const kb = (bytes: number) => `${(bytes / 1_000).toFixed(0)} KB`;
  const row = (oQue: string, tipo: Tipo, nota: string): Linha => ({
    oQue,
    valor: middle(recentes[tipo].map(({ porSegundo }) => porSegundo)),
    unidade: 'págs/s',
    nota: `${nota}; mediana ${middle(recentes[tipo].map(({ medianaMs }) => medianaMs)).toFixed(2)} ms, p99 ${tail(tipo).toFixed(1)}x`,
  });
  const x = (name: keyof typeof razoes) => `${razoes[name].toFixed(3)}x nginx`;
  return {
    titulo: TITULO,
    linhas: [
      row('nginx, sem XML', 'nginx', `arquivo de ${kb(recentes.bytes)}`),
      row('sem XML, primeira leitura', 'fria', x('pagina_fria')),
      row('o mesmo em gzip', 'friaGzip', `${ratio('friaGzip', 'nginx').toFixed(3)}x nginx sem gzip`),
      row('sem XML, repetida', 'quente', x('pagina_quente')),
      row('nginx, com XML', 'nginxXml', `gzip_static de ${kb(recentes.bytesXml)}`),
      row('com XML, primeira leitura', 'xmlFria', x('pagina_xml_fria')),
      row('com XML, repetida', 'xmlQuente', x('pagina_xml_quente')),
      {
        oQue: 'com XML, documentos antigos',
        valor: razoes.pagina_xml_antiga,
        unidade: 'x',
        nota: 'nginx com XML; processo iniciado há 2 s, cada documento lido uma vez',
      },
    ],
    razoes,
    motivos: {},
  };
}
