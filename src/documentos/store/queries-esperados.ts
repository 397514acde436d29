/** Statements about documents that are known to exist and have not come. */
import type { TabelaEsperado } from '../../banco/tabelas.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import { idChunks, rowBatches } from '../bytes/chunks.ts';
import type { Trx } from '../tipos.ts';

/** How keys are expected already; primary key. */
export async function findOrigens(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<{ chave: string; origem: string }[]> {
  const found: { chave: string; origem: string }[] = [];
  for (const part of idChunks(input.chaves)) {
    found.push(
      ...(await trx
        .selectFrom('esperado')
        .select(['chave', 'origem'])
        .where('contador_id', '=', input.contadorId)
        .where('chave', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** A key that is expected already takes the new origin. */
export async function insertEsperados(trx: Trx, rows: readonly TabelaEsperado[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'esperado', part)
      .onConflict((conflict) =>
        conflict
          .columns(['contador_id', 'chave'])
          .doUpdateSet((eb) => ({ origem: eb.ref('excluded.origem') })),
      )
      .execute();
  }
}

/** Keys whose documents have come; primary key. */
export async function deleteEsperados(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<void> {
  for (const part of idChunks(input.chaves)) {
    await trx
      .deleteFrom('esperado')
      .where('contador_id', '=', input.contadorId)
      .where('chave', 'in', part)
      .execute();
  }
}

/** Which of these keys have a document of production (not only an event) in the office. */
export async function findChavesDeDocumentos(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<string[]> {
  const found: string[] = [];
  for (const part of idChunks(input.chaves)) {
    const rows = await trx
      .selectFrom('documento')
      .select('chave')
      .where('contador_id', '=', input.contadorId)
      .where('chave', 'in', part)
      .where('ambiente', '=', 1)
      .where('classe', '=', 'documento')
      .execute();
    found.push(...rows.map((row) => row.chave));
  }
  return found;
}
