/**
 * The window of a page: rows of one index in the order of the listing, bounded in number. Which index it is, is decided
 * here; what else a document must be, in `queries-lista.ts`.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import { CODIGO_DE_EVENTO, STATUS_EM_CODIGO, TIPO_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import type { Cursor } from './cursor.ts';
import { type FiltroDeDocumentos, MODELOS_DA_ESPECIE, type Regras } from './filtro.ts';

/** A literal, so that a partial index is seen to fit. */
const EVENTO = sql.lit(CODIGO_DE_EVENTO);

/** The amount of a document as index `documento_valor` has it; null of what has none. */
export const EM_CENTAVOS = sql<
  number | null
>`cast(round(cast(documento.valor as double precision) * 100) as bigint)`;

/** Rows of an index in listing order: `k1`, `k2` are the place, and lead to a document. */
export interface LinhaDaJanela {
  documento_id: number;
  k1: number;
  k2: number;
}

export interface Passo {
  /** Where the page before ended; null at the beginning. */
  depois: Cursor | null;
  /** Rows of the index that are looked at. */
  janela: number;
}

/** Places that a filter of arrival bounds, ends included; null where it does not. */
export interface LimitesDeChegada {
  primeiro: number | null;
  ultimo: number | null;
}

export const ehPorChegada = (filtro: FiltroDeDocumentos) => filtro.ordem.startsWith('importacao');
const ehCrescente = (filtro: FiltroDeDocumentos) => filtro.ordem.endsWith('_asc');
export const direcao = (filtro: FiltroDeDocumentos) => (ehCrescente(filtro) ? 'asc' : 'desc');

/** Rows from a place on, in the order of the listing. */
function aPartirDe(filtro: FiltroDeDocumentos, cursor: Cursor | null, k1: string, k2: string) {
  if (!cursor) return sql<SqlBool>`1 = 1`;
  const [a, b] = [sql.ref(k1), sql.ref(k2)];
  // The first part alone bounds the index; the second one cuts the rows of the same instant.
  return ehCrescente(filtro)
    ? sql<SqlBool>`${a} >= ${cursor.k1} and (${a} > ${cursor.k1} or ${b} >= ${cursor.k2})`
    : sql<SqlBool>`${a} <= ${cursor.k1} and (${a} < ${cursor.k1} or ${b} <= ${cursor.k2})`;
}

function noPeriodo({ emissao }: FiltroDeDocumentos, coluna: string) {
  const { de, ate } = emissao;
  const ref = sql.ref(coluna);
  const parts = [
    ...(de === null ? [] : [sql<SqlBool>`${ref} >= ${de}`]),
    ...(ate === null ? [] : [sql<SqlBool>`${ref} < ${ate}`]),
  ];
  return parts.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}

/** Documents that are candidates because an index names them: by key, number, company. */
export interface Candidatos {
  chaves?: string;
  /** Ranges of numbers, ends included. */
  numeros?: readonly { de: number; ate: number }[];
  /** A number that an inutilização may cover. */
  inutilizado?: number;
  cpfCnpjs?: readonly string[];
  documentoIds?: readonly number[];
  /** An amount, in centavos. */
  centavos?: number;
}

/** `id in (…)` over the indexes `documento_chave`, `documento_numero`, `documento_valor` and `participante_de`. */
function idsDosCandidatos({ contadorId }: { contadorId: number }, candidatos: Candidatos) {
  const parts = [];
  if (candidatos.chaves !== undefined) {
    const prefixo = candidatos.chaves;
    parts.push(sql`select id from documento where contador_id = ${contadorId} and classe <> 'evento'
      and chave >= ${prefixo} and chave <= ${prefixo + 'Z'.repeat(60)}`);
  }
  for (const { de, ate } of candidatos.numeros ?? []) {
    parts.push(sql`select id from documento where contador_id = ${contadorId} and classe <> 'evento'
      and numero_inicial >= ${de} and numero_inicial <= ${ate}`);
  }
  const { cpfCnpjs = [], documentoIds = [], inutilizado } = candidatos;
  if (inutilizado !== undefined) {
    parts.push(sql`select id from documento where contador_id = ${contadorId} and classe <> 'evento'
      and status <> 'Autorizada' and status = 'Inutilizada'
      and +numero_inicial < ${inutilizado} and numero_final >= ${inutilizado}`);
  }
  if (candidatos.centavos !== undefined) {
    parts.push(sql`select id from documento where contador_id = ${contadorId} and classe = 'documento'
      and valor is not null and ${EM_CENTAVOS} = ${candidatos.centavos}`);
  }
  if (cpfCnpjs.length > 0) {
    parts.push(sql`select documento_id as id from participante where contador_id = ${contadorId}
      and cpf_cnpj in (${sql.join(cpfCnpjs)})`);
  }
  if (documentoIds.length > 0) {
    parts.push(
      sql`select id from documento where contador_id = ${contadorId} and id in (${sql.join(documentoIds)})`,
    );
  }
  return parts.length === 0 ? sql`select id from documento where 1 = 0` : sql.join(parts, sql` union all `);
}

