/** Statements of the missing numbers; all of them run over `documento_numeracao` and `esperado_emitente`. */
import { sql } from 'kysely';
import { MAIOR_FAIXA } from '../fiscal/inutilizacao/parse.ts';
import type { Leitor } from './queries-leitura.ts';

/** Whose numbering: one issuer, one model, production only. */
export interface Numeracao {
  contadorId: number;
  emitente: string;
  modelo: string;
}

export interface LimitesDaSerie {
  serie: string;
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
  const rows = await daNumeracao(db, input)
    .where('classe', '=', 'documento')
    .where('emitido_em', '>=', input.desde)
    .where('emitido_em', '<', input.ate)
    .select((eb) => ['serie', eb.fn.min('numero_inicial').as('menor'), eb.fn.max('numero_final').as('maior')])
    .groupBy('serie')
    .execute();
  return rows.map((row) => ({ serie: row.serie ?? '0', menor: Number(row.menor), maior: Number(row.maior) }));
}

/** The last number before the period that is below the first one inside it; one row or none. */
export async function findNumeroAnterior(
  db: Leitor,
  input: Numeracao & { serie: string; abaixoDe: number; antesDe: number },
): Promise<number | null> {
  const row = await daNumeracao(db, input)
    .where('classe', '=', 'documento')
    .where('serie', '=', input.serie)
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
  input: Numeracao & { serie: string; menor: number; maior: number; limite: number },
): Promise<Lacuna[]> {
  const { contadorId, emitente, modelo, serie, menor, maior } = input;
  const daSerie = sql`contador_id = ${contadorId} and ambiente = 1 and emitente = ${emitente} and modelo = ${modelo}
    and serie = ${serie} and numero_inicial <= ${maior} and numero_final >= ${menor}`;
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
  numero: number;
  /** A registered event cancels it. */
  cancelada: boolean;
  /** A homologated inutilização covers its number. */
  inutilizada: boolean;
}

/** Documents of the issuer that are known by key only, with what events and inutilizações say of them. */
export async function findEsperados(db: Leitor, input: Numeracao): Promise<EsperadoDaSerie[]> {
  const rows = await db
    .selectFrom('esperado')
    .select(['chave', 'origem', 'serie', 'numero'])
    .select((eb) => [
      eb
        .selectFrom('documento')
        .select('documento.id')
        .whereRef('documento.contador_id', '=', 'esperado.contador_id')
        .whereRef('documento.chave', '=', 'esperado.chave')
        .where('documento.classe', '=', 'evento')
        .where('documento.ambiente', '=', 1)
        .where('documento.evento_efeito', '=', 'cancela')
        .where('documento.afastado', '=', 0)
        .limit(1)
        .as('cancelamento'),
      eb
        .selectFrom('documento')
        .select('documento.id')
        .where('documento.classe', '<>', sql.lit('evento'))
        .where('documento.classe', '=', 'inutilizacao')
        .where('documento.ambiente', '=', 1)
        .whereRef('documento.contador_id', '=', 'esperado.contador_id')
        .whereRef('documento.emitente', '=', 'esperado.emitente')
        .whereRef('documento.modelo', '=', 'esperado.modelo')
        .whereRef('documento.serie', '=', 'esperado.serie')
        .whereRef('documento.numero_inicial', '<=', 'esperado.numero')
        .whereRef('documento.numero_final', '>=', 'esperado.numero')
        .where(sql<number>`documento.numero_final - documento.numero_inicial`, '<', MAIOR_FAIXA)
        .where('documento.afastado', '=', 0)
        .limit(1)
        .as('inutilizacao'),
    ])
    .where('contador_id', '=', input.contadorId)
    .where('emitente', '=', input.emitente)
    .where('modelo', '=', input.modelo)
    .orderBy('serie')
    .orderBy('numero')
    .execute();
  return rows.map(({ cancelamento, inutilizacao, ...row }) => ({
    ...row,
    cancelada: cancelamento !== null,
    inutilizada: inutilizacao !== null,
  }));
}
