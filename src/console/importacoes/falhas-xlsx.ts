/** Open failures as a workbook, made as those of documents are. */

import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { Db } from '../../banco/tabelas.ts';
import { Aba, writeLivro } from '../exportacoes/xlsx.ts';
import { celulasDaFalha, paginasDasFalhas, TITULOS } from './falhas-csv.ts';

/** Sentences take room; the others are as wide as what usually stands in them. */
const LARGURAS: Readonly<Record<string, number>> = {
  Arquivo: 28,
  'No arquivo': 34,
  Chave: 56,
  Problema: 60,
  Causa: 30,
  'O que fazer': 60,
  Código: 26,
};

const DATA = TITULOS.indexOf('Recebido em');
const CHAVE = TITULOS.indexOf('Chave');

/** A workbook keeps a date as one, and all digits of a key. */
const celulas = (falha: Parameters<typeof celulasDaFalha>[0]) =>
  celulasDaFalha(falha)
    .with(DATA, falha.em)
    .with(CHAVE, falha.chave ?? '');

/**
 * The workbook of what is open.
 * @param input.pasta where its sheet grows meanwhile
 * @throws what the database or the disk breaks with, before the first byte is there
 */
export async function xlsxDasFalhas(
  db: Db,
  { contadorId, agora, pasta }: { contadorId: number; agora: number; pasta: string },
): Promise<Readable> {
  await mkdir(pasta, { recursive: true, mode: 0o700 });
  const path = join(pasta, `falhas-${randomUUID()}.gz`);
  const colunas = TITULOS.map((titulo, index) => ({
    titulo,
    tipo: index === DATA ? ('data' as const) : ('texto' as const),
    largura: LARGURAS[titulo] ?? 16,
  }));
  const aba = new Aba({ nome: 'Falhas', path, colunas, comFiltro: true });
  const letGo = async () => {
    aba.destroy();
    await rm(path, { force: true });
  };
  try {
    for await (const falhas of paginasDasFalhas(db, { contadorId, agora }))
      for (const falha of falhas) if (!aba.cheia) await aba.add(celulas(falha));
    await aba.end();
  } catch (error) {
    await letGo();
    throw error;
  }
  const out = new PassThrough();
  writeLivro(out, [aba])
    .catch((error: Error) => out.destroy(error))
    .finally(letGo);
  return out;
}
