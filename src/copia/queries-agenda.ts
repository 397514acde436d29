/** Statements of backups by schedule. One function is one statement, all on the one row. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../banco/tabelas.ts';
import type { TabelaCopiaAgendada } from '../banco/tabelas-copia.ts';

type Agenda = Selectable<TabelaCopiaAgendada>;

const ROW = 1;

export async function findAgenda(db: Db): Promise<Agenda | undefined> {
  return db.selectFrom('copia_agendada').selectAll().where('id', '=', ROW).executeTakeFirst();
}

/** Reckons the next one from another setting, or for the first time. */
export async function keepHora(db: Db, input: { hora: string; proxima: number }): Promise<void> {
  const { hora, proxima: proxima_em } = input;
  const row: Insertable<TabelaCopiaAgendada> = {
    id: ROW,
    hora,
    proxima_em,
    pedida_em: null,
    por: null,
    inicio_em: null,
    fim_em: null,
    erro: null,
  };
  await db
    .insertInto('copia_agendada')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ hora, proxima_em }))
    .execute();
}

/** Somebody wants one now. */
export async function askForCopia(db: Db, agora: number): Promise<void> {
  await db.updateTable('copia_agendada').set({ pedida_em: agora }).where('id', '=', ROW).execute();
}

/** Takes what is due. @returns false when nothing is, or another process has it */
export async function takeCopia(
  db: Db,
  input: { por: string; agora: number; ate: number; proxima: number },
): Promise<boolean> {
  const { por, agora, ate, proxima } = input;
  const { numUpdatedRows } = await db
    .updateTable('copia_agendada')
    .set({
      por,
      lease_ate: ate,
      inicio_em: agora,
      fim_em: null,
      erro: null,
      pedida_em: null,
      proxima_em: proxima,
    })
    .where('id', '=', ROW)
    .where('lease_ate', '<=', agora)
    .where((eb) => eb.or([eb('proxima_em', '<=', agora), eb('pedida_em', 'is not', null)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Shows that it is still being made. @returns false when another process has taken it over */
export async function renewCopia(db: Db, input: { por: string; ate: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('copia_agendada')
    .set({ lease_ate: input.ate })
    .where('id', '=', ROW)
    .where('por', '=', input.por)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What became of it. */
export async function endCopia(
  db: Db,
  input: { por: string; agora: number; erro: string | null },
): Promise<void> {
  await db
    .updateTable('copia_agendada')
    .set({ por: null, lease_ate: 0, fim_em: input.agora, erro: input.erro })
    .where('id', '=', ROW)
    .where('por', '=', input.por)
    .execute();
}
