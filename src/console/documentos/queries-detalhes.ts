/** What a page of the listing shows beside its rows: for at most a page of documents, by their ids. */

import { sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import { idChunks } from '../../documentos/bytes/chunks.ts';
import { PAPEL_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import { COLUNAS_GUARDADAS } from '../../documentos/queries-leitura.ts';
import { origemDoArquivo } from '../queries-origem.ts';

interface Procedencia {
  documento_id: number;
  arquivo_id: string | null;
  origem: string;
  token: string | null;
  usuario: string | null;
  usuario_id: number | null;
}

/** How the served version of each document came in; index `versao_servida`, then primary keys. */
export async function findProcedencias(db: Db, documentoIds: readonly number[]): Promise<Procedencia[]> {
  const found: Procedencia[] = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...((await db
        .selectFrom('versao')
        .leftJoin('arquivo', 'arquivo.numero', 'versao.arquivo_numero')
        .leftJoin('token_integracao', 'token_integracao.id', 'arquivo.token_id')
        .leftJoin('usuario', 'usuario.id', 'arquivo.usuario_id')
        .select([
          'versao.documento_id',
          'arquivo.id as arquivo_id',
          origemDoArquivo().as('origem'),
          'token_integracao.nome as token',
          'usuario.nome as usuario',
          'arquivo.usuario_id',
        ])
        .where('versao.documento_id', 'in', part)
        .where('versao.servida', '=', sql.lit(1 as const))
        .execute()) as Procedencia[]),
    );
  }
  return found;
}

/** Documents that have been told to be in conflict; items with that outcome name them. Index `versao_documento`. */
export async function findComOutrasVersoes(
  db: Db,
  documentoIds: readonly number[],
): Promise<
  { documento_id: number; digest: string; servida: number; protocolado: number; assinatura: string }[]
> {
  const found = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('versao')
        .select(['documento_id', 'digest', 'servida', 'protocolado', 'assinatura'])
        .where('documento_id', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** Purposes that people set for these documents; index `participacao_documento`, then the primary key of `finalidade_informada`. */
export async function findFinalidadesInformadas(
  db: Db,
  input: { contadorId: number; documentoIds: readonly number[] },
): Promise<{ cliente_id: number; documento_id: number; finalidade: string }[]> {
  const found = [];
  for (const part of idChunks(input.documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('participacao')
        .innerJoin('finalidade_informada', (join) =>
          join
            .onRef('finalidade_informada.cliente_id', '=', 'participacao.cliente_id')
            .onRef('finalidade_informada.documento_id', '=', 'participacao.documento_id')
            .on('finalidade_informada.item', '=', 0),
        )
        .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
        .select(['participacao.cliente_id', 'participacao.documento_id', 'finalidade_informada.finalidade'])
        .where('participacao.documento_id', 'in', part)
        .where('cliente.contador_id', '=', input.contadorId)
        .execute()),
    );
  }
  return found;
}

/** Documents whose content was deleted at the end of their term; primary keys. */
export async function findExcluidos(db: Db, documentoIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await db
      .selectFrom('documento')
      .select('id')
      .where('id', 'in', part)
      .where('excluido_em', 'is not', null)
      .execute();
    found.push(...rows.map((row) => row.id));
  }
  return found;
}

/** Stored bytes of the served versions of a few documents; index `versao_servida`, then primary keys. */
export async function findConteudosServidos(db: Db, documentoIds: readonly number[]) {
  return db
    .selectFrom('versao')
    .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select([...COLUNAS_GUARDADAS, 'versao.documento_id', 'versao.codificacao'])
    .where('versao.documento_id', 'in', documentoIds)
    .where('versao.servida', '=', sql.lit(1 as const))
    .execute();
}

/** All clients of an office that have these documents; index `participacao_documento`, one row for each. */
export async function findClientesDosDocumentos(
  db: Db,
  input: { contadorId: number; documentoIds: readonly number[] },
) {
  const found = [];
  for (const part of idChunks(input.documentoIds)) {
    const rows = await db
      .selectFrom('participacao')
      .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
      .select([
        'participacao.documento_id',
        'participacao.cliente_id',
        'participacao.papel',
        'participacao.nsu',
        'cliente.cpf_cnpj',
        'cliente.nome',
      ])
      .where('participacao.documento_id', 'in', part)
      .where('cliente.contador_id', '=', input.contadorId)
      .orderBy('participacao.cliente_id')
      .execute();
    found.push(...rows.map((row) => ({ ...row, papel: PAPEL_EM_CODIGO.ler(row.papel) })));
  }
  return found;
}

/** Who is the tomador of these documents; a range of the primary key of `participante` for each. */
export async function findTomadores(db: Db, documentoIds: readonly number[]) {
  const found = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('participante')
        .select(['documento_id', 'cpf_cnpj'])
        .where('documento_id', 'in', part)
        .where('papel', '=', PAPEL_EM_CODIGO.escrever('tomador'))
        .execute()),
    );
  }
  return found;
}
