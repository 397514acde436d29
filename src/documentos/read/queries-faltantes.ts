/** Statements of the missing numbers; all of them run over `documento_numeracao` and `esperado_emitente`. */
import { sql } from 'kysely';
import { MAIOR_FAIXA } from '../../fiscal/inutilizacao/parse.ts';
import type { Leitor } from '../queries-leitura.ts';

/** Whose numbering: one issuer, one model, production only. */
export interface Numeracao {
  contadorId: number;
  emitente: string;
  modelo: string;
}

/**
 * The state that a numbering belongs to, as the key begins: a producer who issues with a CPF has one numbering in each state,
 * while a CNPJ has one for all. @fonte NT 2018.001, emissão por produtor rural com CPF
 */
function temUmaPorUf({ emitente }: Numeracao): boolean {
  return emitente.length === CPF_LENGTH;
}
const CPF_LENGTH = 11;
const UF_DA_CHAVE = sql<string>`substr(chave, 1, 2)`;

/** One series of a numbering. */
interface UmaSerie extends Numeracao {
  serie: string;
  /** Two digits, as the key begins; '' where the numbering is one for all states. */
  uf: string;
}

export interface LimitesDaSerie {
  serie: string;
  uf: string;
  /** Smallest and largest known number inside the period. */
  menor: number;
  maior: number;
}

function daNumeracao(db: Leitor, { contadorId, emitente, modelo }: Numeracao) {
  return db
    .selectFrom('documento')
    .where('classe', '<>', sql.lit('evento'))
    .where('contador_id', '=', contadorId)
    .where('ambiente', '=', 1)
    .where('emitente', '=', emitente)
    .where('modelo', '=', modelo);
}

/** Series with documents issued in the period, a few rows. */
export async function findSeries(
  db: Leitor,
  input: Numeracao & { desde: number; ate: number },
): Promise<LimitesDaSerie[]> {
  const query = daNumeracao(db, input)
    .where('classe', '=', 'documento')
    .where('emitido_em', '>=', input.desde)
    .where('emitido_em', '<', input.ate)
    .select((eb) => ['serie', eb.fn.min('numero_inicial').as('menor'), eb.fn.max('numero_final').as('maior')])
    .groupBy('serie');
  const rows = await query
    .$if(temUmaPorUf(input), (one) => one.select(UF_DA_CHAVE.as('uf')).groupBy(UF_DA_CHAVE))
    .execute();
  return rows.map(({ serie, uf, menor, maior }) => ({
    serie: serie ?? '0',
    uf: uf ?? '',
    menor: Number(menor),
    maior: Number(maior),
  }));
}

/** The last number before the period that is below the first one inside it; one row or none. */
export async function findNumeroAnterior(
  db: Leitor,
  input: UmaSerie & { abaixoDe: number; antesDe: number },
): Promise<number | null> {
  const row = await daNumeracao(db, input)
    .where('classe', '=', 'documento')
    .where('serie', '=', input.serie)
    .$if(temUmaPorUf(input), (one) => one.where(UF_DA_CHAVE, '=', input.uf))
    .where('numero_inicial', '<', input.abaixoDe)
    .where('emitido_em', '<', input.antesDe)
    .select('numero_inicial')
    .orderBy('numero_inicial', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.numero_inicial ?? null;
}

export interface Lacuna {
  primeiro: number;
  ultimo: number;
}

/**
 * Ranges of numbers between two bounds that no document and no inutilização covers: each known range is compared
 * with the furthest end of all before it. Two index scans of the series between the bounds.
 */
export async function findLacunas(
  db: Leitor,
  input: UmaSerie & { menor: number; maior: number; limite: number },
): Promise<Lacuna[]> {
  const { contadorId, emitente, modelo, serie, menor, maior } = input;
  const daSerie = sql`contador_id = ${contadorId} and ambiente = 1 and emitente = ${emitente} and modelo = ${modelo}
    and serie = ${serie} ${temUmaPorUf(input) ? sql`and ${UF_DA_CHAVE} = ${input.uf}` : sql``} and numero_inicial <= ${maior} and numero_final >= ${menor}`;
  const result = await sql<Lacuna>`
    select coberto + 1 as primeiro, proximo - 1 as ultimo
    from (
      select
        max(numero_final) over (order by numero_inicial, numero_final rows between unbounded preceding and current row) as coberto,
        lead(numero_inicial) over (order by numero_inicial, numero_final) as proximo
      from (
        select numero_inicial, numero_final from documento
        where classe <> 'evento' and classe = 'documento' and ${daSerie}
        union all
        select numero_inicial, numero_final from documento
        where classe <> 'evento' and classe = 'inutilizacao' and ${daSerie}
          and numero_final - numero_inicial < ${MAIOR_FAIXA} and afastado = 0
        union all
        select ${menor} as numero_inicial, ${menor} as numero_final
        union all
        select ${maior} as numero_inicial, ${maior} as numero_final
      ) as conhecidos
    ) as vizinhos
    where proximo > coberto + 1 and proximo - 1 >= ${menor} and coberto + 1 <= ${maior}
    order by 1
    limit ${input.limite}`.execute(db);
  return result.rows;
}

export interface EsperadoDaSerie {
  chave: string;
  origem: string;
  serie: string;
  uf: string;
  numero: number;
  /** A registered event cancels it. */
  cancelada: boolean;
  /** A homologated inutilização covers its number. */
  inutilizada: boolean;
}

/**
 * Documents of the issuer that are known by key only, with what events and inutilizações say of them, the first ones by
 * series and number. Known numbers and ranges are walked once, side by side: whether a range covers a number follows from
 * the furthest end of all ranges that begin before it.
 */
export async function findEsperados(
  db: Leitor,
  input: Numeracao & { limite: number },
): Promise<EsperadoDaSerie[]> {
  const { contadorId, emitente, modelo, limite } = input;
  const uf = temUmaPorUf(input) ? UF_DA_CHAVE : sql<string>`''`;
  const { rows } = await sql<Omit<EsperadoDaSerie, 'cancelada' | 'inutilizada'> & Respostas>`
    select chave, origem, serie, uf, numero, cancelada, case when coberto >= numero then 1 else 0 end as inutilizada
    from (
      select chave, origem, serie, uf, numero,
        max(ate) over (partition by serie, uf order by numero, tipo rows between unbounded preceding and current row) as coberto,
        case when chave is not null and exists (
          select 1 from documento
          where documento.contador_id = ${contadorId} and documento.chave = lado.chave and documento.classe = 'evento'
            and documento.ambiente = 1 and documento.evento_efeito = 'cancela' and documento.afastado = 0
        ) then 1 else 0 end as cancelada
      from (
        select serie, ${uf} as uf, numero_inicial as numero, numero_final as ate, 0 as tipo, null as chave, null as origem
        from documento
        where classe <> 'evento' and classe = 'inutilizacao' and contador_id = ${contadorId} and ambiente = 1
          and afastado = 0 and numero_final - numero_inicial < ${MAIOR_FAIXA}
          and emitente = ${emitente} and modelo = ${modelo}
        union all
        select serie, ${uf} as uf, numero, -1 as ate, 1 as tipo, chave, origem
        from esperado
        where contador_id = ${contadorId} and emitente = ${emitente} and modelo = ${modelo}
      ) as lado
    ) as todos
    where chave is not null
    order by serie, uf, numero
    limit ${limite}`.execute(db);
  return rows.map(({ cancelada, inutilizada, ...row }) => ({
    ...row,
    cancelada: cancelada === 1,
    inutilizada: inutilizada === 1,
  }));
}

interface Respostas {
  cancelada: number;
  inutilizada: number;
}
