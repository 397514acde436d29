/** Statements of the audit log for its readers. One function is one statement. */
import type { Db } from '../../banco/tabelas.ts';
import { idChunks } from '../../documentos/bytes/chunks.ts';

interface FiltroDaAuditoria {
  contadorId: number;
  /** Authors; null: everybody. */
  autores: readonly string[] | null;
  /** Beginning of the act, or one of some acts; null: every one. */
  ato: { comeco: string; ou: readonly string[] } | null;
  /** Milliseconds UTC, both inclusive. */
  de: number | null;
  ate: number | null;
  /** Rows before this number; null: from the newest. */
  antesDe: number | null;
  limite: number;
}

/** Rows of an office, the newest first; index `auditoria_contador`, from its end. */
export async function findRegistros(db: Db, filtro: FiltroDaAuditoria) {
  const { autores, ato, de, ate, antesDe } = filtro;
  let rows = db
    .selectFrom('auditoria')
    .select(['n', 'em', 'acao', 'autor', 'alvo', 'detalhe'])
    .where('contador_id', '=', filtro.contadorId)
    .orderBy('n', 'desc')
    .limit(filtro.limite);
  if (antesDe !== null) rows = rows.where('n', '<', antesDe);
  if (autores) rows = rows.where('autor', 'in', autores);
  // Acts are lower case letters, dots and underscores: `{` comes behind all of them.
  if (ato !== null) {
    rows = rows.where((eb) =>
      eb.or([
        eb.and([eb('acao', '>=', ato.comeco), eb('acao', '<', `${ato.comeco}{`)]),
        eb('acao', 'in', [...ato.ou]),
      ]),
    );
  }
  if (de !== null) rows = rows.where('em', '>=', de);
  if (ate !== null) rows = rows.where('em', '<=', ate);
  return rows.execute();
}

/** Names of an office's users by id, and of its tokens. */
export async function findNomes(db: Db, contadorId: number) {
  const [usuarios, tokens] = await Promise.all([
    db.selectFrom('usuario').select(['id', 'nome', 'email']).where('contador_id', '=', contadorId).execute(),
    db.selectFrom('token_integracao').select(['id', 'nome']).where('contador_id', '=', contadorId).execute(),
  ]);
  return { usuarios, tokens };
}

/** These clients of an office; primary key. */
export async function findClientes(
  db: Db,
  input: { contadorId: number; ids: readonly number[] },
): Promise<{ id: number; nome: string; cpf_cnpj: string }[]> {
  const found = [];
  for (const part of idChunks(input.ids)) {
    found.push(
      ...(await db
        .selectFrom('cliente')
        .select(['id', 'nome', 'cpf_cnpj'])
        .where('contador_id', '=', input.contadorId)
        .where('id', 'in', part)
        .execute()),
    );
  }
  return found;
}
