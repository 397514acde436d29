/** Puts a backup back: looks at all of it first, then files, then rows, and only at the very end the database shows them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { kidsOfKeys, MASTER_KEY_FILE } from '../platform/crypto/chaves-mestras.ts';
import { openWholeLoad } from '../platform/db/open-whole-load.ts';
import { RowDigest } from '../platform/db/row-digest.ts';
import { TargetError, type WholeLoad } from '../platform/db/whole-load.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { checkCopia } from './conferir.ts';
import { ErroDeCopia } from './erros.ts';
import { ESQUEMAS_FOLDER } from './fazer.ts';
import { CHAVE, MANIFESTO } from './formato.ts';
import { readLinhas, tabelaDaParte } from './linhas.ts';
import { isInnerPath, partesDe } from './recipiente.ts';
import type { Manifesto } from './schemas-da-copia.ts';

interface OpcoesDaRestauracao {
  de: string;
  /** Replaces what the target holds. */
  substituir: boolean;
  /** Goes on although what is sealed in the backup cannot be opened. */
  semChave: boolean;
  /** Told of the bytes that were read, and how many there are in all once that is known. */
  andamento: { etapa(nome: string, bytes: number): void; avancar(bytes: number): void };
}

export interface Restaurada {
  manifesto: Manifesto;
  /** Where the database that stood there lies now. */
  anterior: string | null;
  chave: 'da_copia' | 'presente' | 'ausente';
}

interface Deps {
  config: Config;
  storage: BlobStore;
  /** Folder of the migrations. */
  migracoes: string;
}

/** @throws ErroDeCopia; the target is then as it was before, but for files that nothing refers to */
export async function restoreCopia(deps: Deps, options: OpcoesDaRestauracao): Promise<Restaurada> {
  const { andamento, de } = options;
  andamento.etapa('conferindo a cópia', 0);
  const manifesto = await checkCopia(de, (bytes) => andamento.avancar(bytes));
  const chave = await checkKey(deps.config, manifesto, options.semChave);
  andamento.etapa('restaurando', manifesto.bytes);
  const load = await openTarget(deps, { manifesto, substituir: options.substituir });
  try {
    await putParts(deps, { options, load });
    await compareRows(load, manifesto);
    return { manifesto, anterior: await load.commit(), chave };
  } finally {
    await load.abandon();
  }
}

/** What is sealed opens only with its key: from the backup, from a setting, or in the target's own file. */
async function checkKey(
  config: Config,
  { chaveMestra }: Manifesto,
  semChave: boolean,
): Promise<Restaurada['chave']> {
  const present = await presentKids(config);
  if (chaveMestra.nomes.every((kid) => present.includes(kid))) return 'presente';
  if (chaveMestra.incluida && present.length === 0) return 'da_copia';
  if (semChave) return 'ausente';
  const nomes = chaveMestra.nomes.join(', ');
  throw new ErroDeCopia(
    chaveMestra.incluida ? 'chave_mestra_diferente' : 'chave_mestra_ausente',
    chaveMestra.incluida
      ? `O destino já tem outra chave mestra. Esta cópia precisa da chave ${nomes}: retire a do destino (arquivo ${MASTER_KEY_FILE} ou MALOTE_CHAVE_MESTRA) e restaure de novo.`
      : `A cópia não traz a chave mestra (${nomes}), e o destino não a tem: sem ela os certificados e as chaves de assinatura da cópia não abrem nunca mais. ` +
          `Ponha o arquivo ${MASTER_KEY_FILE} na pasta dos dados, ou MALOTE_CHAVE_MESTRA no ambiente; ou restaure com --sem-chave e cadastre os certificados de novo.`,
  );
}

async function presentKids(config: Config): Promise<string[]> {
  if (config.chaveMestra !== '') return kidsOfKeys(config.chaveMestra.replaceAll(',', '\n'));
  const text = await readFile(join(config.dataFolder, MASTER_KEY_FILE), 'utf8').catch(() => null);
  return text === null ? [] : kidsOfKeys(text);
}