/** How many candidates there are, counted up to `limite`: as many index rows are read. */
export async function countCandidatos(
  db: Db,
  input: { contadorId: number; candidatos: Candidatos; limite: number },
): Promise<number> {
  const { rows } = await sql<{ quantos: number }>`select count(*) as quantos from
    (select 1 as um from (${idsDosCandidatos(input, input.candidatos)}) as achados limit ${input.limite}) as ate_o_limite`.execute(
    db,
  );
  return Number(rows[0]?.quantos ?? 0);
}

/** The office's documents by issue date, model by model merged: `documento_listagem`, or a smaller index. */
function janelaDoEscritorio(filtro: FiltroDeDocumentos, passo: Passo, regras: Regras) {
  const dir = sql.raw(direcao(filtro));
  const comum = sql`contador_id = ${filtro.contadorId} and classe <> 'evento'
    and ${noPeriodo(filtro, 'emitido_em')} and ${aPartirDe(filtro, passo.depois, 'emitido_em', 'id')}`;
  const colunas = sql`select id as documento_id, emitido_em as k1, id as k2 from documento`;
  const fim = sql`order by k1 ${dir}, k2 ${dir} limit ${passo.janela}`;
  const modelos = MODELOS_DA_ESPECIE[filtro.especie];
  if (regras.status !== null && regras.status !== 'Autorizada') {
    return sql`${colunas} where ${comum} and status <> 'Autorizada' and status = ${regras.status}
      and modelo in (${sql.join(modelos)}) ${fim}`;
  }
  if (regras.cartaCorrecao) {
    return sql`${colunas} where ${comum} and classe = 'documento' and carta_correcao = 1
      and modelo in (${sql.join(modelos)}) ${fim}`;
  }
  const ramos = modelos.map((modelo) => sql`${colunas} where ${comum} and modelo = ${modelo}`);
  return sql`${sql.join(ramos, sql` union all `)} ${fim}`;
}

/** A client's documents by issue date: the covering index `participacao_listagem`. */
function janelaDoCliente(filtro: FiltroDeDocumentos, passo: Passo, regras: Regras) {
  const dir = sql.raw(direcao(filtro));
  const ramos = MODELOS_DA_ESPECIE[filtro.especie].map(
    (modelo) => sql`select documento_id, emitido_em as k1, nsu as k2 from participacao
      where cliente_id = ${filtro.clienteId} and classe <> ${EVENTO} and modelo = ${modelo}
      and ${noPeriodo(filtro, 'emitido_em')} and ${aPartirDe(filtro, passo.depois, 'emitido_em', 'nsu')}
      and ${daParticipacao(regras)}`,
  );
  return sql`${sql.join(ramos, sql` union all `)} order by k1 ${dir}, k2 ${dir} limit ${passo.janela}`;
}

function daParticipacao(regras: Regras) {
  const parts = [
    ...(regras.tipo ? [sql<SqlBool>`tipo = ${TIPO_EM_CODIGO.escrever(regras.tipo)}`] : []),
    ...(regras.status ? [sql<SqlBool>`status = ${STATUS_EM_CODIGO.escrever(regras.status)}`] : []),
    ...(regras.cartaCorrecao ? [sql<SqlBool>`carta_correcao = 1`] : []),
  ];
  return parts.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}

