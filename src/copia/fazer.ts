/**
 * Makes a backup while the service goes on: one moment of the database first, then the files its rows name. A file is
 * durable before its row is, so every row's file is there.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Config } from '../config.ts';
import { refazerSePossivel } from '../documentos/bytes/envios.ts';
import type { Clock } from '../platform/clock.ts';
import type { MasterKey } from '../platform/crypto/chaves-mestras.ts';
import type { Database } from '../platform/db/connect.ts';
import { RowDigest } from '../platform/db/row-digest.ts';
import type { Snapshot } from '../platform/db/snapshot.ts';
import type { TableShape } from '../platform/db/table-shape.ts';
import { type BlobStore, getOrNull, pathOfKey } from '../platform/storage/blob-store.ts';
import {
  CHAVE,
  linhaDaSoma,
  MANIFESTO,
  nomeDaLista,
  PARTES_POR_LISTA,
  sha256De,
  VERSAO_DO_FORMATO,
} from './formato.ts';
import { LinhasParaParte, nomeDaParte } from './linhas.ts';
import type { Destino } from './recipiente.ts';
import { FORMATO, type Manifesto, type TabelaNaCopia } from './schemas-da-copia.ts';

/** Files fetched at once: a bucket answers slowly, and each may be 30 MB. */
const ARQUIVOS_DE_CADA_VEZ = 4;
/** Packages of schemas, below the data folder. */
export const ESQUEMAS_FOLDER = 'esquemas';

interface AndamentoDaCopia {
  total(itens: number): void;
  avancar(itens: number): void;
}

const UUID_LENGTH = 36;

interface Deps {
  config: Config;
  clock: Clock;
  db: Database<Tabelas>;
  storage: BlobStore;
  snapshot: Snapshot;
  destino: Destino;
  /** Those that open what is sealed in the database. */
  chaves: readonly MasterKey[];
}

/**
 * Writes all of it and ends with the manifest; the caller gives it its name.
 * @param input.comChave puts the master key in, which opens everything that is sealed in the backup
 */
export async function makeCopia(
  deps: Deps,
  input: { malote: string; comChave: boolean; andamento: AndamentoDaCopia },
): Promise<{ manifesto: Manifesto; sha256: string }> {
  const { snapshot, clock } = deps;
  const { andamento } = input;
  const criadaEm = new Date(clock.now()).toISOString();
  const saida = new PartesSomadas(deps.destino);
  let total = 0;
  for (const table of snapshot.tables) total += await snapshot.count(table);
  andamento.total(total);
  const tabelas: TabelaNaCopia[] = [];
  for (const table of snapshot.tables) tabelas.push(await copyTable(deps, { table, saida, andamento }));
  const arquivos = await copyFiles(deps, saida);
  await copySchemas(deps, saida);
  const { chaves } = deps;
  if (input.comChave) {
    await saida.add(CHAVE, Buffer.from(chaves.map(({ key }) => `${key.toString('base64')}\n`).join('')));
  }
  const { somas, partes, bytes } = await saida.finish();
  const manifesto: Manifesto = {
    formato: FORMATO,
    versao: VERSAO_DO_FORMATO,
    malote: input.malote,
    criadaEm,
    motor: snapshot.engine,
    migracoes: [...snapshot.migrations],
    tabelas,
    arquivos: { quantidade: arquivos.quantidade, bytes: arquivos.bytes },
    faltas: arquivos.faltas,
    chaveMestra: { incluida: input.comChave, nomes: chaves.map(({ kid }) => kid) },
    partes,
    bytes,
    somas,
  };
  const text = Buffer.from(`${JSON.stringify(manifesto, null, 1)}\n`);
  await deps.destino.add(MANIFESTO, text);
  return { manifesto, sha256: sha256De(text) };
}

/** Writes the list of sums behind every few thousand parts. */
class PartesSomadas {
  readonly #destino: Destino;
  readonly #somas: { nome: string; sha256: string }[] = [];
  #lista = '';
  #naLista = 0;
  #partes = 0;
  #bytes = 0;

