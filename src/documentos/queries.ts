/**
 * Statements that write documents, their versions and their parties. One function is one statement (or the same
 * one over pieces of a long list); call them inside the transaction of `store.ts`.
 */
import { type Insertable, type InsertObject, type Selectable, sql } from 'kysely';
import type { TabelaDocumento, TabelaParticipante, Tabelas, TabelaVersao } from '../banco/tabelas.ts';
import { COMO_O_DESTINATARIO, COMO_O_EMITENTE } from '../fiscal/papeis.ts';
import type { Papel } from '../fiscal/tipos.ts';
import { engineOf } from '../platform/db/engine.ts';
import { insertMany } from '../platform/db/many-rows.ts';
import type { ReservedIds } from '../platform/db/reserved-ids.ts';
import { idChunks, rowBatches } from './bytes/chunks.ts';
import { comHash } from './bytes/hash-guardado.ts';
import { PAPEL_EM_CODIGO } from './lean/codigos.ts';
import type { Trx } from './tipos.ts';

export type LinhaDeDocumento = Insertable<TabelaDocumento>;

/** The columns that tell a record from others, and those that its status and its document's follow from. */
export type DaMesmaChave = Pick<Selectable<TabelaDocumento>, (typeof DA_MESMA_CHAVE)[number]>;

export const DA_MESMA_CHAVE = [
  'id',
  'ambiente',
  'classe',
  'identidade',
  'chave',
  'emitido_em',
  'destinatario',
  'status',
  'status_protocolo',
  'carta_correcao',
  'manifestacao',
  'evento_codigo',
  'evento_sequencia',
  'evento_efeito',
  'evento_desfaz',
  'nprot',
  'layout_nacional',
  'prova',
  'status_prova',
  'status_alegado',
  'status_gemea',
  'afastado',
  'protocolo_da_nota',
  'modelo',
  'emitente',
  'autor',
  'tomador',
] as const;

/** All records of these keys, none of which is given twice: documents and their events; index `documento_chave`. */
export async function findPorChaves(
  trx: Trx,
  { contadorId, chaves }: { contadorId: number; chaves: readonly string[] },
): Promise<DaMesmaChave[]> {
  const found: DaMesmaChave[] = [];
  if (engineOf(trx) === 'postgres') {
    for (const part of rowBatches(chaves))
      found.push(...(await findUmaAUma(trx, { contadorId, chaves: part })));
    return found;
  }
  for (const part of idChunks(chaves)) {
    const rows = await trx
      .selectFrom('documento')
      .select(DA_MESMA_CHAVE)
      .where('contador_id', '=', contadorId)
      .where('chave', 'in', part)
      .execute();
    found.push(...rows);
  }
  return found;
}

/**
 * Key by key: PostgreSQL, as long as it has no statistics of a young vault, would read all that the office has for a list.
 * With an `offset` the inner select stays one of its own.
 */
