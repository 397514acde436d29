/** Statements of what is kept and may be due: documents with their bytes, and the uploads that they came in. */

import { sql } from 'kysely';
import type { Db } from '../banco/tabelas.ts';
import { comHash } from '../documentos/bytes/hash-guardado.ts';
import type { Trx } from '../documentos/tipos.ts';

export interface Candidato {
  id: number;
  chave: string;
  classe: string;
  modelo: string;
  dia: string;
  emitido_em: number;
  importado_em: number;
  sha256: string;
}

/**
 * Documents of an office that were issued before an instant, oldest first: a range of index `documento_vencimento`,
 * a page of it.
 */
export async function findEmitidosAntesDe(
  db: Db,
  input: {
    contadorId: number;
    antesDe: number;
    depois: { emitidoEm: number; id: number };
    limite: number;
  },
): Promise<Candidato[]> {
  const { emitidoEm, id } = input.depois;
  const rows = await db
    .selectFrom('documento')
    .innerJoin('versao', (join) =>
      join.onRef('versao.documento_id', '=', 'documento.id').on('versao.servida', '=', sql.lit(1 as const)),
    )
    .select([
      'documento.id',
      'documento.chave',
      'documento.classe',
      'documento.modelo',
      'documento.dia',
      'documento.emitido_em',
      'documento.importado_em',
      'versao.sha256',
    ])
    .where('documento.excluido_em', 'is', null)
    .where('documento.contador_id', '=', input.contadorId)
    .where('documento.emitido_em', '<', input.antesDe)
    .where(sql<boolean>`(documento.emitido_em, documento.id) > (${emitidoEm}, ${id})`)
    .orderBy('documento.emitido_em')
    .orderBy('documento.id')
    .limit(input.limite)
    .execute();
  return rows.map(comHash);
}

/** Which clients have an entry of these documents; index `participacao_documento`. */
export async function findClientesDe(
  db: Db,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; cliente_id: number }[]> {
  if (documentoIds.length === 0) return [];
  return db
    .selectFrom('participacao')
    .select(['documento_id', 'cliente_id'])
    .where('documento_id', 'in', documentoIds)
    .execute();
}

/** The days of issue of the documents that events are about; index `documento_chave`. */
export async function findDocumentosDasChaves(
  db: Db,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<{ chave: string; dia: string; modelo: string; importado_em: number }[]> {
  if (input.chaves.length === 0) return [];
  return db
    .selectFrom('documento')
    .select(['chave', 'dia', 'modelo', 'importado_em'])
    .where('contador_id', '=', input.contadorId)
    .where('chave', 'in', input.chaves)
    .where('classe', '=', 'documento')
    .where('excluido_em', 'is', null)
    .execute();
}

/** All versions of documents whose bytes are there, the served one of each first, with what names them; `versao_documento`. */
export async function findVersoesGuardadas(db: Db, documentoIds: readonly number[]) {
  if (documentoIds.length === 0) return [];
  const rows = await db
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .select([
      'documento.chave',
      'documento.especie',
      'documento.modelo',
      'documento.serie',
      'documento.numero',
      'documento.data_emissao',
      'documento.emitido_em',
      'documento.emitente',
      'documento.destinatario',
      'documento.status',
      'documento.evento_codigo',
      'documento.evento_sequencia',
      'versao.id as versao_id',
      'versao.sha256',
      'versao.servida',
      'versao.tamanho',
    ])
    .where('versao.documento_id', 'in', documentoIds)
    .orderBy('documento.id')
    .orderBy('versao.servida', 'desc')
    .execute();
  return rows.map(comHash);
}

/** The present served versions of documents: one that changed since the preparation is in no ZIP. */
export async function findServidas(
  db: Db,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; sha256: string }[]> {
  if (documentoIds.length === 0) return [];
  const rows = await db
    .selectFrom('versao')
    .select(['documento_id', 'sha256'])
    .where('documento_id', 'in', documentoIds)
    .where('servida', '=', sql.lit(1 as const))
    .execute();
  return rows.map(comHash);
}

/** Uploads of an office whose bytes are kept, a page in the order of arrival; index `arquivo_contador`. */
export async function findArquivosGuardados(
  db: Db,
  input: { contadorId: number; depois: { criadoEm: number; id: string }; limite: number },
): Promise<{ id: string; criado_em: number; blob: string }[]> {
  const { criadoEm, id } = input.depois;
  const rows = await db
    .selectFrom('arquivo')
    .select(['id', 'criado_em', 'blob'])
    .where('contador_id', '=', input.contadorId)
    .where('blob', 'is not', null)
    .where('fim_em', 'is not', null)
    .where(sql<boolean>`(arquivo.criado_em, arquivo.id) > (${criadoEm}, ${id})`)
    .orderBy('criado_em')
    .orderBy('id')
    .limit(input.limite)
    .execute();
  return rows.flatMap((row) => (row.blob === null ? [] : [{ ...row, blob: row.blob }]));
}

/** Uploads of an office that are kept as recipes, in the order of their ids. */
export async function findComReceita(
  db: Db,
  input: { contadorId: number; depoisDe: string; limite: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('receita_de_envio')
    .select('arquivo_id')
    .where('contador_id', '=', input.contadorId)
    .where('arquivo_id', '>', input.depoisDe)
    .orderBy('arquivo_id')
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.arquivo_id);
}

/** Which of these uploads brought a document that the deletion is about; as `findArquivosAtingidos`. */
export async function findArquivosDaExclusao(
  db: Db,
  input: { exclusaoId: string; arquivoIds: readonly string[] },
): Promise<string[]> {
  if (input.arquivoIds.length === 0) return [];
  const rows = await chavesTrazidas(db, input.arquivoIds)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('exclusao_documento')
          .select('exclusao_documento.documento_id')
          .where('exclusao_documento.exclusao_id', '=', input.exclusaoId)
          .whereRef('exclusao_documento.chave', '=', 'trazida.chave'),
      ),
    )
    .execute();
  return rows.map((row) => row.arquivo_id);
}

