import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../platform/sync-folder.ts';
import { FalhaDoComando } from './saida.ts';

/**
 * Reads a small JSON file that a command keeps beside the user's files, so that it can go on where it stopped.
 * @returns null when there is none yet
 * @throws FalhaDoComando `estado_invalido`
 */
export async function readEstado(path: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (isObjeto(value)) return value;
  } catch {
    // Told below: going on without it would send or fetch everything again.
  }
  throw estadoInvalido(path);
}

/** An object of JSON, which is no list. */
export function isObjeto(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The file is there, and what it says cannot be what was written into it. */
export function estadoInvalido(path: string): FalhaDoComando {
  return new FalhaDoComando(
    'estado_invalido',
    `O arquivo de estado ${path} está danificado. Apague-o para recomeçar do início.`,
  );
}

/** Replaces the file as a whole, durably: a kill leaves the old or the new one. */
export async function storeEstado(path: string, value: object): Promise<void> {
  const temporary = `${path}.novo`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}