/** By arrival: the feed of the client, or the ids of the office. */
function janelaPorChegada(filtro: FiltroDeDocumentos, passo: Passo, limites: LimitesDeChegada) {
  const dir = sql.raw(direcao(filtro));
  const { primeiro, ultimo } = limites;
  const entre = (coluna: string) => {
    const ref = sql.ref(coluna);
    const parts = [
      aPartirDe(filtro, passo.depois, coluna, coluna),
      ...(primeiro === null ? [] : [sql<SqlBool>`${ref} >= ${primeiro}`]),
      ...(ultimo === null ? [] : [sql<SqlBool>`${ref} <= ${ultimo}`]),
    ];
    return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  };
  const modelos = sql.join([...MODELOS_DA_ESPECIE[filtro.especie]]);
  if (filtro.clienteId !== null) {
    return sql`select entrada.documento_id, entrada.nsu as k1, entrada.nsu as k2 from entrada
      join participacao on participacao.cliente_id = entrada.cliente_id
        and participacao.documento_id = entrada.documento_id and participacao.nsu = entrada.nsu
      where entrada.cliente_id = ${filtro.clienteId} and participacao.classe <> ${EVENTO}
        and participacao.modelo in (${modelos}) and ${entre('entrada.nsu')}
      order by entrada.nsu ${dir} limit ${passo.janela}`;
  }
  // The sign keeps the engine from choosing another index and sorting: ids are already in order of arrival.
  return sql`select id as documento_id, id as k1, id as k2 from documento
    where +contador_id = ${filtro.contadorId} and classe <> 'evento' and modelo in (${modelos}) and ${entre('id')}
    order by id ${dir} limit ${passo.janela}`;
}

/** Few enough to be sorted: no window. The candidates lead, whatever the engine knows of the other indexes. */
function janelaDosCandidatos(filtro: FiltroDeDocumentos, passo: Passo, candidatos: Candidatos) {
  const ids = sql`(select distinct id from (${idsDosCandidatos(filtro, candidatos)}) as achados) as candidato`;
  const dir = sql.raw(direcao(filtro));
  const modelos = sql.join([...MODELOS_DA_ESPECIE[filtro.especie]]);
  const chegada = ehPorChegada(filtro);
  if (filtro.clienteId !== null) {
    const k1 = chegada ? 'participacao.nsu' : 'participacao.emitido_em';
    return sql`select participacao.documento_id, ${sql.ref(k1)} as k1, participacao.nsu as k2
      from ${ids} cross join participacao
      where participacao.cliente_id = ${filtro.clienteId} and participacao.documento_id = candidato.id
      and participacao.classe <> ${EVENTO} and participacao.modelo in (${modelos})
      and ${noPeriodo(filtro, 'participacao.emitido_em')} and ${aPartirDe(filtro, passo.depois, k1, 'participacao.nsu')}
      order by k1 ${dir}, k2 ${dir} limit ${passo.janela}`;
  }
  const k1 = chegada ? 'documento.id' : 'documento.emitido_em';
  return sql`select documento.id as documento_id, ${sql.ref(k1)} as k1, documento.id as k2
    from ${ids} cross join documento
    where documento.id = candidato.id and documento.classe <> 'evento' and documento.modelo in (${modelos})
    and ${noPeriodo(filtro, 'documento.emitido_em')} and ${aPartirDe(filtro, passo.depois, k1, 'documento.id')}
    order by k1 ${dir}, k2 ${dir} limit ${passo.janela}`;
}

export interface Plano {
  regras: Regras;
  /** Documents named by an index, when they are few. */
  candidatos: Candidatos | null;
  /** Otherwise what a document must have to match what was typed. */
  densos: Candidatos | null;
  limites: LimitesDeChegada;
}

export function janelaDe(filtro: FiltroDeDocumentos, passo: Passo, plano: Plano) {
  if (plano.candidatos) return janelaDosCandidatos(filtro, passo, plano.candidatos);
  if (ehPorChegada(filtro)) return janelaPorChegada(filtro, passo, plano.limites);
  return filtro.clienteId === null
    ? janelaDoEscritorio(filtro, passo, plano.regras)
    : janelaDoCliente(filtro, passo, plano.regras);
}
