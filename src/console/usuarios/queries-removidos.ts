/** Statements of users that are gone. One function is one statement. */

import { ACAO } from '../../auditoria/auditar.ts';
import type { Db } from '../../banco/tabelas.ts';

/** Removals of an office's users in a part of the audit log; a range of index `auditoria_contador`. */
export async function findRemocoes(
  db: Db,
  input: { contadorId: number; depoisDe: number; ate: number },
): Promise<{ alvo: string; detalhe: string }[]> {
  return db
    .selectFrom('auditoria')
    .select(['alvo', 'detalhe'])
    .where('contador_id', '=', input.contadorId)
    .where('acao', '=', ACAO.usuarioRemovido)
    .where('n', '>', input.depoisDe)
    .where('n', '<=', input.ate)
    .execute();
}
