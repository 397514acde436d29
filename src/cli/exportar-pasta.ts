import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  nomeDeArquivo,
  PASTAS_DAS_SITUACOES,
  pastaDaSituacao,
  pastaDoMes,
  SO_O_EVENTO,
} from '../cliente/arquivos.ts';
import type { DocumentoComNsu } from '../cliente/cliente.ts';

export type Gravado = 'novo' | 'igual' | 'substituido';

/**
 * Writes a document durably. Other bytes that lie there are never lost: they are moved aside under their hash, as
 * when a note without protocol is followed by the authorised one.
 */
export async function storeDocumento(path: string, bytes: Uint8Array): Promise<Gravado> {
  await mkdir(dirname(path), { recursive: true });
  const before = await ler(path);
  if (before?.equals(bytes)) return 'igual';
  if (before) await rename(path, lugarAoLado(path, before));
  const temporary = `${path}.novo`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  return before ? 'substituido' : 'novo';
}

async function ler(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Where bytes are kept that other ones take the place of. */
function lugarAoLado(path: string, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return join(dirname(path), `${basename(path, '.xml')}.anterior-${hash}.xml`);
}

/**
 * Keeps every document in the folder of its situation: whatever of it lies elsewhere (itself, its events, what it took the
 * place of) is moved. What one run leaves half done the next one finishes: each file lies in one place or the other.
 */
export class Arrumacao {
  readonly #pasta: string;
  /** Names in folders that were looked into; those of a client's month are read once. */
  readonly #nomes = new Map<string, Set<string>>();
  /** Folders in which names have changed. */
  readonly mudadas = new Set<string>();

  constructor(pasta: string) {
    this.#pasta = pasta;
  }

  /** @returns how many files were moved */
  async arrumar(documento: DocumentoComNsu): Promise<number> {
    // While only an event of it has come, nothing of it has a situation.
    if (documento.status === SO_O_EVENTO) return 0;
    const mes = pastaDoMes(documento);
    const aqui = pastaDaSituacao(documento);
    const ehDele = ehDoDocumento(documento.chave);
    let movidos = 0;
    for (const outra of PASTAS_DAS_SITUACOES) {
      if (outra === aqui) continue;
      const [de, para] = [join(this.#pasta, outra, mes), join(this.#pasta, aqui, mes)];
      for (const nome of await this.#nomesEm(de)) {
        if (!ehDele(nome)) continue;
        await this.#mover(nome, { de, para });
        movidos++;
      }
    }
    return movidos;
  }

  /** Tells that a file was written, so that it is found. */
  gravado(path: string): void {
    this.#nomes.get(dirname(path))?.add(basename(path));
  }

  async #mover(nome: string, { de, para }: { de: string; para: string }): Promise<void> {
    await mkdir(para, { recursive: true });
    const destino = join(para, nome);
    const bytes = await readFile(join(de, nome));
    const ja = await ler(destino);
    if (ja?.equals(bytes)) await rm(join(de, nome));
    else await rename(join(de, nome), ja ? lugarAoLado(destino, bytes) : destino);
    this.#nomes.get(de)?.delete(nome);
    this.#nomes.get(para)?.add(nome);
    for (const folder of [de, para]) this.mudadas.add(folder);
  }

  async #nomesEm(folder: string): Promise<string[]> {
    let nomes = this.#nomes.get(folder);
    if (!nomes) {
      nomes = new Set(
        await readdir(folder).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return [];
          throw error;
        }),
      );
      this.#nomes.set(folder, nomes);
    }
    return [...nomes];
  }
}

/** Whether a file is of a document: `<chave>.xml`, `<chave>-110111-1.xml`, each also as what was put aside. */
function ehDoDocumento(chave: string): (nome: string) => boolean {
  const inicio = nomeDeArquivo(`${chave}.xml`).slice(0, -'.xml'.length);
  return (nome) => nome.startsWith(inicio) && RESTO_DO_NOME.test(nome.slice(inicio.length));
}

const RESTO_DO_NOME = /^(-[0-9A-Za-z]+-[0-9]+)?(\.anterior-[0-9a-f]{12})?\.xml$/;
