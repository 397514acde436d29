/**
 * Statements of the listing. Each page walks a window of one index in the order of the listing (`queries-janela.ts`),
 * and looks only at the documents of that window; no statement grows with the size of the vault.
 */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CodigoDePapel, CodigoDeTipo, Db, Tabelas } from '../../banco/tabelas.ts';
import { PAPEL_EM_CODIGO, TIPO_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import { writeProva } from '../../documentos/lean/prova-guardada.ts';
import type { Papel } from '../../fiscal/tipos.ts';
import { veioDe } from '../queries-origem.ts';
import { type ColunaOrdenada, type FiltroDeDocumentos, MANIFESTACAO } from './filtro.ts';
import {
  type Candidatos,
  direcao,
  EM_CENTAVOS,
  janelaDe,
  type LinhaDaJanela,
  type Passo,
  type Plano,
} from './queries-janela.ts';

/** The last place of the window, when the window is full: where the next one goes on. */
export async function findFimDaJanela(
  db: Db,
  input: { filtro: FiltroDeDocumentos; passo: Passo; plano: Plano },
): Promise<LinhaDaJanela | null> {
  const { filtro, passo, plano } = input;
  const { rows } =
    await sql<LinhaDaJanela>`select documento_id, k1, k2 from (${janelaDe(filtro, passo, plano)}) as trecho
    limit 1 offset ${passo.janela - 1}`.execute(db);
  return rows[0] ?? null;
}

export interface LinhaDaLista {
  documento_id: number;
  k1: number;
  k2: number;
  cliente_id: number;
  cliente: string;
  cliente_nome: string;
  nsu: number;
  papel: Papel;
  tipo: 'Emitida' | 'Recebida';
  classe: string;
  especie: string;
  modelo: string;
  serie: string | null;
  numero: string | null;
  numero_inicial: number | null;
  numero_final: number | null;
  chave: string;
  status: string;
  data_emissao: string;
  emitido_em: number;
  importado_em: number;
  emitente: string | null;
  emitente_nome: string | null;
  destinatario: string | null;
  destinatario_nome: string | null;
  valor: string | null;
  tp_nf: string | null;
  finalidade_codigo: string | null;
  itens: string | null;
  municipio_prestacao: number | null;
  carta_correcao: number;
  manifestacao: string | null;
  ambiente: number;
  prova: number | null;
  status_prova: number | null;
}

/** A window, and what its rows must be. */
interface Trecho {
  filtro: FiltroDeDocumentos;
  passo: Passo;
  plano: Plano;
  /** Of a document that several clients have, only the row of the first of them that passes. */
  umaPorDocumento: boolean;
}

/** Rows of one window that pass every filter. */
function linhasDoTrecho(db: Db, { filtro, passo, plano, umaPorDocumento }: Trecho) {
  const { depois } = passo;
  let query = db
    .selectFrom(sql<LinhaDaJanela>`(${janelaDe(filtro, passo, plano)})`.as('trecho'))
    // SQLite keeps the order of a cross join: from the few rows of the window to what they lead to, never backwards.
    .crossJoin('documento')
    .crossJoin('participacao')
    .crossJoin('cliente')
    .whereRef('documento.id', '=', 'trecho.documento_id')
    .whereRef('participacao.documento_id', '=', 'trecho.documento_id')
    .whereRef('cliente.id', '=', 'participacao.cliente_id')
    .where('cliente.contador_id', '=', filtro.contadorId)
    .where((eb) => eb.and(outros(eb, filtro, plano)));
  if (filtro.clienteId !== null) query = query.where('participacao.cliente_id', '=', filtro.clienteId);
  else if (umaPorDocumento) query = query.where(semAnterior(filtro, plano));
  if (filtro.entre !== null) query = query.where('participacao.cliente_id', 'in', filtro.entre);
  if (depois) {
    query = query.where(
      sql<SqlBool>`not (trecho.k1 = ${depois.k1} and trecho.k2 = ${depois.k2} and participacao.cliente_id <= ${depois.clienteId})`,
    );
  }
  return query;
}

/** No client before this one has the document in the way that is asked for; index `participacao_documento`. */
function semAnterior({ papel, entre }: FiltroDeDocumentos, { regras: { tipo } }: Plano): Expression<SqlBool> {
  const comTipo = tipo ? sql`and outra.tipo = ${TIPO_EM_CODIGO.escrever(tipo)}` : sql``;
  const comPapel = papel ? sql`and outra.papel = ${PAPEL_EM_CODIGO.escrever(papel as Papel)}` : sql``;
  const doAlcance = entre ? sql`and outra.cliente_id in (${sql.join(entre)})` : sql``;
  return sql<SqlBool>`not exists (select 1 from participacao as outra
    where outra.documento_id = participacao.documento_id and outra.cliente_id < participacao.cliente_id
    ${comTipo} ${comPapel} ${doAlcance})`;
}

const COLUNAS_DA_LINHA = [
  'trecho.documento_id',
  'trecho.k1',
  'trecho.k2',
  'participacao.cliente_id',
  'cliente.cpf_cnpj as cliente',
  'cliente.nome as cliente_nome',
  'participacao.nsu',
  'participacao.papel',
  'participacao.tipo',
  'documento.classe',
  'documento.especie',
  'documento.modelo',
  'documento.serie',
  'documento.numero',
  'documento.numero_inicial',
  'documento.numero_final',
  'documento.chave',
  'documento.status',
  'documento.data_emissao',
  'documento.emitido_em',
  'documento.importado_em',
  'documento.emitente',
  'documento.emitente_nome',
  'documento.destinatario',
  'documento.destinatario_nome',
  'documento.valor',
  'documento.tp_nf',
  'documento.finalidade_codigo',
  'documento.itens',
  'documento.municipio_prestacao',
  'documento.carta_correcao',
  'documento.manifestacao',
  'documento.ambiente',
  'documento.prova',
  'documento.status_prova',
] as const;

const emPalavras = <Linha extends { papel: CodigoDePapel; tipo: CodigoDeTipo }>(row: Linha) => ({
  ...row,
  papel: PAPEL_EM_CODIGO.ler(row.papel),
  tipo: TIPO_EM_CODIGO.ler(row.tipo),
});

/** Rows of one window that pass every filter, in the order of the listing, at most `limite`. */
export async function findDaJanela(db: Db, input: Trecho & { limite: number }): Promise<LinhaDaLista[]> {
  const dir = direcao(input.filtro);
  const rows = await linhasDoTrecho(db, input)
    .select(COLUNAS_DA_LINHA)
    .orderBy('trecho.k1', dir)
    .orderBy('trecho.k2', dir)
    .orderBy('participacao.cliente_id', 'asc')
    .limit(input.limite)
    .execute();
  return rows.map(emPalavras);
}

/** What a window can be sorted by, besides the order it is in. */
const CHAVE_DA_COLUNA: Readonly<Record<ColunaOrdenada, RawBuilder<unknown>>> = {
  numero: sql`coalesce(documento.numero_inicial, 0)`,
  valor: sql`coalesce(${EM_CENTAVOS}, -1)`,
  status: sql`documento.status`,
  emitente: sql`upper(coalesce(documento.emitente_nome, ''))`,
  destinatario: sql`upper(coalesce(documento.destinatario_nome, ''))`,
  cliente: sql`upper(cliente.nome)`,
};

/** A part of one window's rows, sorted by a column: all of the window is read, so it has to be bounded. */
export async function findOrdenadas(
  db: Db,
  input: Trecho & { coluna: ColunaOrdenada; pulando: number; limite: number },
): Promise<LinhaDaLista[]> {
  const dir = direcao(input.filtro);
  const rows = await linhasDoTrecho(db, input)
    .select(COLUNAS_DA_LINHA)
    .orderBy(CHAVE_DA_COLUNA[input.coluna], dir)
    .orderBy('trecho.documento_id', dir)
    .orderBy('participacao.cliente_id', 'asc')
    .limit(input.limite)
    .offset(input.pulando)
    .execute();
  return rows.map(emPalavras);
}

/** Of one window, how many rows pass and what they come to, in centavos, by status. */
export async function sumDaJanela(
  db: Db,
  input: Trecho,
): Promise<{ status: string; documentos: number; centavos: number }[]> {
  const rows = await linhasDoTrecho(db, input)
    .select((eb) => [
      'documento.status',
      eb.fn.countAll<number>().as('documentos'),
      sql<number>`coalesce(sum(${EM_CENTAVOS}), 0)`.as('centavos'),
    ])
    .groupBy('documento.status')
    .execute();
  return rows.map(({ status, documentos, centavos }) => ({
    status,
    documentos: Number(documentos),
    centavos: Number(centavos),
  }));
}

type ColunasDaLista = ExpressionBuilder<
  Tabelas & { trecho: LinhaDaJanela },
  'trecho' | 'documento' | 'participacao' | 'cliente'
>;

/** Filters that no index has: they look at the documents of the window. */
function outros(eb: ColunasDaLista, filtro: FiltroDeDocumentos, plano: Plano): Expression<SqlBool>[] {
  const { regras } = plano;
  return [
    ...(regras.tipo ? [eb('participacao.tipo', '=', TIPO_EM_CODIGO.escrever(regras.tipo))] : []),
    ...(regras.status ? [eb('documento.status', '=', regras.status)] : []),
    ...(regras.cartaCorrecao ? [eb('documento.carta_correcao', '=', 1)] : []),
    ...(filtro.papel ? [eb('participacao.papel', '=', PAPEL_EM_CODIGO.escrever(filtro.papel))] : []),
    ...(filtro.serie ? [eb('documento.serie', '=', filtro.serie)] : []),
    ...(filtro.numero === null
      ? []
      : [
          eb('documento.numero_inicial', '<=', filtro.numero),
          eb('documento.numero_final', '>=', filtro.numero),
        ]),
    ...doPeriodoDeChegada(eb, filtro),
    ...doValor(filtro),
    ...daUf(filtro.uf),
    ...daManifestacao(eb, filtro),
    ...daProva(eb, filtro),
    ...daOrigem(eb, filtro.origem),
    ...(plano.densos ? [bate(plano.densos)] : []),
  ];
}

function doPeriodoDeChegada(eb: ColunasDaLista, { importacao }: FiltroDeDocumentos): Expression<SqlBool>[] {
  return [
    ...(importacao.de === null ? [] : [eb('documento.importado_em', '>=', importacao.de)]),
    ...(importacao.ate === null ? [] : [eb('documento.importado_em', '<', importacao.ate)]),
  ];
}

/** `double precision` is known to both engines, and exact enough to compare what people type. */
function doValor({ valor }: FiltroDeDocumentos): Expression<SqlBool>[] {
  const numero = sql`cast(documento.valor as double precision)`;
  return [
    ...(valor.de === null ? [] : [sql<SqlBool>`${numero} >= ${valor.de}`]),
    ...(valor.ate === null ? [] : [sql<SqlBool>`${numero} <= ${valor.ate}`]),
  ];
}

/** The key begins with the state; an NFS-e tells its município. */
function daUf(uf: string | null): Expression<SqlBool>[] {
  if (uf === null) return [];
  const [from, to] = [Number(uf) * 100_000, (Number(uf) + 1) * 100_000];
  return [
    sql<SqlBool>`((documento.modelo <> 'NFSe' and substr(documento.chave, 1, 2) = ${uf})
      or (documento.modelo = 'NFSe' and documento.municipio_prestacao >= ${from} and documento.municipio_prestacao < ${to}))`,
  ];
}

function daManifestacao(eb: ColunasDaLista, { manifestacao }: FiltroDeDocumentos): Expression<SqlBool>[] {
  if (manifestacao === null) return [];
  return manifestacao === 'sem'
    ? [eb('documento.manifestacao', 'is', null)]
    : [eb('documento.manifestacao', '=', MANIFESTACAO[manifestacao])];
}

/** Marked: what changed the status is proven less than the document itself. */
function daProva(eb: ColunasDaLista, { prova }: FiltroDeDocumentos): Expression<SqlBool>[] {
  if (prova === null) return [];
  if (prova === 'marcada') {
    const declarada = writeProva('declarada');
    return [eb('documento.status_prova', '=', declarada), eb('documento.prova', '>', declarada)];
  }
  const numero = writeProva(prova);
  return prova === 'declarada'
    ? [eb.or([eb('documento.status_prova', '=', numero), eb('documento.status_prova', 'is', null)])]
    : [eb('documento.status_prova', '=', numero)];
}

function daOrigem(eb: ColunasDaLista, origem: string | null): Expression<SqlBool>[] {
  if (origem === null) return [];
  const token = /^token:([0-9]{1,15})$/.exec(origem)?.[1];
  const veio = eb
    .selectFrom('versao')
    .innerJoin('arquivo', 'arquivo.numero', 'versao.arquivo_numero')
    .select('versao.id')
    .whereRef('versao.documento_id', '=', 'documento.id')
    .where('versao.servida', '=', sql.lit(1 as const));
  return [
    eb.exists(
      token === undefined ? veio.where(veioDe(origem)) : veio.where('arquivo.token_id', '=', Number(token)),
    ),
  ];
}

/** What was typed, where so many documents match that sorting them would cost more than walking. */
function bate({
  numeros = [],
  cpfCnpjs = [],
  chaves,
  documentoIds = [],
  centavos,
}: Candidatos): Expression<SqlBool> {
  const parts = [
    ...numeros.map(({ de, ate }) => sql`documento.numero_inicial between ${de} and ${ate}`),
    ...(cpfCnpjs.length > 0
      ? [
          sql`documento.emitente in (${sql.join(cpfCnpjs)})`,
          sql`documento.destinatario in (${sql.join(cpfCnpjs)})`,
          sql`exists (select 1 from participante where participante.documento_id = documento.id
            and participante.cpf_cnpj in (${sql.join(cpfCnpjs)}))`,
        ]
      : []),
    ...(chaves === undefined
      ? []
      : [sql`(documento.chave >= ${chaves} and documento.chave <= ${chaves + 'Z'.repeat(60)})`]),
    ...(centavos === undefined ? [] : [sql`${EM_CENTAVOS} = ${centavos}`]),
    ...(documentoIds.length > 0 ? [sql`documento.id in (${sql.join(documentoIds)})`] : []),
  ];
  return sql<SqlBool>`(${parts.length === 0 ? sql`1 = 0` : sql.join(parts, sql` or `)})`;
}

/** Documents whose key has these characters somewhere; reads the index `documento_chave` of the office, and no document. */
export async function findIdsPorTrechoDaChave(
  db: Db,
  input: { contadorId: number; trecho: string; limite: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('documento')
    .select('id')
    .where('contador_id', '=', input.contadorId)
    .where('chave', 'like', `%${input.trecho}%`)
    .where('classe', 'in', ['documento', 'inutilizacao'])
    .limit(input.limite)
    .execute();
  return rows.map((row) => row.id);
}

/** The first place at or behind an instant of arrival; a handful of steps into one index. */
export async function findChegada(
  db: Db,
  input: { clienteId: number | null; lugar: number },
): Promise<{ lugar: number; importado_em: number } | null> {
  const row =
    input.clienteId === null
      ? await db
          .selectFrom('documento')
          .select(['id as lugar', 'importado_em'])
          .where('id', '>=', input.lugar)
          .orderBy('id')
          .limit(1)
          .executeTakeFirst()
      : await db
          .selectFrom('entrada')
          .select(['nsu as lugar', 'importado_em'])
          .where('cliente_id', '=', input.clienteId)
          .where('nsu', '>=', input.lugar)
          .orderBy('nsu')
          .limit(1)
          .executeTakeFirst();
  return row ?? null;
}

/** The last place there is. */
export async function findUltimoLugar(db: Db, clienteId: number | null): Promise<number> {
  const row =
    clienteId === null
      ? await db
          .selectFrom('documento')
          .select((eb) => eb.fn.max('id').as('ultimo'))
          .executeTakeFirst()
      : await db
          .selectFrom('cliente')
          .select('ultimo_nsu as ultimo')
          .where('id', '=', clienteId)
          .executeTakeFirst();
  return Number(row?.ultimo ?? 0);
}