async function openTarget(
  { config, migracoes }: Deps,
  { manifesto, substituir }: { manifesto: Manifesto; substituir: boolean },
): Promise<WholeLoad> {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 });
  try {
    return await openWholeLoad({
      settings: config,
      folder: migracoes,
      from: manifesto.motor,
      versions: manifesto.migracoes,
      replace: substituir,
    });
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new ErroDeCopia(...REFUSALS[error.reason], { cause: error });
  }
}

const REFUSALS: Record<TargetError['reason'], [codigo: string, mensagem: string]> = {
  not_empty: [
    'destino_com_dados',
    'O destino já tem dados. Use uma pasta e um banco vazios, ou --substituir para pôr a cópia no lugar deles.',
  ],
  in_use: ['destino_em_uso', 'O destino está em uso: pare o Malote (todos os processos) e rode de novo.'],
  newer_than_copy: [
    'destino_mais_novo',
    'O banco de destino já tem tabelas de uma versão mais nova que a da cópia. Crie um banco vazio e restaure nele.',
  ],
  older_than_copy: [
    'copia_mais_nova',
    'A cópia foi feita por um Malote mais novo: atualize este antes de restaurar.',
  ],
};

async function putParts(
  { config, storage }: Deps,
  { options, load }: { options: OpcoesDaRestauracao; load: WholeLoad },
): Promise<void> {
  const byName = new Map(load.tables.map((table) => [table.name, table]));
  for await (const { nome, bytes } of partesDe(options.de)) {
    options.andamento.avancar(bytes.length);
    if (nome === MANIFESTO || nome.startsWith('somas/')) continue;
    if (!isInnerPath(nome)) throw new ErroDeCopia('copia_danificada', `Nome impossível na cópia: ${nome}`);
    if (tabelaDaParte(nome) !== null) {
      const { tabela, colunas, linhas } = readLinhas(nome, bytes);
      const table = byName.get(tabela);
      if (!table)
        throw new ErroDeCopia('copia_danificada', `A cópia traz uma tabela desconhecida: ${tabela}`);
      await load.insert(table, colunas, linhas);
    } else if (nome.startsWith('arquivos/')) {
      const key = nome.slice(nome.lastIndexOf('/') + 1);
      await storage.put(key, Readable.from([bytes]), { maxBytes: bytes.length });
    } else if (nome.startsWith(`${ESQUEMAS_FOLDER}/`)) {
      const path = join(config.dataFolder, nome);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, bytes, { flush: true });
    } else if (nome === CHAVE) {
      await putKey(config, bytes);
    }
  }
}

/** A key that is there already is the right one: that was looked at before. */
async function putKey(config: Config, bytes: Uint8Array): Promise<void> {
  if (config.chaveMestra !== '') return;
  await writeFile(join(config.dataFolder, MASTER_KEY_FILE), bytes, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncFolder(config.dataFolder);
}

/** Reads every row back: what is there now is what was there then. */
async function compareRows(load: WholeLoad, manifesto: Manifesto): Promise<void> {
  for (const { nome, linhas, soma } of manifesto.tabelas) {
    const table = load.tables.find(({ name }) => name === nome);
    if (!table) {
      if (linhas === 0) continue;
      throw new ErroDeCopia('copia_danificada', `A cópia traz uma tabela desconhecida: ${nome}`);
    }
    const digest = new RowDigest();
    for await (const rows of load.rows(table)) for (const row of rows) digest.add(row);
    if (digest.rows === linhas && digest.value() === soma) continue;
    throw new ErroDeCopia(
      'restauracao_divergente',
      `A tabela ${nome} restaurada não confere com a da cópia (${digest.rows} linhas; na cópia ${linhas}). Nada foi alterado.`,
    );
  }
}
