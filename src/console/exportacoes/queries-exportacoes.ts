/** Statements of mass exports. */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import type { TabelaExportacao } from '../../banco/tabelas-consulta.ts';
import { idChunks } from '../../documentos/bytes/chunks.ts';
import { comHash } from '../../documentos/bytes/hash-guardado.ts';
import { PAPEL_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import type { Trx } from '../../documentos/tipos.ts';
import { PAPEL } from '../../fiscal/tipos.ts';

export type LinhaDeExportacao = Selectable<TabelaExportacao>;

export async function insertExportacao(trx: Trx, row: Insertable<TabelaExportacao>): Promise<void> {
  await trx.insertInto('exportacao').values(row).execute();
}

/** Not yet ended, of one user; index `exportacao_contador`. */
export async function countVivas(db: Db, input: { contadorId: number; usuarioId: number }): Promise<number> {
  const row = await db
    .selectFrom('exportacao')
    .select((eb) => eb.fn.countAll<number>().as('quantas'))
    .where('contador_id', '=', input.contadorId)
    .where('usuario_id', '=', input.usuarioId)
    .where('estado', 'in', ['na_fila', 'em_andamento'])
    .executeTakeFirst();
  return Number(row?.quantas ?? 0);
}

/** Who asks for exports. */
export interface QuemPede {
  contadorId: number;
  usuarioId: number;
}

function deQuemPede(db: Db, { contadorId, usuarioId }: QuemPede) {
  return db
    .selectFrom('exportacao')
    .selectAll()
    .where('contador_id', '=', contadorId)
    .where('usuario_id', '=', usuarioId);
}

/** The newest exports of one user; index `exportacao_contador`. */
export async function findExportacoes(
  db: Db,
  input: QuemPede & { limite: number },
): Promise<LinhaDeExportacao[]> {
  return deQuemPede(db, input).orderBy('criado_em', 'desc').orderBy('id').limit(input.limite).execute();
}

export async function findExportacao(
  db: Db,
  input: QuemPede & { id: string },
): Promise<LinhaDeExportacao | null> {
  const row = await deQuemPede(db, input).where('id', '=', input.id).executeTakeFirst();
  return row ?? null;
}

/** Changes an export that a process makes. @returns false when it is gone, ended, or no longer that process's */
export async function updateViva(
  trx: Trx,
  input: { id: string; processo: string; set: Updateable<TabelaExportacao> },
): Promise<boolean> {
  const result = await trx
    .updateTable('exportacao')
    .set(input.set)
    .where('id', '=', input.id)
    .where('processo', '=', input.processo)
    .where('fim_em', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

export async function deleteExportacao(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('exportacao').where('id', '=', id).execute();
}

/** All that are being made, or wait for it, by any process; index `exportacao_em_obra`. */
export async function findVivas(db: Db): Promise<Pick<LinhaDeExportacao, 'id' | 'processo' | 'batida'>[]> {
  return db
    .selectFrom('exportacao')
    .select(['id', 'processo', 'batida'])
    .where('fim_em', 'is', null)
    .execute();
}

/** Shows that their process lives. @returns those that are still in its hands */
export async function renewVivas(
  trx: Trx,
  input: { ids: readonly string[]; processo: string },
): Promise<Set<string>> {
  const held = new Set<string>();
  for (const part of idChunks(input.ids)) {
    const rows = await trx
      .updateTable('exportacao')
      .set((eb) => ({ batida: eb('batida', '+', 1) }))
      .where('id', 'in', part)
      .where('processo', '=', input.processo)
      .where('fim_em', 'is', null)
      .returning('id')
      .execute();
    for (const { id } of rows) held.add(id);
  }
  return held;
}

/** Tells one as interrupted, unless its process has given a sign of life since it was read. */
export async function interrupt(
  trx: Trx,
  input: { id: string; processo: string; batida: number; agora: number },
): Promise<boolean> {
  const result = await trx
    .updateTable('exportacao')
    .set(interrompida(input.agora))
    .where('id', '=', input.id)
    .where('processo', '=', input.processo)
    .where('batida', '=', input.batida)
    .where('fim_em', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

/** What a process leaves behind when it ends. */
export async function interruptAll(trx: Trx, input: { processo: string; agora: number }): Promise<void> {
  await trx
    .updateTable('exportacao')
    .set(interrompida(input.agora))
    .where('processo', '=', input.processo)
    .where('fim_em', 'is', null)
    .execute();
}

const interrompida = (agora: number) => ({
  estado: 'interrompida' as const,
  fim_em: agora,
  erro: 'O serviço foi reiniciado durante a exportação. Peça-a de novo.',
});

/** Tells what is over; index `exportacao_viva`. One that is still being made ends first. */
export async function expire(trx: Trx, agora: number): Promise<void> {
  await trx
    .updateTable('exportacao')
    .set({ estado: 'expirada' })
    .where('expira_em', '<', agora)
    .where('estado', '<>', sql.lit('expirada'))
    .where('fim_em', 'is not', null)
    .execute();
}

/** Its file is not given out any more. */
export async function discard(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('exportacao').set({ estado: 'expirada' }).where('id', '=', id).execute();
}

/** Expired ones whose file is still to go; index `exportacao_com_arquivo`. */
export async function findASoltar(db: Db): Promise<{ id: string; blob: string }[]> {
  const rows = await db
    .selectFrom('exportacao')
    .select(['id', 'blob'])
    .where('blob', 'is not', null)
    .where('estado', '=', 'expirada')
    .execute();
  return rows.flatMap(({ id, blob }) => (blob === null ? [] : [{ id, blob }]));
}

export async function releaseBlob(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('exportacao').set({ blob: null }).where('id', '=', id).execute();
}

export interface VersaoServida {
  documento_id: number;
  versao_id: number;
  sha256: string;
  tamanho: number;
  codificacao: string;
}

/** Served versions that still have their bytes; index `versao_servida`, then primary keys. */
export async function findServidas(db: Db, documentoIds: readonly number[]): Promise<VersaoServida[]> {
  const found: VersaoServida[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await db
      .selectFrom('versao')
      .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
      .select([
        'versao.documento_id',
        'versao.id as versao_id',
        'versao.sha256',
        'versao.tamanho',
        'versao.codificacao',
      ])
      .where('versao.documento_id', 'in', part)
      .where('versao.servida', '=', sql.lit(1 as const))
      .execute();
    found.push(...rows.map(comHash));
  }
  return found;
}

export interface EventoDaNota {
  nota_id: number;
  id: number;
  codigo: string | null;
  descricao: string | null;
  sequencia: number | null;
  data_emissao: string;
  emitido_em: number;
  modelo: string;
  chave: string;
  nprot: string | null;
  afastado: number;
}

/** Events about these documents, in the order in which they happened; primary keys, then index `documento_chave`. */
export async function findEventosDasNotas(
  db: Db,
  input: { contadorId: number; documentoIds: readonly number[] },
): Promise<EventoDaNota[]> {
  const found: EventoDaNota[] = [];
  for (const part of idChunks(input.documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('documento as nota')
        // SQLite keeps the order of a cross join: from the few documents to their events.
        .crossJoin('documento as evento')
        .select([
          'nota.id as nota_id',
          'evento.id',
          'evento.evento_codigo as codigo',
          'evento.evento_descricao as descricao',
          'evento.evento_sequencia as sequencia',
          'evento.data_emissao',
          'evento.emitido_em',
          'evento.modelo',
          'evento.chave',
          'evento.nprot',
          'evento.afastado',
        ])
        .where('nota.id', 'in', part)
        .where('nota.classe', '=', 'documento')
        .where('evento.contador_id', '=', input.contadorId)
        .whereRef('evento.chave', '=', 'nota.chave')
        .whereRef('evento.ambiente', '=', 'nota.ambiente')
        .where('evento.classe', '=', 'evento')
        .orderBy('nota.id')
        .orderBy('evento.emitido_em')
        .orderBy('evento.id')
        .execute()),
    );
  }
  return found;
}

/** The client of a filter; primary key. */
export async function findClienteDoFiltro(
  db: Db,
  input: { contadorId: number; clienteId: number },
): Promise<{ cpf_cnpj: string; nome: string } | null> {
  const row = await db
    .selectFrom('cliente')
    .select(['cpf_cnpj', 'nome'])
    .where('id', '=', input.clienteId)
    .where('contador_id', '=', input.contadorId)
    .executeTakeFirst();
  return row ?? null;
}

export interface ParteDoCliente {
  documento_id: number;
  tp_nf: string | null;
  /** Who pays for the transport; null of what is none. */
  tomador: string | null;
}

/** What decides in which direction goods and services go; primary keys. */
export async function findPartes(db: Db, documentoIds: readonly number[]): Promise<ParteDoCliente[]> {
  const found: ParteDoCliente[] = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('documento')
        .leftJoin('participante', (join) =>
          join
            .onRef('participante.documento_id', '=', 'documento.id')
            .on('participante.papel', '=', PAPEL_EM_CODIGO.escrever(PAPEL.tomador)),
        )
        .select(['documento.id as documento_id', 'documento.tp_nf', 'participante.cpf_cnpj as tomador'])
        .where('documento.id', 'in', part)
        .execute()),
    );
  }
  return found;
}
