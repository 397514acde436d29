/** Statements about NFS-e that the office has under two keys. */
import { type Selectable, sql } from 'kysely';
import type { TabelaDocumento } from '../../banco/tabelas.ts';
import type { FaixaDeChaves } from '../../fiscal/nfse/mesma-nota.ts';
import { engineOf } from '../../platform/db/engine.ts';
import { idChunks } from '../bytes/chunks.ts';
import { DA_MESMA_CHAVE, type DaMesmaChave } from '../queries.ts';
import type { Trx } from '../tipos.ts';

/** Ranges that one statement looks at. */
const FAIXAS_DE_UMA_VEZ = 100;

const DA_NOTA = [...DA_MESMA_CHAVE, 'emitido_em', 'destinatario'] as const;
const COLUNAS = sql.join(DA_NOTA.map((coluna) => sql.ref(coluna)));

function notas(trx: Trx, contadorId: number) {
  return trx
    .selectFrom('documento')
    .select(DA_NOTA)
    .where('contador_id', '=', contadorId)
    .where('classe', '=', 'documento');
}

export type NotaDaGemea = DaMesmaChave & Pick<Selectable<TabelaDocumento>, 'emitido_em' | 'destinatario'>;

/** Documents of these keys; index `documento_chave`. */
export async function findNotas(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<NotaDaGemea[]> {
  const found: NotaDaGemea[] = [];
  for (const part of idChunks(input.chaves))
    found.push(...(await notas(trx, input.contadorId).where('chave', 'in', part).execute()));
  return found;
}

/**
 * Documents whose keys lie in one of these ranges; index `documento_chave`, range by range: as one condition of many an engine
 * would read all that the office has.
 */
export async function findNotasNasFaixas(
  trx: Trx,
  input: { contadorId: number; faixas: readonly FaixaDeChaves[] },
): Promise<NotaDaGemea[]> {
  const { contadorId } = input;
  const found: NotaDaGemea[] = [];
  for (let at = 0; at < input.faixas.length; at += FAIXAS_DE_UMA_VEZ) {
    const part = input.faixas.slice(at, at + FAIXAS_DE_UMA_VEZ);
    const { rows } = await (engineOf(trx) === 'postgres'
      ? sql<NotaDaGemea>`select achada.* from unnest(${part.map(({ de }) => de)}::text[], ${part.map(({ ate }) => ate)}::text[]) as faixa(de, ate)
          cross join lateral (
            select ${COLUNAS} from documento
            where contador_id = ${contadorId} and chave >= faixa.de collate "C" and chave <= faixa.ate collate "C" and classe = 'documento'
            offset 0
          ) as achada`
      : sql<NotaDaGemea>`with faixa(de, ate) as (values ${sql.join(part.map(({ de, ate }) => sql`(${de}, ${ate})`))})
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