/** Which of these uploads brought a document of the deletion; primary key of `item`, `exclusao_documento_chave`. */
export async function findArquivosAtingidos(
  db: Db,
  input: { exclusaoId: string; arquivoIds: readonly string[] },
): Promise<string[]> {
  if (input.arquivoIds.length === 0) return [];
  // By key first, in the index alone, then by the primary key: asked for more than the index has, SQLite would walk through
  // the whole deletion for each key of each upload.
  const rows = await chavesTrazidas(db, input.arquivoIds)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('exclusao_documento')
          .innerJoin('exclusao_documento as excluido', (join) =>
            join
              .onRef('excluido.exclusao_id', '=', 'exclusao_documento.exclusao_id')
              .onRef('excluido.documento_id', '=', 'exclusao_documento.documento_id'),
          )
          .select('excluido.documento_id')
          .where('exclusao_documento.exclusao_id', '=', input.exclusaoId)
          .whereRef('exclusao_documento.chave', '=', 'trazida.chave')
          .where('excluido.excluido_em', 'is not', null),
      ),
    )
    .execute();
  return rows.map((row) => row.arquivo_id);
}

/** An item of a document that was new does not repeat its key (`documentos/lean/itens-enxutos.ts`). */
const CHAVE_DO_ITEM = sql<string | null>`coalesce(item.chave, documento.chave)`;

/** The keys of uploads, each once, however many items have it: to each of them belong a document and all of its events. */
function chavesTrazidas(db: Db, arquivoIds: readonly string[]) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('arquivo')
        .innerJoin('item', 'item.arquivo_numero', 'arquivo.numero')
        .leftJoin('documento', 'documento.id', 'item.documento_id')
        .select(['arquivo.id as arquivo_id', CHAVE_DO_ITEM.as('chave')])
        .distinct()
        .where('arquivo.id', 'in', arquivoIds)
        .as('trazida'),
    )
    .select('trazida.arquivo_id')
    .distinct();
}

/**
 * Whether anything of an upload is still wanted: a document that is not deleted, or what was refused and may have to be
 * looked at again. What was ignored (images, PDFs) is not. Primary keys of `item` and `documento`; of what has no document
 * of its own `documento_chave`, each key once.
 */
export async function isAindaPreciso(
  db: Db,
  input: { contadorId: number; arquivoId: string },
): Promise<boolean> {
  const { contadorId, arquivoId } = input;
  const seus = await itensDoArquivo(db, arquivoId)
    .innerJoin('documento', 'documento.id', 'item.documento_id')
    .select('item.ordem')
    .where('documento.excluido_em', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (seus) return true;
  const semDocumento = await db
    .selectFrom(
      itensDoArquivo(db, arquivoId)
        .select('item.chave')
        .distinct()
        .where('item.documento_id', 'is', null)
        .as('trazida'),
    )
    .select('trazida.chave')
    // Not `exists`: PostgreSQL would make a join of it, and read all documents of the office for each key.
    .where((eb) =>
      eb(
        eb
          .selectFrom('documento')
          .select('documento.id')
          .whereRef('documento.chave', '=', 'trazida.chave')
          .where('documento.contador_id', '=', contadorId)
          .where('documento.excluido_em', 'is not', null)
          .limit(1),
        'is',
        null,
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return semDocumento !== undefined;
}

function itensDoArquivo(db: Db, arquivoId: string) {
  return db
    .selectFrom('arquivo')
    .innerJoin('item', 'item.arquivo_numero', 'arquivo.numero')
    .where('arquivo.id', '=', arquivoId)
    .where('item.resultado', 'not in', ['ignorado', 'esperado']);
}

/** The bytes of an upload lie nowhere any more. @returns false where that was told before */
export async function dropBlob(trx: Trx, { id, blob }: { id: string; blob: string }): Promise<boolean> {
  const dropped = await trx
    .updateTable('arquivo')
    .set({ blob: null })
    .where('id', '=', id)
    .where('blob', '=', blob)
    .returning('id')
    .execute();
  return dropped.length > 0;
}
