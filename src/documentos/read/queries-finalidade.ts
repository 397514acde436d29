import type { TabelaFinalidadeInformada } from '../../banco/tabelas.ts';
import { TIPO_EM_CODIGO } from '../lean/codigos.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

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
    ])
    .where('participacao.cliente_id', '=', input.clienteId)
    .where('participacao.documento_id', '=', input.documentoId)
    .executeTakeFirst();
  return row && { ...row, tipo: TIPO_EM_CODIGO.ler(row.tipo) };
}

/**
 * Events about the same key in which the recipient tells what items are for, and those that may undo them, as they were
 * registered; index `documento_chave`.
 */
export async function findDeclaracoes(
  db: Leitor,
  input: { documentoId: number; codigos: readonly string[] },
) {
  return db
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
      'evento.itens',
    ])
    .where('nota.id', '=', input.documentoId)
    .where('evento.classe', '=', 'evento')
    .where((eb) =>
      eb.or([
        eb('evento.evento_codigo', 'in', input.codigos),
        eb('evento.evento_efeito', '=', 'cancela_evento'),
      ]),
    )
    .orderBy('evento.emitido_em')
    .orderBy('evento.id')
    .execute();
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
