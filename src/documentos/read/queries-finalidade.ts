import type { TabelaFinalidadeInformada } from '../../banco/tabelas.ts';
import { PAPEL, type Papel } from '../../fiscal/tipos.ts';
import { idChunks } from '../bytes/chunks.ts';
import { PAPEL_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import { writeProva } from '../lean/prova-guardada.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

/** What is signed by who must sign is as good as what was fetched. */
const ASSINADA = writeProva('assinada');

/** A document as a client takes part in it; primary keys. */
export async function findParaFinalidade(db: Leitor, input: { clienteId: number; documentoId: number }) {
  const row = await db
    .selectFrom('participacao')
    .innerJoin('documento', 'documento.id', 'participacao.documento_id')
    .select([
      'documento.chave',
      'documento.modelo',
      'documento.tp_nf',
      'documento.itens',
      'documento.finalidade_codigo',
      'documento.finalidade_descricao',
      'participacao.tipo',
      'participacao.papel',
    ])
    .where('participacao.cliente_id', '=', input.clienteId)
    .where('participacao.documento_id', '=', input.documentoId)
    .executeTakeFirst();
  return row && { ...row, tipo: TIPO_EM_CODIGO.ler(row.tipo), papel: PAPEL_EM_CODIGO.ler(row.papel) };
}

export interface ParteDoCliente {
  cliente_id: number;
  documento_id: number;
  papel: Papel;
  modelo: string;
  tp_nf: string | null;
  finalidade_codigo: string | null;
}

/** Parts of clients of an office in these documents; index `participacao_documento`, then primary keys. */
export async function findPartes(
  db: Leitor,
  input: {
    contadorId: number | null;
    clienteIds: readonly number[] | null;
    documentoIds: readonly number[];
  },
): Promise<ParteDoCliente[]> {
  const { contadorId, clienteIds } = input;
  const found: ParteDoCliente[] = [];
  for (const part of idChunks(input.documentoIds)) {
    let query = db
      .selectFrom('participacao')
      .innerJoin('documento', 'documento.id', 'participacao.documento_id')
      .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
      .select([
        'participacao.cliente_id',
        'participacao.documento_id',
        'participacao.papel',
        'documento.modelo',
        'documento.tp_nf',
        'documento.finalidade_codigo',
      ])
      .where('participacao.documento_id', 'in', part)
      .where('documento.classe', '=', 'documento')
      .orderBy('participacao.documento_id')
      .orderBy('participacao.cliente_id');
    if (contadorId !== null) query = query.where('cliente.contador_id', '=', contadorId);
    if (clienteIds !== null) query = query.where('participacao.cliente_id', 'in', clienteIds);
    const rows = await query.execute();
    found.push(...rows.map((row) => ({ ...row, papel: PAPEL_EM_CODIGO.ler(row.papel) })));
  }
  return found;
}

/** Clients who are the tomador in these documents, whatever else they are; primary keys. */
export async function findTomadores(
  db: Leitor,
  documentoIds: readonly number[],
): Promise<{ documento_id: number; cliente_id: number }[]> {
  const found: { documento_id: number; cliente_id: number }[] = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('participante')
        .innerJoin('cliente', (join) =>
          join
            .onRef('cliente.contador_id', '=', 'participante.contador_id')
            .onRef('cliente.cpf_cnpj', '=', 'participante.cpf_cnpj'),
        )
        .select(['participante.documento_id', 'cliente.id as cliente_id'])
        .where('participante.documento_id', 'in', part)
        .where('participante.papel', '=', PAPEL_EM_CODIGO.escrever(PAPEL.tomador))
        .execute()),
    );
  }
  return found;
}

/**
 * Events about the same key in which the recipient tells what items are for, and those that may undo them, as they were
 * registered; index `documento_chave`.
 */
export async function findDeclaracoes(
  db: Leitor,
  input: { documentoId: number; codigos: readonly string[] },
) {
  return (
    db
      .selectFrom('documento as nota')
      .innerJoin('documento as evento', (join) =>
        join
          .onRef('evento.contador_id', '=', 'nota.contador_id')
          .onRef('evento.chave', '=', 'nota.chave')
          .onRef('evento.ambiente', '=', 'nota.ambiente'),
      )
      .select([
        'evento.evento_codigo as codigo',
        'evento.evento_sequencia as sequencia',
        'evento.evento_efeito as efeito',
        'evento.evento_desfaz as desfaz',
        'evento.nprot as nProt',
        'evento.autor',
        'evento.prova',
        'evento.itens',
      ])
      .where('nota.id', '=', input.documentoId)
      .where('evento.classe', '=', 'evento')
      .where('evento.afastado', '=', 0)
      // Proven as well as the note, by who may write it: what anybody can write says nothing of what somebody acquired.
      .where((eb) =>
        eb(
          eb.fn.coalesce('evento.status_prova', eb.lit(0)),
          '>=',
          eb
            .case()
            .when('nota.prova', '>', ASSINADA)
            .then(ASSINADA)
            .else(eb.fn.coalesce('nota.prova', eb.lit(0)))
            .end(),
        ),
      )
      .where((eb) =>
        eb.or([
          eb('evento.evento_codigo', 'in', input.codigos),
          eb('evento.evento_efeito', '=', 'cancela_evento'),
        ]),
      )
      .orderBy('evento.emitido_em')
      .orderBy('evento.id')
      .execute()
  );
}

/** What people have set; primary key, at most one row an item and one for the document. */
export async function findInformadas(db: Leitor, input: { clienteId: number; documentoId: number }) {
  return db
    .selectFrom('finalidade_informada')
    .select(['item', 'finalidade'])
    .where('cliente_id', '=', input.clienteId)
    .where('documento_id', '=', input.documentoId)
    .execute();
}

/** The latest word of a client about a document, or about one of its items, counts. */
export async function upsertInformadas(trx: Trx, rows: readonly TabelaFinalidadeInformada[]): Promise<void> {
  await trx
    .insertInto('finalidade_informada')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['cliente_id', 'documento_id', 'item']).doUpdateSet((eb) => ({
        finalidade: eb.ref('excluded.finalidade'),
        informada_em: eb.ref('excluded.informada_em'),
        informada_por: eb.ref('excluded.informada_por'),
      })),
    )
    .execute();
}