  constructor(destino: Destino) {
    this.#destino = destino;
  }

  async add(nome: string, bytes: Uint8Array): Promise<void> {
    await this.#destino.add(nome, bytes);
    this.#lista += linhaDaSoma({ nome, sha256: sha256De(bytes) });
    this.#partes += 1;
    this.#bytes += bytes.length;
    this.#naLista += 1;
    if (this.#naLista === PARTES_POR_LISTA) await this.#closeList();
  }

  async finish() {
    if (this.#naLista > 0) await this.#closeList();
    return { somas: this.#somas, partes: this.#partes, bytes: this.#bytes };
  }

  async #closeList(): Promise<void> {
    const nome = nomeDaLista(this.#somas.length + 1);
    await this.#destino.add(nome, Buffer.from(this.#lista));
    this.#somas.push({ nome, sha256: sha256De(this.#lista) });
    this.#lista = '';
    this.#naLista = 0;
  }
}

async function copyTable(
  { snapshot }: Deps,
  input: { table: TableShape; saida: PartesSomadas; andamento: AndamentoDaCopia },
): Promise<TabelaNaCopia> {
  const { table, saida, andamento } = input;
  const digest = new RowDigest();
  const linhas = new LinhasParaParte(table);
  let partes = 0;
  const write = () => {
    partes += 1;
    return saida.add(nomeDaParte(table.name, partes), linhas.take());
  };
  for await (const rows of snapshot.rows(table)) {
    for (const row of rows) {
      digest.add(row);
      linhas.add(row);
      if (linhas.full) await write();
    }
    andamento.avancar(rows.length);
  }
  if (!linhas.empty) await write();
  return { nome: table.name, linhas: digest.rows, soma: digest.value() };
}

/**
 * Tables whose files are not copied: of mass exports, which last a day, may be larger than everything else, and are
 * made again from what is copied.
 */
const SEM_ARQUIVOS: ReadonlySet<string> = new Set(['exportacao']);

/** Every column named `blob` holds keys of stored files. */
async function copyFiles(deps: Deps, saida: PartesSomadas) {
  const found = { quantidade: 0, bytes: 0, faltas: [] as string[] };
  for await (const keys of storedKeys(deps.snapshot)) {
    const contents = await Promise.all(keys.map((key) => getUpload(deps, key)));
    for (const [i, key] of keys.entries()) {
      const bytes = contents[i];
      if (!bytes) {
        found.faltas.push(key);
        continue;
      }
      await saida.add(`arquivos/${pathOfKey(key)}`, bytes);
      found.quantidade += 1;
      found.bytes += bytes.length;
    }
  }
  return found;
}

/** Keys of all stored files, as many at a time as are read at once. */
async function* storedKeys(snapshot: Snapshot): AsyncGenerator<string[]> {
  for (const table of snapshot.tables) {
    const at = table.columns.findIndex(({ name }) => name === 'blob');
    if (at === -1 || SEM_ARQUIVOS.has(table.name)) continue;
    for await (const rows of snapshot.rows(table)) {
      const keys = rows.flatMap((row) => (typeof row[at] === 'string' && row[at] !== '' ? [row[at]] : []));
      while (keys.length > 0) yield keys.splice(0, ARQUIVOS_DE_CADA_VEZ);
    }
  }
}

async function getUpload({ db, storage }: Deps, key: string): Promise<Buffer | null> {
  const bytes = await getOrNull(storage, key);
  // Since the snapshot its recipe may have taken its place. The key of an upload begins with the id of its row.
  return bytes ?? (await refazerSePossivel(db.read, key.slice(0, UUID_LENGTH)));
}

async function copySchemas({ config }: Deps, saida: PartesSomadas): Promise<void> {
  const root = join(config.dataFolder, ESQUEMAS_FOLDER);
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const inner = path.slice(root.length + 1).replaceAll('\\', '/');
    await saida.add(`${ESQUEMAS_FOLDER}/${inner}`, await readFile(path));
  }
}
