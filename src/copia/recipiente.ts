/** Where a backup lies: a folder, or one tar file. Both are written under another name and get theirs at the very end. */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { syncFolder } from '../platform/sync-folder.ts';
import { ErroDeCopia } from './erros.ts';
import { MANIFESTO, nomeDaLista, type Parte, readLista, readManifesto } from './formato.ts';
import { readTar, tarEnd, tarEntry } from './tar.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const READ_BYTES = 1024 * 1024;

/** Something that parts are put into, one after the other. */
export interface Destino {
  add(nome: string, bytes: Uint8Array): Promise<void>;
  /** Durable, and under its own name. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abandon(): Promise<void>;
}

/** @param para a folder that does not exist yet, or a file whose name ends in `.tar` */
export async function openDestino(para: string): Promise<Destino> {
  if (await stat(para).catch(() => null)) {
    throw new ErroDeCopia('destino_existente', `Já existe: ${para}. Escolha outro nome para a cópia.`);
  }
  await mkdir(dirname(para), { recursive: true });
  const draft = `${para}.parcial`;
  await rm(draft, { recursive: true, force: true });
  const end = async () => {
    await rename(draft, para);
    await syncFolder(dirname(para));
  };
  return para.endsWith('.tar') ? toTar(draft, end) : toFolder(draft, end);
}

async function toFolder(draft: string, end: () => Promise<void>): Promise<Destino> {
  const folders = new Set<string>();
  const makeFolder = async (folder: string) => {
    if (folders.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    folders.add(folder);
  };
  await makeFolder(draft);
  return {
    async add(nome, bytes) {
      const path = join(draft, nome);
      await makeFolder(dirname(path));
      const file = await open(path, 'wx', PRIVATE_FILE);
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    async finish() {
      for (const folder of folders) await syncFolder(folder);
      await end();
    },
    abandon: () => rm(draft, { recursive: true, force: true }),
  };
}

async function toTar(draft: string, end: () => Promise<void>): Promise<Destino> {
  const file: FileHandle = await open(draft, 'wx', PRIVATE_FILE);
  const seconds = Date.now() / 1000;
  return {
    async add(nome, bytes) {
      for (const block of tarEntry({ nome, bytes, seconds })) await file.writeFile(block);
    },
    async finish() {
      await file.writeFile(tarEnd());
      await file.sync();
      await file.close();
      await end();
    },
    async abandon() {
      await file.close().catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

/**
 * Reads a backup, part by part in their order, lists of sums and manifest among them.
 * @throws ErroDeCopia when there is none, or it breaks off
 */
export async function* partesDe(de: string): AsyncGenerator<Parte> {
  const found = await stat(de).catch(() => null);
  if (!found) throw new ErroDeCopia('copia_inexistente', `Não existe: ${de}`);
  if (found.isDirectory()) yield* partesDaPasta(de);
  else {
    let last = '';
    for await (const parte of readTar(createReadStream(de, { highWaterMark: READ_BYTES }))) {
      yield parte;
      last = parte.nome;
    }
    if (last !== MANIFESTO) throw incompleta(de);
  }
}

async function* partesDaPasta(de: string): AsyncGenerator<Parte> {
  const manifesto = await readPart(de, MANIFESTO).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? incompleta(de) : error;
  });
  const { somas } = readManifesto(manifesto);
  for (const [at] of somas.entries()) {
    const lista = {
      nome: nomeDaLista(at + 1),
      bytes: await readPart(de, nomeDaLista(at + 1)).catch(() => null),
    };
    if (lista.bytes === null) throw ausente(lista.nome);
    for (const { nome } of readLista(lista.nome, lista.bytes)) {
      const bytes = await readPart(de, nome).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? ausente(nome) : error;
      });
      yield { nome, bytes };
    }
    yield { nome: lista.nome, bytes: lista.bytes };
  }
  yield { nome: MANIFESTO, bytes: manifesto };
}

/** The list of parts is part of the backup, and no list leads out of its folder. */
async function readPart(folder: string, nome: string): Promise<Buffer> {
  if (!isInnerPath(nome)) throw new ErroDeCopia('copia_danificada', `Nome impossível na cópia: ${nome}`);
  return readFile(join(folder, nome));
}

/** Whether a name is a path that goes downwards only. */
export function isInnerPath(nome: string): boolean {
  return nome !== '' && normalize(nome) === nome && !/^([/\\]|\.\.)|[\\\0:]/.test(nome);
}

const ausente = (nome: string) => new ErroDeCopia('copia_danificada', `Falta uma parte da cópia: ${nome}`);

const incompleta = (de: string) =>
  new ErroDeCopia(
    'copia_incompleta',
    `${de} não é uma cópia inteira: falta o manifesto, que é gravado por último.`,
  );
