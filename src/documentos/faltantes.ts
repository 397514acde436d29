/**
 * Missing numbers of an issuer: for each series, what lies between the known numbers and is neither a document,
 * nor inutilizado; and documents that are known by their key only (contract 5, domain 5.5).
 */
import { splitChave } from '../fiscal/chave.ts';
import { diaDe } from '../fiscal/dia.ts';
import type { Chave } from '../fiscal/tipos.ts';
import * as queries from './queries-faltantes.ts';
import type { Leitor } from './queries-leitura.ts';

export interface Faltante {
  modelo: string;
  serie: string;
  numero: string;
  /** Known when a list of keys, a summary or an event names the document. */
  chave: string | null;
  motivo: MotivoDoFaltante;
}

/** What is known of a missing number, and the sentence that says it (issue of the missing numbers: each is explained). */
export const MOTIVO_DO_FALTANTE = {
  inutilizada: 'O número foi inutilizado, mas uma chave ou um evento diz que a nota existe',
  denegada: 'O resumo (resNFe) da SEFAZ diz que a nota foi denegada; o XML ainda não chegou',
  cancelada: 'A nota foi cancelada; o XML dela ainda não chegou',
  'só evento': 'Só chegou um evento; o XML da nota ainda não chegou',
  anunciada: 'Anunciada em lista de chaves ou por resumo (resNFe) da SEFAZ; o XML ainda não chegou',
  'sem documento': 'Nenhum documento, evento ou inutilização com este número',
} as const;
export type MotivoDoFaltante = keyof typeof MOTIVO_DO_FALTANTE;

export interface PaginaDeFaltantes {
  total: number;
  /** At least one series has more missing numbers than are told. */
  truncado: boolean;
  faltantes: Faltante[];
}

/** A jump of the numbering (a series that restarts at 500000) would otherwise list half a million numbers. */
const MAX_POR_SERIE = 10_000;

/** The most telling reason first. */
function motivoDe(esperado: queries.EsperadoDaSerie): MotivoDoFaltante {
  if (esperado.inutilizada) return 'inutilizada';
  if (esperado.cancelada || esperado.origem === 'resumo_cancelada') return 'cancelada';
  if (esperado.origem === 'resumo_denegada') return 'denegada';
  return esperado.origem === 'evento' ? 'só evento' : 'anunciada';
}

export interface ConsultaDeFaltantes {
  contadorId: number;
  cpfCnpj: string;
  modelo: string;
  /** ms UTC, included. */
  desde: number;
  /** ms UTC, excluded; null: open. */
  ate: number | null;
  pagina: number;
  tamanho: number;
}

/** One record for each missing number, by series and number. */
export async function paginaDeFaltantes(db: Leitor, input: ConsultaDeFaltantes): Promise<PaginaDeFaltantes> {
  const numeracao = { contadorId: input.contadorId, emitente: input.cpfCnpj, modelo: input.modelo };
  const periodo = { desde: input.desde, ate: input.ate ?? Number.MAX_SAFE_INTEGER };
  const esperados = (await queries.findEsperados(db, numeracao)).filter((esperado) =>
    mesNoPeriodo(splitChave(esperado.chave as Chave).anoMes, periodo),
  );
  const series = comEsperados(await queries.findSeries(db, { ...numeracao, ...periodo }), esperados);

  const todos: FaltantesDaSerie[] = [];
  for (const limites of series) {
    const anterior = await queries.findNumeroAnterior(db, {
      ...numeracao,
      serie: limites.serie,
      abaixoDe: limites.menor,
      antesDe: periodo.desde,
    });
    const lacunas = await queries.findLacunas(db, {
      ...numeracao,
      serie: limites.serie,
      menor: anterior ?? limites.menor,
      maior: limites.maior,
      limite: MAX_POR_SERIE + 1,
    });
    todos.push(numerosDaSerie(limites.serie, { lacunas, esperados }));
  }
  const skip = (input.pagina - 1) * input.tamanho;
  const numeros = todos.flatMap((serie) => serie.numeros);
  return {
    total: numeros.length,
    truncado: todos.some((serie) => serie.truncada),
    faltantes: numeros
      .slice(skip, skip + input.tamanho)
      .map((numero) => ({ modelo: input.modelo, ...numero })),
  };
}

/** Keys carry only the month of issue: it counts when any of its days lies in the period. */
function mesNoPeriodo(anoMes: string, periodo: { desde: number; ate: number }): boolean {
  const mes = `20${anoMes.slice(0, 2)}-${anoMes.slice(2)}`;
  const ultimo = Math.min(periodo.ate - 1, Date.UTC(2200, 0, 1));
  return diaDe(periodo.desde).slice(0, 7) <= mes && mes <= diaDe(ultimo).slice(0, 7);
}

/** Numbers that are known by key frame gaps just as documents do. */
function comEsperados(
  series: readonly queries.LimitesDaSerie[],
  esperados: readonly queries.EsperadoDaSerie[],
): queries.LimitesDaSerie[] {
  const porSerie = new Map(series.map((limites) => [limites.serie, { ...limites }]));
  for (const { serie, numero } of esperados) {
    const limites = porSerie.get(serie);
    if (!limites) porSerie.set(serie, { serie, menor: numero, maior: numero });
    else {
      limites.menor = Math.min(limites.menor, numero);
      limites.maior = Math.max(limites.maior, numero);
    }
  }
  return [...porSerie.values()].sort((a, b) => Number(a.serie) - Number(b.serie));
}

interface FaltantesDaSerie {
  truncada: boolean;
  numeros: Omit<Faltante, 'modelo'>[];
}

/**
 * Missing numbers in their order, of which the first MAX_POR_SERIE are told. Gaps are spelled out only as far as
 * that needs: the numbers behind it cannot be among the first.
 */
function numerosDaSerie(
  serie: string,
  input: { lacunas: readonly queries.Lacuna[]; esperados: readonly queries.EsperadoDaSerie[] },
): FaltantesDaSerie {
  const porNumero = new Map<number, Omit<Faltante, 'modelo'>>();
  for (const numero of firstNumbers(input.lacunas, MAX_POR_SERIE + 1)) {
    porNumero.set(numero, { serie, numero: String(numero), chave: null, motivo: 'sem documento' });
  }
  for (const esperado of input.esperados) {
    if (esperado.serie !== serie) continue;
    const { numero, chave } = esperado;
    porNumero.set(numero, { serie, numero: String(numero), chave, motivo: motivoDe(esperado) });
  }
  const ordenados = [...porNumero].sort(([a], [b]) => a - b).map(([, faltante]) => faltante);
  return { truncada: ordenados.length > MAX_POR_SERIE, numeros: ordenados.slice(0, MAX_POR_SERIE) };
}

function* firstNumbers(lacunas: readonly queries.Lacuna[], limit: number): Generator<number> {
  let left = limit;
  for (const { primeiro, ultimo } of lacunas) {
    for (let numero = primeiro; numero <= ultimo && left > 0; numero++, left--) yield numero;
  }
}
