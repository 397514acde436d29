/** Moves an installation from SQLite to PostgreSQL: every row, with its number, and a comparison of both at the end. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { migrateSqlite } from '../platform/db/migrate.ts';
import { migrationFiles } from '../platform/db/migration-files.ts';
import { MoveTarget, SourceChangedError } from '../platform/db/move-target.ts';
import { RowDigest } from '../platform/db/row-digest.ts';
import { keyOf, type Snapshot } from '../platform/db/snapshot.ts';
import { DatabaseInUseError, snapshotSqliteAlone } from '../platform/db/snapshot-sqlite.ts';
import type { Row, TableShape } from '../platform/db/table-shape.ts';
import { TargetError } from '../platform/db/whole-load.ts';
import { ErroDeCopia } from './erros.ts';

interface AndamentoDaMudanca {
  etapa(nome: string, linhas: number): void;
  avancar(linhas: number): void;
}

interface TabelaMudada {
  nome: string;
  linhas: number;
  /** Digest of the rows, the same on both sides. */
  soma: string;
}

interface Mudanca {
  tabelas: TabelaMudada[];
  /** Whether an earlier run had begun. */
  continuada: boolean;
  /** Whether an earlier run had ended: everything was there, and is the same. */
  completa: boolean;
}

/**
 * @param input.de data folder or SQLite file
 * @param input.recomecar throws away what an earlier run has moved
 * @throws ErroDeCopia; called again it goes on where it was
 */
export async function changeBanco(input: {
  de: string;
  para: string;
  /** Folder of the migrations. */
  migracoes: string;
  recomecar: boolean;
  andamento: AndamentoDaMudanca;
}): Promise<Mudanca> {
  const path = fileOf(input.de);
  const { snapshot, mark } = await openSource(path, input.migracoes);
  try {
    const target = await openTarget({
      url: input.para,
      folder: input.migracoes,
      mark,
      restart: input.recomecar,
    });
    try {
      const pairs = pairUp(snapshot, target);
      if (target.used) {
        const tabelas = await compareMoved({ snapshot, target, pairs, andamento: input.andamento });
        return { tabelas, continuada: true, completa: true };
      }
      await moveRows({ snapshot, target, pairs, andamento: input.andamento });
      const tabelas = await compare({ snapshot, target, pairs, andamento: input.andamento });
      await target.finish();
      return { tabelas, continuada: target.resumed, completa: false };
    } finally {
      await target.close();
    }
  } finally {
    await snapshot.close();
  }
}

function fileOf(de: string): string {
  const path = existsSync(de) && statSync(de).isDirectory() ? join(de, 'malote.sqlite') : de;
  if (!existsSync(path)) throw new ErroDeCopia('origem_inexistente', `Não há banco SQLite em ${path}.`);
  return path;
}

/** Nobody writes to it meanwhile, and it has the newest shape. */
async function openSource(path: string, folder: string): Promise<{ snapshot: Snapshot; mark: string }> {
  try {
    const first = await snapshotSqliteAlone(path);
    const newest = migrationFiles(folder, 'sqlite').map(({ version }) => version);
    if (newest.every((version) => first.snapshot.migrations.includes(version))) return first;
    await first.snapshot.close();
    migrateSqlite(path, folder);
    return await snapshotSqliteAlone(path);
  } catch (error) {
    if (!(error instanceof DatabaseInUseError)) throw error;
    throw new ErroDeCopia(
      'origem_em_uso',
      `O banco ${path} está em uso: pare o Malote (todos os processos e comandos) e rode de novo.`,
      { cause: error },
    );
  }
}

async function openTarget(input: Parameters<typeof MoveTarget.open>[0]): Promise<MoveTarget> {
  try {
    return await MoveTarget.open(input);
  } catch (error) {
    if (error instanceof SourceChangedError) {
      throw new ErroDeCopia(
        'origem_mudou',
        'O banco de origem mudou desde que a mudança começou, ou é outro. Rode com --recomecar: o que já foi copiado é apagado do destino e copiado de novo.',
        { cause: error },
      );
    }
    if (!(error instanceof TargetError)) throw error;
    if (error.reason === 'in_use') {
      throw new ErroDeCopia(
        'destino_em_uso',
        'Há um processo do Malote ligado ao banco de destino: pare-o.',
        {
          cause: error,
        },
      );
    }
    throw destinoComDados(error);
  }
}

function destinoComDados(cause: unknown): ErroDeCopia {
  const mensagem = 'O banco de destino já tem dados. Crie um banco vazio para a mudança.';
  return new ErroDeCopia('destino_com_dados', mensagem, { cause });
}

interface Pair {
  from: TableShape;
  to: TableShape;
}

/** Every table of the source has its like in the target, column for column. @throws when one has not */
function pairUp(snapshot: Snapshot, target: MoveTarget): Pair[] {
  return snapshot.tables.map((from) => {
    const to = target.tables.find(({ name }) => name === from.name);
    const names = (table: TableShape | undefined) => table?.columns.map(({ name }) => name).join();
    if (!to || names(from) !== names(to) || from.key.join() !== to.key.join()) {
      throw new Error(`the table ${from.name} is another one in PostgreSQL`);
    }
    return { from, to };
  });
}

async function moveRows(input: {
  snapshot: Snapshot;
  target: MoveTarget;
  pairs: readonly Pair[];
  andamento: AndamentoDaMudanca;
}): Promise<void> {
  const { snapshot, target, pairs, andamento } = input;
  let left = 0;
  for (const { from, to } of pairs) left += (await snapshot.count(from)) - target.progressOf(to).rows;
  andamento.etapa('copiando', left);
  for (const { from, to } of pairs) {
    const { done, after } = target.progressOf(to);
    if (done) continue;
    for await (const rows of snapshot.rows(from, after)) {
      await target.insert(to, { rows, after: lastKey(from, rows), done: false });
      andamento.avancar(rows.length);
    }
    await target.insert(to, { rows: [], after: null, done: true });
  }
}

function lastKey(table: TableShape, rows: readonly Row[]): Row | null {
  const last = rows.at(-1);
  return last === undefined ? null : keyOf(table, last);
}

/** Who was killed just behind the end of a move learns that it is complete. @throws ErroDeCopia when the target holds other data */
async function compareMoved(input: Parameters<typeof compare>[0]): Promise<TabelaMudada[]> {
  try {
    return await compare(input);
  } catch (error) {
    throw error instanceof ErroDeCopia ? destinoComDados(error) : error;
  }
}

/** Both sides are read whole: what is there now is what was there before. */
async function compare(input: {
  snapshot: Snapshot;
  target: MoveTarget;
  pairs: readonly Pair[];
  andamento: AndamentoDaMudanca;
}): Promise<TabelaMudada[]> {
  const { snapshot, target, pairs, andamento } = input;
  andamento.etapa('comparando', 0);
  const tabelas: TabelaMudada[] = [];
  for (const { from, to } of pairs) {
    const [here, there] = [new RowDigest(), new RowDigest()];
    for await (const rows of snapshot.rows(from)) for (const row of rows) here.add(row);
    for await (const rows of target.rows(to)) for (const row of rows) there.add(row);
    if (here.rows !== there.rows || here.value() !== there.value()) {
      throw new ErroDeCopia(
        'mudanca_divergente',
        `A tabela ${from.name} não confere: ${here.rows} linhas na origem, ${there.rows} no destino. A origem continua intacta; rode com --recomecar.`,
      );
    }
    andamento.avancar(here.rows);
    tabelas.push({ nome: from.name, linhas: here.rows, soma: here.value() });
  }
  return tabelas;
}
