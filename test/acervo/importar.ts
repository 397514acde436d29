/** Sends the collection through the real HTTP import and fetches what the service says of every file. */
import { zipDe } from '../../src/gerador/zip.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
} from '../support/malote.ts';
import type { Amostra } from './amostras.ts';

/** One row of `/itens`, as the service answers it. */
export interface Item {
  caminho: string;
  sha256: string | null;
  especie: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string | null;
  linha: number | null;
  coluna: number | null;
  elemento: string | null;
}

export interface Envio {
  status: string;
  log: string;
  itens: Item[];
}

const PAGE = 500;
/** Files that are on their way at a time. */
const PARALLEL = 12;

async function itemsOf(malote: Malote, token: string, id: string): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page++) {
    const url = `${malote.url}/storage/arquivo/${id}/itens?Tamanho=${PAGE}&Pagina=${page}`;
    const { body } = await fetchJson(url, { token });
    all.push(...body.itens);
    if (all.length >= body.total || body.itens.length === 0) return all;
  }
}

async function send(
  malote: Malote,
  input: { token: string; bytes: Uint8Array; extension: '.xml' | '.zip' },
): Promise<Envio> {
  const { token } = input;
  const id = await upload(malote, input);
  const { status, log } = await imported(malote, { token, id });
  return { status, log, itens: await itemsOf(malote, token, id) };
}

/** A zip of one zip for each kind, as accountants hand them on. */
async function zipDeZips(amostras: readonly Amostra[]): Promise<Buffer> {
  const inner = [...Map.groupBy(amostras, ({ kind }) => kind)].map(async ([kind, files]) => ({
    nome: `${kind}.zip`,
    bytes: await zipDe(files.map(({ nome, bytes }) => ({ nome: `${kind}/${nome}`, bytes }))),
  }));
  return zipDe(await Promise.all(inner));
}

export interface Acervo extends AsyncDisposable {
  malote: Malote;
  /** The office that gets one zip, and the one that gets file by file. */
  inteiro: Escritorio;
  avulso: Escritorio;
}

export async function openAcervo(clientes: readonly string[]): Promise<Acervo> {
  const dataFolder = makeDataFolder();
  const inteiro = await createEscritorio(dataFolder, { crm: '1', clientes });
  const avulso = await createEscritorio(dataFolder, { crm: '2', clientes });
  const malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' } });
  return {
    malote,
    inteiro,
    avulso,
    async [Symbol.asyncDispose]() {
      await malote[Symbol.asyncDispose]();
    },
  };
}

const hashIn = (caminho: string) => /([0-9a-f]{64})\.\w+$/.exec(caminho)?.[1] ?? caminho;

/** All files in one upload. @returns the items of each file, by its SHA-256 */
export async function sendWhole(
  { malote, inteiro }: Acervo,
  amostras: readonly Amostra[],
): Promise<{ envio: Envio; porArquivo: Map<string, Item[]> }> {
  const bytes = await zipDeZips(amostras);
  const envio = await send(malote, { token: inteiro.token, bytes, extension: '.zip' });
  return { envio, porArquivo: Map.groupBy(envio.itens, ({ caminho }) => hashIn(caminho)) };
}

/** Each file in an upload of its own; text files in a zip, since the import takes them in no other way. */
export async function sendLoose(
  { malote, avulso }: Acervo,
  amostras: readonly Amostra[],
): Promise<Map<string, Envio>> {
  const sent = new Map<string, Envio>();
  const waiting = [...amostras];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { nome, bytes, sha256 } = next;
      const bare = nome.endsWith('.xml') && bytes.length > 0;
      const wrapped = bare ? bytes : await zipDe([{ nome, bytes }]);
      const extension = bare ? '.xml' : '.zip';
      sent.set(sha256, await send(malote, { token: avulso.token, bytes: wrapped, extension }));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return sent;
}
