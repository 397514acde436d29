/** Statements of the check of rows against the documents' bytes (`verificar-linhas.ts`). */
import type { TabelaParticipante } from '../../banco/tabelas.ts';
import { comHash } from '../bytes/hash-guardado.ts';
import { findBlocos } from '../bytes/queries-blocos.ts';
import { findParticipantes, findVersoes, type VersaoConhecida } from '../queries.ts';
import type { Leitor } from '../queries-leitura.ts';

/**
 * Versions in the order of their ids with their bytes, their document's row and the upload that they came in; primary keys.
 * Call it in a transaction, which sees one state.
 */
export async function findLinhas(db: Leitor, input: { depoisDe: number; limite: number }) {
  const rows = await linhas(db)
    .where('versao.id', '>', input.depoisDe)
    .orderBy('versao.id')
    .limit(input.limite)
    .execute();
  return comBytes(db, rows);
}

/** One version; primary key. */
export async function findLinha(db: Leitor, versaoId: number) {
  const row = await linhas(db).where('versao.id', '=', versaoId).executeTakeFirst();
  return row && (await comBytes(db, [row]))[0];
}

function linhas(db: Leitor) {
  return (
    db
      .selectFrom('versao')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .leftJoin('conteudo', 'conteudo.versao_id', 'versao.id')
      .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
      .leftJoin('arquivo', 'arquivo.numero', 'versao.arquivo_numero')
      .leftJoin('nome_de_esquema', 'nome_de_esquema.id', 'versao.esquema_nome_id')
      .selectAll('documento')
      .select(['documento.importado_em as documento_importado_em'])
      // Of both tables: this one's count.
      .select('versao.arquivo_numero')
      .select(['versao.id', 'versao.documento_id', 'versao.servida', 'versao.sha256', 'versao.digest'])
      .select(['versao.protocolado', 'versao.protocolo', 'versao.codificacao', 'versao.tamanho'])
      .select(['versao.signatario', 'versao.esquema_motivo', 'versao.assinatura_motivo', 'versao.avisos'])
      .select(['versao.esquema_nome_id', 'nome_de_esquema.nome as esquema_nome_dela'])
      .select((eb) => eb.selectFrom('arquivo as um').select('um.numero').limit(1).as('ha_arquivos'))
      .select(['versao.esquema', 'versao.assinatura', 'versao.assinatura_titular', 'versao.falhas'])
      .select(['versao.prova as versao_prova', 'versao.status as versao_status'])
      .select((eb) =>
        eb
          .selectFrom('versao as outra')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .whereRef('outra.documento_id', '=', 'documento.id')
          .as('versoes'),
      )
      .select(['conteudo.formato', 'conteudo.bytes', 'conteudo.posicao', 'conteudo.bloco_id'])
      .select(['certificado_de_documento.texto as certificado'])
      .select([
        'certificado_de_documento.titular as certificado_titular',
        'arquivo.id as arquivo_id',
        'arquivo.blob',
      ])
  );
}

async function comBytes(db: Leitor, rows: Awaited<ReturnType<ReturnType<typeof linhas>['execute']>>) {
  const blocos = await findBlocos(
    db,
    rows.map(({ bloco_id }) => bloco_id),
  );
  return rows.map(({ bloco_id, ...row }) => ({ ...comHash(row), ...blocos.get(bloco_id) }));
}

/** The documents that events are about; index `documento_chave`. */
export async function findNotasDosEventos(
  db: Leitor,
  eventos: readonly { documento_id: number; contador_id: number; ambiente: number; chave: string }[],
): Promise<{ evento_id: number; id: number }[]> {
  if (eventos.length === 0) return [];
  const found = await db
    .selectFrom('documento')
    .select(['id', 'contador_id', 'ambiente', 'chave'])
    .where('contador_id', 'in', [...new Set(eventos.map((one) => one.contador_id))])
    .where('chave', 'in', [...new Set(eventos.map((one) => one.chave))])
    .where('classe', '=', 'documento')
    .execute();
  const scopeOf = (one: { contador_id: number; ambiente: number; chave: string }) =>
    `${one.contador_id}/${one.ambiente}/${one.chave}`;
  const notas = Map.groupBy(found, scopeOf);
  return eventos.flatMap((evento) =>
    (notas.get(scopeOf(evento)) ?? []).map(({ id }) => ({ evento_id: evento.documento_id, id })),
  );
}

/** Parties of documents, with their names; primary keys. */
export function findPartes(db: Leitor, documentoIds: readonly number[]): Promise<TabelaParticipante[]> {
  return findParticipantes(db as Parameters<typeof findParticipantes>[0], documentoIds);
}

/** All versions of documents; index `versao_documento`. */
export function findVersoesDe(db: Leitor, documentoIds: readonly number[]): Promise<VersaoConhecida[]> {
  return findVersoes(db as Parameters<typeof findVersoes>[0], documentoIds);
}

/** Versions with a protocol whose documents have another one without, of which they may have been made; primary keys. */
export async function findPossiveisJuntadas(
  trx: Leitor,
  versoes: readonly { id: number }[],
): Promise<number[]> {
  const rows = await trx
    .selectFrom('versao')
    .innerJoin('versao as nota', 'nota.documento_id', 'versao.documento_id')
    .select('versao.id')
    .distinct()
    .where(
      'versao.id',
      'in',
      versoes.map(({ id }) => id),
    )
    .where('versao.protocolado', '=', 1)
    .where('nota.protocolado', '=', 0)
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these documents are in which of these uploads, by their items, and which of the uploads have items; primary keys. */
export async function findItensDasVersoes(
  db: Leitor,
  rows: readonly { arquivo_numero: number | null; documento_id: number }[],
): Promise<{ pares: { arquivo_numero: number; documento_id: number | null }[]; comItens: number[] }> {
  const numeros = [...new Set(rows.flatMap(({ arquivo_numero }) => arquivo_numero ?? []))];
  const ids = [...new Set(rows.map(({ documento_id }) => documento_id))];
  if (numeros.length === 0) return { pares: [], comItens: [] };
  const pares = await db
    .selectFrom('item')
    .select(['arquivo_numero', 'documento_id'])
    .distinct()
    .where('arquivo_numero', 'in', numeros)
    .where('documento_id', 'in', ids)
    .execute();
  const comItens = await db
    .selectFrom('arquivo')
    .select('numero')
    .where('numero', 'in', numeros)
    .where((eb) =>
      eb.exists(eb.selectFrom('item').select('ordem').whereRef('arquivo_numero', '=', 'arquivo.numero')),
    )
    .execute();
  return { pares, comItens: comItens.map(({ numero }) => numero) };
}
