/** Statements that change the status of documents and of what is listed of them. */
import { sql } from 'kysely';
import type { CodigoDeStatus, Flag } from '../../banco/tabelas.ts';
import { engineOf } from '../../platform/db/engine.ts';
import { idChunks, rowChunks } from '../bytes/chunks.ts';
import { STATUS_EM_CODIGO } from '../lean/codigos.ts';
import type { Trx } from '../tipos.ts';

/** The status that a document takes. */
export interface NovoStatus {
  documentoId: number;
  status: string;
  cartaCorrecao: Flag;
  manifestacao: string | null;
  /** Proof of the status. */
  prova: number | null;
}

interface LinhaDoStatus {
  column1: number;
  column2: string;
  column3: CodigoDeStatus;
  column4: Flag;
  column5: string | null;
  column6: number | null;
}

/**
 * The rows as a table, its columns named as SQLite names those of `values`; cast there, since it sees no column beside a
 * value. PostgreSQL takes an array for each column, so that the text is one for any number of rows.
 */
function tabelaDe(trx: Trx, novos: readonly NovoStatus[]) {
  if (engineOf(trx) === 'postgres') {
    const ids = novos.map(({ documentoId }) => documentoId);
    const palavras = novos.map(({ status }) => status);
    const cartas = novos.map(({ cartaCorrecao }) => cartaCorrecao);
    const manifestacoes = novos.map(({ manifestacao }) => manifestacao);
    const provas = novos.map(({ prova }) => prova);
    return sql<LinhaDoStatus>`unnest(${ids}::bigint[], ${palavras}::text[], ${palavras.map(codigoDe)}::smallint[],
      ${cartas}::smallint[], ${manifestacoes}::text[], ${provas}::smallint[])`.as<'novo'>(
      sql`novo(column1, column2, column3, column4, column5, column6)`,
    );
  }
  const rows = novos.map(
    ({
      documentoId,
      status,
      cartaCorrecao,
      manifestacao,
      prova,
    }) => sql`(cast(${documentoId} as integer), ${status},
      cast(${codigoDe(status)} as integer), cast(${cartaCorrecao} as integer), ${manifestacao}, cast(${prova} as integer))`,
  );
  return sql<LinhaDoStatus>`(values ${sql.join(rows)})`.as('novo');
}

function codigoDe(status: string): CodigoDeStatus {
  return STATUS_EM_CODIGO.escrever(status);
}

/** Sets the effective status of documents and lets their ETags change; primary key. */
export async function updateStatus(trx: Trx, novos: readonly NovoStatus[]): Promise<void> {
  for (const part of rowChunks(trx, novos)) {
    await trx
      .updateTable('documento')
      .from(tabelaDe(trx, part))
      .set((eb) => ({
        status: eb.ref('novo.column2'),
        carta_correcao: eb.ref('novo.column4'),
        manifestacao: eb.ref('novo.column5'),
        status_prova: eb.ref('novo.column6'),
        revisao: eb('documento.revisao', '+', 1),
      }))
      .whereRef('documento.id', '=', 'novo.column1')
      .execute();
  }
}

/** Lets the ETags and the prepared pages of these change, with nothing in their own rows; primary key. */
export async function touchDocumentos(trx: Trx, ids: readonly number[]): Promise<void> {
  for (const part of idChunks(ids)) {
    await trx
      .updateTable('documento')
      .set((eb) => ({ revisao: eb('revisao', '+', 1) }))
      .where('id', 'in', part)
      .execute();
  }
}

/** Takes the status over into the listing rows; index `participacao_documento`. */
export async function updateStatusDasParticipacoes(trx: Trx, novos: readonly NovoStatus[]): Promise<void> {
  for (const part of rowChunks(trx, novos)) {
    await trx
      .updateTable('participacao')
      .from(tabelaDe(trx, part))
      .set((eb) => ({ status: eb.ref('novo.column3'), carta_correcao: eb.ref('novo.column4') }))
      .whereRef('participacao.documento_id', '=', 'novo.column1')
      .execute();
  }
}

export async function updateAfastado(
  trx: Trx,
  { id, afastado }: { id: number; afastado: Flag },
): Promise<void> {
  await trx
    .updateTable('documento')
    .set((eb) => ({ afastado, revisao: eb('revisao', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** After `retireVersoes`; primary key. */
export async function serveVersao(trx: Trx, id: number): Promise<void> {
  await trx.updateTable('versao').set({ servida: 1 }).where('id', '=', id).execute();
}
