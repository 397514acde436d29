/** Statements about NFS-e that the office has under two keys. */
import { sql } from 'kysely';
import type { FaixaDeChaves } from '../../fiscal/nfse/mesma-nota.ts';
import { engineOf } from '../../platform/db/engine.ts';
import { DA_MESMA_CHAVE, type DaMesmaChave } from '../queries.ts';
import type { Trx } from '../tipos.ts';

/** Ranges that one statement looks at. */
const FAIXAS_DE_UMA_VEZ = 100;

const COLUNAS = sql.join(DA_MESMA_CHAVE.map((coluna) => sql.ref(coluna)));

/**
 * Documents whose keys lie in one of these ranges; index `documento_chave`, range by range: as one condition of many an engine
 * would read all that the office has. So would PostgreSQL for each range if it were asked for documents at once: of an office
 * that its statistics do not know yet, an index of documents alone seems as good, though it has no key.
 */
export async function findNotasNasFaixas(
  trx: Trx,
  input: { contadorId: number; faixas: readonly FaixaDeChaves[] },
): Promise<DaMesmaChave[]> {
  const { contadorId } = input;
  const found: DaMesmaChave[] = [];
  for (let at = 0; at < input.faixas.length; at += FAIXAS_DE_UMA_VEZ) {
    const part = input.faixas.slice(at, at + FAIXAS_DE_UMA_VEZ);
    const { rows } = await (engineOf(trx) === 'postgres'
      ? sql<DaMesmaChave>`select achada.* from unnest(${part.map(({ de }) => de)}::text[], ${part.map(({ ate }) => ate)}::text[]) as faixa(de, ate)
          cross join lateral (
            select ${COLUNAS} from documento
            where contador_id = ${contadorId} and chave >= faixa.de collate "C" and chave <= faixa.ate collate "C"
            offset 0
          ) as achada where achada.classe = 'documento'`
      : sql<DaMesmaChave>`with faixa(de, ate) as (values ${sql.join(part.map(({ de, ate }) => sql`(${de}, ${ate})`))})
          select ${COLUNAS} from faixa cross join documento
          where contador_id = ${contadorId} and chave >= faixa.de and chave <= faixa.ate and classe = 'documento'`
    ).execute(trx);
    found.push(...rows);
  }
  return found;
}

/** What the other form proves of a document; primary key. */
export async function updateGemea(trx: Trx, input: { id: number; status: string | null }): Promise<void> {
  await trx
    .updateTable('documento')
    .set((eb) => ({ status_gemea: input.status, revisao: eb('revisao', '+', 1) }))
    .where('id', '=', input.id)
    .execute();
}
