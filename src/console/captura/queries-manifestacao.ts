/** What the console lists of manifestação. One function is one statement. */

import type { Selectable } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import type { TabelaResumoDeNota } from '../../banco/tabelas-manifestacao.ts';
import type { LinhaDeManifestacao } from '../../captura/manifestacao/queries.ts';
import { CODIGO_DE_EVENTO } from '../../documentos/lean/codigos.ts';

/** Summaries of a client whose note has not come, the first to run out first. Primary key; `documento_chave` for each. */
export async function findResumosEsperando(
  db: Db,
  input: { contadorId: number; clienteId: number; ambiente: number; desde: number; limite: number },
): Promise<Selectable<TabelaResumoDeNota>[]> {
  return db
    .selectFrom('resumo_de_nota')
    .selectAll()
    .where('cliente_id', '=', input.clienteId)
    .where('contador_id', '=', input.contadorId)
    .where('ambiente', '=', input.ambiente)
    .where('situacao', '=', 'Autorizada')
    .where((eb) => eb.or([eb('autorizada_em', 'is', null), eb('autorizada_em', '>=', input.desde)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('documento')
            .select('documento.id')
            .where('documento.contador_id', '=', input.contadorId)
            .whereRef('documento.chave', '=', 'resumo_de_nota.chave')
            .where('documento.classe', '=', 'documento')
            .where('documento.ambiente', '=', input.ambiente),
        ),
      ),
    )
    .orderBy('autorizada_em')
    .limit(input.limite)
    .execute();
}

/**
 * Clients of an office who received notes from a day on, or of whose notes summaries came: the daily counts, and the primary key of
 * `resumo_de_nota`. Few have something to say of; the others are not looked at.
 */
export async function findQueRecebem(
  db: Db,
  input: { contadorId: number; ids: readonly number[] | null; dia: string },
): Promise<{ id: number; cpf_cnpj: string; nome: string }[]> {
  let query = db
    .selectFrom('cliente')
    .select(['cliente.id', 'cliente.cpf_cnpj', 'cliente.nome'])
    .where('cliente.contador_id', '=', input.contadorId)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('contagem')
            .select('contagem.dia')
            .whereRef('contagem.cliente_id', '=', 'cliente.id')
            .where('contagem.modelo', '=', '55')
            .where('contagem.dia', '>=', input.dia)
            .where('contagem.tipo', '=', 'Recebida')
            .where('contagem.quantidade', '>', 0),
        ),
        exists(
          selectFrom('resumo_de_nota')
            .select('resumo_de_nota.chave')
            .whereRef('resumo_de_nota.cliente_id', '=', 'cliente.id'),
        ),
      ]),
    )
    .orderBy('cliente.id');
  if (input.ids !== null) query = query.where('cliente.id', 'in', input.ids);
  return query.execute();
}

/** Notes that a client has received and said nothing conclusive of, the first to run out first; index `participacao_listagem`. */
export async function findNotasSemConclusao(
  db: Db,
  input: { clienteId: number; cpfCnpj: string; ambiente: number; desde: number; limite: number },
) {
  return db
    .selectFrom('participacao')
    .innerJoin('documento', 'documento.id', 'participacao.documento_id')
    .leftJoin('versao', (join) =>
      join.onRef('versao.documento_id', '=', 'documento.id').on('versao.servida', '=', 1),
    )
    .select([
      'documento.id',
      'documento.chave',
      'documento.emitente',
      'documento.emitente_nome',
      'documento.valor',
      'documento.emitido_em',
      'documento.manifestacao',
      'versao.protocolo',
      'versao.digest',
    ])
    .where('participacao.cliente_id', '=', input.clienteId)
    .where('participacao.modelo', '=', '55')
    .where('participacao.emitido_em', '>=', input.desde)
    .where('participacao.classe', '<>', CODIGO_DE_EVENTO)
    .where('documento.destinatario', '=', input.cpfCnpj)
    .where('documento.status', '=', 'Autorizada')
    .where('documento.ambiente', '=', input.ambiente)
    .where((eb) =>
      eb.or([eb('documento.manifestacao', 'is', null), eb('documento.manifestacao', '=', '210210')]),
    )
    .orderBy('participacao.emitido_em')
    .limit(input.limite)
    .execute();
}

/** What was asked for a client, the newest first; index `manifestacao_cliente`. */
export async function findPedidas(
  db: Db,
  input: { contadorId: number; clienteId: number; limite: number },
): Promise<LinhaDeManifestacao[]> {
  return db
    .selectFrom('manifestacao')
    .selectAll()
    .where('cliente_id', '=', input.clienteId)
    .where('contador_id', '=', input.contadorId)
    .orderBy('pedida_em', 'desc')
    .limit(input.limite)
    .execute();
}
