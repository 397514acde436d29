/** Statements of imports and held documents as the console shows them. */

import { sql } from 'kysely';
import type { CodigoDePapel, Db } from '../../banco/tabelas.ts';
import { temBytes } from '../../documentos/bytes/queries-envios.ts';
import { PAPEL_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import { completar } from '../../documentos/lean/itens-enxutos.ts';
import { NOME_DO_PARTICIPANTE, PAPEL_DO_PARTICIPANTE } from '../../documentos/queries.ts';
import { origemDoArquivo, veioDe } from '../queries-origem.ts';
import { ITEM_RETIDO } from './queries-falhas.ts';

/** Who looks at files: of an office, and perhaps only at what one of its people has sent. */
export interface QuemVe {
  contadorId: number;
  /** `usuario.id`; null: whoever sent them. */
  somenteDe: number | null;
}

export interface FiltroDeImportacoes extends QuemVe {
  status: string | null;
  /** `token:<id>`, `usuario:<id>`, or a way of sending. */
  remetente: string | null;
  de: number | null;
  ate: number | null;
  busca: string | null;
  /** Unix seconds: whose address, and noted body, ended before that has lapsed. */
  expiradosAntesDe: number;
}

const COLUNAS = [
  'arquivo.id',
  'arquivo.numero',
  'arquivo.nome',
  'arquivo.extensao',
  'arquivo.status',
  'arquivo.tamanho',
  'arquivo.tamanho_anunciado',
  'arquivo.criado_em',
  'arquivo.expira_em',
  'arquivo.chegando_ate',
  'arquivo.recebido_em',
  'arquivo.inicio_em',
  'arquivo.fim_em',
  'arquivo.log',
  'arquivo.sha256',
  'arquivo.reimportado_de',
  'token_integracao.nome as token',
  'arquivo.usuario_id',
  'usuario.nome as usuario',
  'job.itens_prontos as itens',
  'job.erro',
] as const;

function arquivos(db: Db, { contadorId, somenteDe }: QuemVe) {
  const rows = db
    .selectFrom('arquivo')
    .leftJoin('token_integracao', 'token_integracao.id', 'arquivo.token_id')
    .leftJoin('usuario', 'usuario.id', 'arquivo.usuario_id')
    .leftJoin('job', 'job.arquivo_id', 'arquivo.id')
    .select([...COLUNAS, temBytes().as('tem_bytes'), origemDoArquivo().as('origem')])
    .where('arquivo.contador_id', '=', contadorId);
  return somenteDe === null ? rows : rows.where('arquivo.usuario_id', '=', somenteDe);
}

/** A page of files, the newest first, behind a place; index `arquivo_contador`. */
export async function findArquivos(
  db: Db,
  input: { filtro: FiltroDeImportacoes; depois: { em: number; id: string } | null; limite: number },
) {
  const { filtro, depois } = input;
  let query = arquivos(db, filtro);
  if (filtro.de !== null) query = query.where('arquivo.criado_em', '>=', filtro.de);
  if (filtro.ate !== null) query = query.where('arquivo.criado_em', '<', filtro.ate);
  if (depois) {
    query = query
      .where('arquivo.criado_em', '<=', depois.em)
      .where((eb) => eb.or([eb('arquivo.criado_em', '<', depois.em), eb('arquivo.id', '<', depois.id)]));
  }
  const { status, expiradosAntesDe } = filtro;
  if (status === 'Expirado') {
    query = query.where((eb) =>
      eb.or([
        eb('arquivo.status', '=', 'Expirado'),
        eb.and([
          eb('arquivo.status', '=', 'Aguardando Upload'),
          eb('arquivo.expira_em', '<', expiradosAntesDe),
          eb(eb.fn.coalesce('arquivo.chegando_ate', sql.lit(0)), '<', expiradosAntesDe),
        ]),
      ]),
    );
  } else if (status !== null) {
    query = query.where('arquivo.status', '=', status);
    if (status === 'Aguardando Upload') {
      query = query.where((eb) =>
        eb.or([
          eb('arquivo.expira_em', '>=', expiradosAntesDe),
          eb('arquivo.chegando_ate', '>=', expiradosAntesDe),
        ]),
      );
    }
  }
  const [, kind, who] = /^(token|usuario):(\d+)$/.exec(filtro.remetente ?? '') ?? [];
  if (kind)
    query = query.where(kind === 'token' ? 'arquivo.token_id' : 'arquivo.usuario_id', '=', Number(who));
  else if (filtro.remetente) query = query.where(veioDe(filtro.remetente));
  if (filtro.busca) {
    const text = filtro.busca.toLowerCase();
    query = query.where((eb) =>
      eb.or([
        eb('arquivo.id', '=', text),
        eb(sql<string>`lower(arquivo.nome)`, 'like', `%${text.replaceAll(/[\\%_]/g, '')}%`),
      ]),
    );
  }
  return query
    .orderBy('arquivo.criado_em', 'desc')
    .orderBy('arquivo.id', 'desc')
    .limit(input.limite)
    .execute();
}

export type LinhaDaImportacao = Awaited<ReturnType<typeof findArquivos>>[number];

/** One file of an office, null when it has none with that id; primary key. */
export async function findArquivo(db: Db, input: QuemVe & { id: string }): Promise<LinhaDaImportacao | null> {
  const row = await arquivos(db, input).where('arquivo.id', '=', input.id).executeTakeFirst();
  return row ?? null;
}

/** Later tries with the same bytes; index `arquivo_reimportado`. */
export async function findTentativas(db: Db, input: { contadorId: number; id: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('arquivo')
    .select('id')
    .where('reimportado_de', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .orderBy('criado_em')
    .execute();
  return rows.map((row) => row.id);
}

/** Items of a file by outcome; one range of its primary key. */
export async function countItens(db: Db, arquivoNumero: number) {
  const rows = await db
    .selectFrom('item')
    .select((eb) => ['resultado', eb.fn.countAll<number>().as('quantidade')])
    .where('arquivo_numero', '=', arquivoNumero)
    .groupBy('resultado')
    .execute();
  return rows.map((row) => ({ resultado: row.resultado, quantidade: Number(row.quantidade) }));
}

/** Items of a file behind a place, in their order; one range of its primary key. */
export async function findItens(
  db: Db,
  input: { arquivoNumero: number; resultado: string | null; depois: number; limite: number },
) {
  let query = db
    .selectFrom('item')
    .selectAll()
    .where('arquivo_numero', '=', input.arquivoNumero)
    .where('ordem', '>', input.depois);
  if (input.resultado) query = query.where('resultado', '=', input.resultado);
  return completar(db, await query.orderBy('ordem').limit(input.limite).execute());
}

/** Held documents that are looked at: more are told as "at least". */
export const RETIDOS_MAX = 20_000;

/** What is written where a buyer is not named: one digit over and over. Nobody can be registered by it. */
const GENERICOS = Array.from({ length: 10 }, (_, digit) =>
  [11, 14].map((length) => String(digit).repeat(length)),
).flat();

/** The last company that was told. */
export interface LugarDoRetido {
  documentos: number;
  cpfCnpj: string;
}

/**
 * An item with its upload that holds a document back. Where it stands, each `cross join` holds SQLite to the order that is
 * written, from the few held ones on: left to choose, it begins with all files or all documents of the office.
 */
const retem = (
  contadorId: number,
) => sql`arquivo.numero = item.arquivo_numero and arquivo.contador_id = ${contadorId}
  and ${ITEM_RETIDO} and item.documento_id is not null`;

/**
 * Companies of documents that no client has, each with how many, behind a place; partial index `item_documento` with the
 * upload that each came in, then the parties of at most `RETIDOS_MAX` documents of this office. `empresas`: how many there
 * are from that place on; `olhados`: how many documents were looked at.
 */
export async function findRetidos(
  db: Db,
  input: { contadorId: number; depois: LugarDoRetido | null; limite: number },
) {
  const { contadorId, depois, limite } = input;
  const quantos = sql`count(distinct documento.id)`;
  const atras =
    depois === null
      ? sql``
      : sql`having ${quantos} < ${depois.documentos}
          or (${quantos} = ${depois.documentos} and participante.cpf_cnpj > ${depois.cpfCnpj})`;
  const { rows } = await sql<{
    cpf_cnpj: string;
    nome: string | null;
    documentos: number;
    primeiro: number;
    ultimo: number;
    papeis: string;
    empresas: number;
    olhados: number;
  }>`
    with retido as (
      select distinct item.documento_id from item cross join arquivo
      where ${retem(contadorId)}
      limit ${RETIDOS_MAX}
    )
    select participante.cpf_cnpj, max(${NOME_DO_PARTICIPANTE}) as nome, ${quantos} as documentos,
      min(documento.emitido_em) as primeiro, max(documento.emitido_em) as ultimo,
      min(${PAPEL_DO_PARTICIPANTE}) || ',' || max(${PAPEL_DO_PARTICIPANTE}) as papeis,
      count(*) over () as empresas, (select count(*) from retido) as olhados
    from retido cross join documento cross join participante
    where documento.id = retido.documento_id and participante.documento_id = documento.id
      and documento.contador_id = ${contadorId} and documento.ambiente = 1
      and participante.papel <> ${PAPEL_EM_CODIGO.escrever('autorizado')}
      and length(participante.cpf_cnpj) in (11, 14)
      and participante.cpf_cnpj not in (${sql.join(GENERICOS)})
      and not exists (select 1 from participacao where participacao.documento_id = documento.id)
    group by participante.cpf_cnpj
    ${atras}
    order by documentos desc, participante.cpf_cnpj
    limit ${limite}`.execute(db);
  return rows.map((row) => ({
    ...row,
    documentos: Number(row.documentos),
    primeiro: Number(row.primeiro),
    ultimo: Number(row.ultimo),
    empresas: Number(row.empresas),
    olhados: Number(row.olhados),
  }));
}

/** Held documents of an office, counted up to `limite`: as `findRetidos`, without their parties. */
export async function countRetidos(db: Db, input: { contadorId: number; limite: number }): Promise<number> {
  const { rows } = await sql<{ quantos: number }>`select count(*) as quantos from (
    select distinct item.documento_id from item cross join arquivo cross join documento
    where ${retem(input.contadorId)} and documento.id = item.documento_id and documento.ambiente = 1
      and not exists (select 1 from participacao where participacao.documento_id = item.documento_id)
    limit ${input.limite}) as retido`.execute(db);
  return Number(rows[0]?.quantos ?? 0);
}

/** Who takes which part in held documents, the first ones that came: at most `limite` documents. */
export async function findPartesDosRetidos(db: Db, input: { contadorId: number; limite: number }) {
  const { rows } = await sql<{
    documento_id: number;
    cpf_cnpj: string;
    papel: CodigoDePapel;
    nome: string | null;
  }>`
    with retido as (
      select distinct item.documento_id from item cross join arquivo
      where ${retem(input.contadorId)}
        and not exists (select 1 from participacao where participacao.documento_id = item.documento_id)
      order by item.documento_id limit ${input.limite}
    )
    select retido.documento_id, participante.cpf_cnpj, participante.papel, ${NOME_DO_PARTICIPANTE} as nome
    from retido cross join documento cross join participante
    where documento.id = retido.documento_id and participante.documento_id = documento.id
      and documento.contador_id = ${input.contadorId} and documento.ambiente = 1`.execute(db);
  return rows.map((row) => ({
    documentoId: Number(row.documento_id),
    cpfCnpj: row.cpf_cnpj,
    papel: PAPEL_EM_CODIGO.ler(row.papel),
    nome: row.nome,
  }));
}