function findUmaAUma(
  trx: Trx,
  { contadorId, chaves }: { contadorId: number; chaves: readonly string[] },
): Promise<DaMesmaChave[]> {
  return trx
    .selectFrom(sql<{ chave: string }>`unnest(${chaves}::text[])`.as<'procurada'>(sql`procurada(chave)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('documento')
          .select(DA_MESMA_CHAVE)
          .where('documento.contador_id', '=', contadorId)
          .whereRef('documento.chave', '=', 'procurada.chave')
          .modifyEnd(sql`offset 0`)
          .as('achada'),
      (join) => join.onTrue(),
    )
    .selectAll('achada')
    .execute();
}

export type VersaoConhecida = { sha256: string } & Pick<Selectable<TabelaVersao>, (typeof DA_VERSAO)[number]>;

const DA_VERSAO = [
  'id',
  'documento_id',
  'digest',
  'protocolado',
  'protocolo',
  'assinatura',
  'servida',
  'tamanho',
  'prova',
  'falhas',
  'status',
  'escolhida',
  'afastada',
] as const;

/** Versions of documents; index `versao_documento`, nearly always one row a document. */
export async function findVersoes(trx: Trx, documentoIds: readonly number[]): Promise<VersaoConhecida[]> {
  const found: VersaoConhecida[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .selectFrom('versao')
      .select(DA_VERSAO)
      .select('sha256')
      .where('documento_id', 'in', part)
      .orderBy('id')
      .execute();
    found.push(...rows.map(comHash));
  }
  return found;
}

/** @returns the id of each row, in their order */
export function insertDocumentos(
  trx: Trx,
  rows: readonly LinhaDeDocumento[],
  reservados: ReservedIds,
): Promise<readonly number[]> {
  return insertNumbered(trx, 'documento', rows, reservados);
}

/** @returns the id of each row, in their order */
export function insertVersoes(
  trx: Trx,
  rows: readonly Insertable<TabelaVersao>[],
  reservados: ReservedIds,
): Promise<readonly number[]> {
  return insertNumbered(trx, 'versao', rows, reservados);
}

/** With reserved ids all statements are on their way before one is waited for: what refers to the rows may follow. */
async function insertNumbered<T extends 'documento' | 'versao'>(
  trx: Trx,
  table: T,
  rows: readonly InsertObject<Tabelas, T>[],
  reservados: ReservedIds,
): Promise<readonly number[]> {
  const parts = [...rowBatches(rows)];
  if (reservados === null) {
    const given: number[] = [];
    for (const part of parts) {
      // Rows are inserted in their order, one at a time, where no ids are reserved.
      const inserted = await insertMany(trx, table, part).returning('id').execute();
      for (const { id } of inserted) given.push(id);
    }
    return given;
  }
  const ids = reservados.slice(0, rows.length);
  const idsDe = [...rowBatches(ids)];
  await Promise.all(parts.map((part, at) => insertMany(trx, table, part, idsDe[at] ?? []).execute()));
  return ids;
}

/** Which of these names of schemas are kept; unique index of a table of a few rows. */
export async function findNomesDeEsquema(
  trx: Trx,
  nomes: readonly string[],
): Promise<{ id: number; nome: string }[]> {
  const found: { id: number; nome: string }[] = [];
  for (const part of idChunks(nomes)) {
    found.push(
      ...(await trx.selectFrom('nome_de_esquema').select(['id', 'nome']).where('nome', 'in', part).execute()),
    );
  }
  return found;
}

/** Another office's import may bring one at the same time. */
export async function insertNomesDeEsquema(trx: Trx, nomes: readonly string[]): Promise<void> {
  const rows = nomes.map((nome) => ({ nome }));
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'nome_de_esquema', part)
      .onConflict((conflict) => conflict.column('nome').doNothing())
      .execute();
  }
}

/** Before another version is inserted as the served one. */
export async function retireVersoes(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx
      .updateTable('versao')
      .set({ servida: 0 })
      .where('documento_id', 'in', part)
      .where('servida', '=', 1)
      .execute();
  }
}

/**
 * A better version brings its own fields; identity, scope and time of arrival stay. What a person said of the former one is
 * settled by a stronger proof. Rare: one row at a time.
 */
export async function replaceDocumento(trx: Trx, id: number, linha: LinhaDeDocumento): Promise<void> {
  const { status, status_prova, ...linhaSemStatus } = linha;
  const { contador_id: _scope, identidade: _identity, importado_em: _arrival, ...fields } = linhaSemStatus;
  // The status of a document is derived with its events, and its listings with it.
  const proprio = linha.classe === 'documento' ? {} : { status, status_prova };
  await trx
    .updateTable('documento')
    .set((eb) => ({
      ...fields,
      ...proprio,
      excluido_em: null,
      afastado: eb
        .case()
        .when(eb('excluido_em', 'is', null).and(eb.fn.coalesce('prova', eb.lit(0)), '>=', fields.prova ?? 0))
        .then(eb.ref('afastado'))
        .else(0 as const)
        .end(),
      revisao: eb('revisao', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** What versions that are not served say of a document's status; the status itself follows (`aplicar-eventos.ts`). */
export async function updateAlegado(
  trx: Trx,
  { id, alegado }: { id: number; alegado: string | null },
): Promise<void> {
  await trx
    .updateTable('documento')
    .set((eb) => ({ status_alegado: alegado, revisao: eb('revisao', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/**
 * Before the parties of a better version are inserted. Who takes part no longer stays if it is a client that has
 * an entry of the document.
 */
export async function deleteParticipantesAntigos(
  trx: Trx,
  input: { documentoId: number; novos: readonly string[] },
): Promise<void> {
  await trx
    .deleteFrom('participante')
    .where('documento_id', '=', input.documentoId)
    .where((eb) => {
      const temEntrada = eb
        .selectFrom('participacao')
        .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
        .select('participacao.nsu')
        .whereRef('participacao.documento_id', '=', 'participante.documento_id')
        .whereRef('cliente.cpf_cnpj', '=', 'participante.cpf_cnpj');
      const sai = eb.not(eb.exists(temEntrada));
      return input.novos.length > 0 ? eb.or([eb('cpf_cnpj', 'in', input.novos), sai]) : sai;
    })
    .execute();
}

/** Parties of documents that have none yet, none of them twice. */
export async function insertParticipantes(trx: Trx, rows: readonly TabelaParticipante[]): Promise<void> {
  for (const part of rowBatches(rows)) await insertMany(trx, 'participante', part).execute();
}

/** Parties of documents that have some, which stay as they are. */
export async function addParticipantes(trx: Trx, rows: readonly TabelaParticipante[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'participante', part)
      .onConflict((conflict) => conflict.columns(['documento_id', 'papel', 'cpf_cnpj']).doNothing())
      .execute();
  }
}

/** Takes a party away that some records name in a part that it does not play; primary key. */
export async function deleteParte(
  trx: Trx,
  input: { documentoIds: readonly number[]; papel: TabelaParticipante['papel']; cpfCnpj: string },
): Promise<void> {
  for (const part of idChunks(input.documentoIds)) {
    await trx
      .deleteFrom('participante')
      .where('documento_id', 'in', part)
      .where('papel', '=', input.papel)
      .where('cpf_cnpj', '=', input.cpfCnpj)
      .execute();
  }
}

const umDe = (papeis: readonly Papel[]) =>
  sql.join(papeis.map((papel) => sql.lit(PAPEL_EM_CODIGO.escrever(papel))));

/** Name of a party, beside whose row its document's is joined: it may stand there alone (`nomesGuardados`). */
export const NOME_DO_PARTICIPANTE = sql<
  string | null
>`case when participante.nome <> '' then participante.nome
  when participante.nome is null then null
  when participante.papel in (${umDe(COMO_O_EMITENTE)}) then documento.emitente_nome
  when participante.papel in (${umDe(COMO_O_DESTINATARIO)}) then documento.destinatario_nome end`;

/** The word of a party's papel, where the engine is to compare or sort it as one. */
export const PAPEL_DO_PARTICIPANTE = sql<Papel>`case participante.papel ${sql.join(
  PAPEL_EM_CODIGO.palavras.map((papel, codigo) => sql`when ${sql.lit(codigo)} then ${sql.lit(papel)}`),
  sql` `,
)} end`;

/** Before the row of a document takes other names, those of its parties that stood there alone are written with them. */
export async function writeNomesDosParticipantes(trx: Trx, documentoId: number): Promise<void> {
  await trx
    .updateTable('participante')
    .set((eb) => ({
      nome: eb
        .selectFrom('documento')
        .select(NOME_DO_PARTICIPANTE.as('nome'))
        .whereRef('documento.id', '=', 'participante.documento_id'),
    }))
    .where('documento_id', '=', documentoId)
    .where('nome', '=', '')
    .execute();
}

/** Each with its name, wherever that stands; primary keys. */
export async function findParticipantes(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<TabelaParticipante[]> {
  const found: TabelaParticipante[] = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await trx
        .selectFrom('participante')
        .innerJoin('documento', 'documento.id', 'participante.documento_id')
        .select([
          'participante.documento_id',
          'participante.papel',
          'participante.cpf_cnpj',
          'participante.contador_id',
          NOME_DO_PARTICIPANTE.as('nome'),
        ])
        .where('participante.documento_id', 'in', part)
        // What follows from the list is told for PostgreSQL: without statistics of a young vault it would read all parties.
        .where('participante.documento_id', '>=', Math.min(...part))
        .where('participante.documento_id', '<=', Math.max(...part))
        .where('documento.id', 'in', part)
        .execute()),
    );
  }
  return found;
}
