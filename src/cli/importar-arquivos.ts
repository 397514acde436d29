import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { labelOf } from '../importacao/unpack/unpack-names.ts';
import { FalhaDoComando } from './saida.ts';

/** A file that the user wants to import. */
export interface ArquivoLocal {
  path: string;
  /** How it is called in messages and inside a zip: relative to the folder that was named. */
  nome: string;
  extensao: '.xml' | '.zip' | '.txt';
  sizeBytes: number;
}

/** What goes up in one upload. */
export interface Remessa {
  arquivos: ArquivoLocal[];
  /** The file goes as it is; else all of them go in one zip. */
  sozinho: boolean;
}

const EXTENSIONS: ReadonlySet<string> = new Set(['.xml', '.zip', '.txt']);
/**
 * Raw bytes and entries of one packed upload. The service takes 30,000,000 bytes; deflate may add a little to what it
 * cannot shrink, and each entry costs two headers with its name, so raw bytes below this always fit.
 */
const PACK_BYTES = 25_000_000;
const PACK_ENTRIES = 4_000;
const HEADERS_BYTES = 160;
/** Up to so many .xml go up one by one: less to explain when there are few. */
const FEW_FILES = 3;
/** A larger .xml goes alone, so that a slow line is not asked for more than it must. */
const SMALL_BYTES = 2_000_000;

/** A folder or file that cannot be looked at. */
export interface Ilegivel {
  nome: string;
  erro: unknown;
}

interface Encontrados {
  arquivos: ArquivoLocal[];
  /** Files of other kinds. */
  ignorados: number;
  ilegiveis: Ilegivel[];
}

/**
 * Finds the files below the named folders, and the named files.
 * @throws FalhaDoComando extensao_invalida for a named file of another kind
 */
export async function listArquivos(paths: readonly string[]): Promise<Encontrados> {
  const found: Encontrados = { arquivos: [], ignorados: 0, ilegiveis: [] };
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) {
      await addFolder(path, found);
      continue;
    }
    const arquivo = await describe(path, basename(path));
    if (!arquivo) throw new FalhaDoComando('extensao_invalida', `Só .xml, .zip e .txt são aceitos: ${path}`);
    found.arquivos.push(arquivo);
  }
  return { ...found, arquivos: withUniqueNames(found.arquivos) };
}

async function addFolder(folder: string, found: Encontrados): Promise<void> {
  const { files, ilegiveis } = await walk(folder);
  found.ilegiveis.push(...ilegiveis.map(({ nome, erro }) => ({ nome: relative(folder, nome), erro })));
  for (const file of files) {
    const nome = relative(folder, file);
    try {
      const arquivo = await describe(file, nome);
      if (arquivo) found.arquivos.push(arquivo);
      else found.ignorados++;
    } catch (erro) {
      found.ilegiveis.push({ nome, erro });
    }
  }
}

/** Shares the files out: zips and large files alone, the many small ones together. */
export function planRemessas(arquivos: readonly ArquivoLocal[]): Remessa[] {
  const xmls = arquivos.filter(({ extensao }) => extensao === '.xml').length;
  const goesAlone = ({ extensao, sizeBytes }: ArquivoLocal) =>
    extensao === '.zip' || (extensao === '.xml' && (xmls <= FEW_FILES || sizeBytes > SMALL_BYTES));
  const remessas: Remessa[] = [];
  let pack: ArquivoLocal[] = [];
  let bytes = 0;
  const close = () => {
    if (pack.length > 0) remessas.push({ arquivos: pack, sozinho: false });
    pack = [];
    bytes = 0;
  };
  for (const arquivo of arquivos) {
    if (goesAlone(arquivo)) {
      remessas.push({ arquivos: [arquivo], sozinho: true });
      continue;
    }
    const cost = arquivo.sizeBytes + HEADERS_BYTES + 2 * Buffer.byteLength(arquivo.nome);
    if (pack.length > 0 && (bytes + cost > PACK_BYTES || pack.length === PACK_ENTRIES)) close();
    pack.push(arquivo);
    bytes += cost;
  }
  close();
  return remessas;
}

/** Packs files into a zip. */
export async function packArquivos(files: Iterable<{ nome: string; bytes: Uint8Array }>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { nome, bytes } of files) {
    zip.addBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), nome);
  }
  zip.end();
  return buffer(zip.outputStream);
}

/**
 * The files below a folder, in the order of their names. Links are followed, each folder once, so that one that points to
 * where it stands comes to an end; what begins with a dot is not of documents.
 */
async function walk(
  folder: string,
  seen = new Set<string>(),
): Promise<{ files: string[]; ilegiveis: Ilegivel[] }> {
  const found = { files: [] as string[], ilegiveis: [] as Ilegivel[] };
  try {
    const real = await realpath(folder);
    if (seen.has(real)) return found;
    seen.add(real);
    for (const name of (await readdir(folder)).sort()) {
      if (name.startsWith('.')) continue;
      const path = join(folder, name);
      const kind = await stat(path).catch((erro: unknown) => {
        found.ilegiveis.push({ nome: path, erro });
      });
      if (kind?.isFile()) found.files.push(path);
      if (!kind?.isDirectory()) continue;
      const inside = await walk(path, seen);
      found.files.push(...inside.files);
      found.ilegiveis.push(...inside.ilegiveis);
    }
  } catch (erro) {
    found.ilegiveis.push({ nome: folder, erro });
  }
  return found;
}

async function describe(path: string, name: string): Promise<ArquivoLocal | null> {
  const extension = extname(path).toLowerCase();
  if (!EXTENSIONS.has(extension)) return null;
  // The service shows the name in this very form, so that its answer can be matched with the file.
  const nome = labelOf(name.split(sep).join('/'));
  return { path, nome, extensao: extension as ArquivoLocal['extensao'], sizeBytes: (await stat(path)).size };
}

/** Files of several folders may be called alike: those get their folder's name in front, and a number if need be. */
function withUniqueNames(arquivos: readonly ArquivoLocal[]): ArquivoLocal[] {
  const taken = new Set<string>();
  return arquivos.map((arquivo) => {
    let { nome } = arquivo;
    if (taken.has(nome)) nome = labelOf(`${basename(dirname(arquivo.path))}/${nome}`);
    for (let n = 2; taken.has(nome); n++) nome = `${n}/${arquivo.nome}`;
    taken.add(nome);
    return { ...arquivo, nome };
  });
}
