/**
 * Missing numbers of an issuer: for each series, what lies between the known numbers and is neither a document,
 * nor inutilizado; and documents that are known by their key only.
 */
import { splitChave } from '../../fiscal/chave.ts';
import { diaDe } from '../../fiscal/dia.ts';
import type { Chave } from '../../fiscal/tipos.ts';
import { ufByCode } from '../../fiscal/uf.ts';
import type { Leitor } from '../queries-leitura.ts';
import * as queries from './queries-faltantes.ts';

export interface Faltante {
  modelo: string;
  serie: string;
  /** The state that the numbering belongs to, where the issuer has one in each; else null. */
  uf: string | null;
  numero: string;
  /** Known when a list of keys, a summary or an event names the document. */
  chave: string | null;
  motivo: MotivoDoFaltante;
}

/** What is known of a missing number, and the sentence that says it. */
export const MOTIVO_DO_FALTANTE = {
  inutilizada: 'O número foi inutilizado, mas uma chave ou um evento diz que a nota existe',
  denegada: 'O resumo (resNFe) da SEFAZ diz que a nota foi denegada; o XML ainda não chegou',
  cancelada: 'A nota foi cancelada; o XML dela ainda não chegou',
  'só evento': 'Só chegou um evento; o XML da nota ainda não chegou',
  anunciada: 'Anunciada em lista de chaves ou por resumo (resNFe) da SEFAZ; o XML ainda não chegou',
  'sem documento': 'Nenhum documento, evento ou inutilização com este número',
} as const;
export type MotivoDoFaltante = keyof typeof MOTIVO_DO_FALTANTE;

interface PaginaDeFaltantes {
  total: number;
  /** At least one series has more missing numbers than are told. */
  truncado: boolean;
  faltantes: Faltante[];
  /** Series whose gaps are not told: {@link SERIES_DO_FISCO}. */
  foraDaConta: string[];
}

/**
 * NF-e avulsa: the Fisco numbers what it writes for all issuers together, so that one issuer's numbers have gaps that nobody
 * left. @fonte NT 2023.002, faixas de série
 */
export const SERIES_DO_FISCO = {
  de: 890,
  ate: 899,
  motivo:
    'As séries 890 a 899 são de nota avulsa (NFA-e), numerada pelo Fisco para todos os emitentes: números salteados nelas não são notas que faltam.',
} as const;

function ehDoFisco(modelo: string, serie: string): boolean {
  const numero = Number(serie);
  return modelo === '55' && numero >= SERIES_DO_FISCO.de && numero <= SERIES_DO_FISCO.ate;
}

/** Keys of an issuer and model that are looked at: a list has as many as somebody wrote into it. */
const MAX_ESPERADOS = 100_000;
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
  const conhecidos = await queries.findEsperados(db, { ...numeracao, limite: MAX_ESPERADOS + 1 });
  const esperados = conhecidos
    .slice(0, MAX_ESPERADOS)
    .filter((esperado) => mesNoPeriodo(splitChave(esperado.chave as Chave).anoMes, periodo));
  const series = comEsperados(await queries.findSeries(db, { ...numeracao, ...periodo }), esperados);

  const porSerie = Map.groupBy(esperados, nomeDaSerie);
  const foraDaConta = new Set<string>();
  const pagina = new Pagina((input.pagina - 1) * input.tamanho, input.tamanho);
  let truncado = conhecidos.length > MAX_ESPERADOS;
  for (const limites of series) {
    const { serie } = limites;
    const doFisco = ehDoFisco(input.modelo, serie);
    if (doFisco) foraDaConta.add(serie);
    const lacunas = doFisco
      ? []
      : await lacunasDaSerie(db, { ...numeracao, ...limites, antesDe: periodo.desde });
    const numeros = numerosDaSerie(lacunas, porSerie.get(nomeDaSerie(limites)) ?? []);
    truncado ||= numeros.total > MAX_POR_SERIE;
    const uf = limites.uf === '' ? null : (ufByCode(limites.uf)?.sigla ?? limites.uf);
    pagina.pass(Math.min(numeros.total, MAX_POR_SERIE), (from, count) =>
      numeros.entre(from, count).map((numero) => ({ modelo: input.modelo, serie, uf, ...numero })),
    );
  }
  return { total: pagina.total, truncado, faltantes: pagina.faltantes, foraDaConta: [...foraDaConta] };
}

function nomeDaSerie({ serie, uf }: Pick<queries.LimitesDaSerie, 'serie' | 'uf'>): string {
  return `${serie}/${uf}`;
}

/** Gaps of one series, from the last number before the period on. */
async function lacunasDaSerie(
  db: Leitor,
  input: queries.Numeracao & queries.LimitesDaSerie & { antesDe: number },
): Promise<queries.Lacuna[]> {
  const { menor, maior } = input;
  const anterior = await queries.findNumeroAnterior(db, { ...input, abaixoDe: menor });
  return queries.findLacunas(db, { ...input, menor: anterior ?? menor, maior, limite: MAX_POR_SERIE + 1 });
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
  const porSerie = new Map(series.map((limites) => [nomeDaSerie(limites), { ...limites }]));
  for (const { serie, uf, numero } of esperados) {
    const limites = porSerie.get(nomeDaSerie({ serie, uf }));
    if (!limites) porSerie.set(nomeDaSerie({ serie, uf }), { serie, uf, menor: numero, maior: numero });
    else {
      limites.menor = Math.min(limites.menor, numero);
      limites.maior = Math.max(limites.maior, numero);
    }
  }
  return [...porSerie.values()].sort(
    (a, b) => Number(a.serie) - Number(b.serie) || Number(a.uf) - Number(b.uf),
  );
}

/** The part of the whole list that stands on one page. Only that part is made. */
class Pagina {
  readonly faltantes: Faltante[] = [];
  /** How many have passed in all. */
  total = 0;
  readonly #skip: number;
  readonly #tamanho: number;

  constructor(skip: number, tamanho: number) {
    this.#skip = skip;
    this.#tamanho = tamanho;
  }

  /** So many come next, of which some can be made. */
  pass(count: number, make: (from: number, count: number) => Faltante[]): void {
    const from = Math.max(0, this.#skip - this.total);
    const left = Math.min(count - from, this.#tamanho - this.faltantes.length);
    if (left > 0) this.faltantes.push(...make(from, left));
    this.total += count;
  }
}

type NumeroFaltante = Omit<Faltante, 'modelo' | 'serie' | 'uf'>;

interface NumerosDaSerie {
  total: number;
  /** So many of them from a place on, in their order. */
  entre(from: number, count: number): NumeroFaltante[];
}

/**
 * Missing numbers of one series, of which the first MAX_POR_SERIE are told: a few stretches, not each number by itself.
 * @param lacunas in their order, apart from each other
 */
function numerosDaSerie(
  lacunas: readonly queries.Lacuna[],
  esperados: readonly queries.EsperadoDaSerie[],
): NumerosDaSerie {
  const porNumero = new Map(esperados.map((esperado) => [esperado.numero, esperado]));
  const fora = [...porNumero.keys()].filter((numero) => !isEmLacuna(lacunas, numero));
  const trechos = [...lacunas, ...fora.map((numero) => ({ primeiro: numero, ultimo: numero }))];
  trechos.sort((a, b) => a.primeiro - b.primeiro);
  const faltante = (numero: number): NumeroFaltante => {
    const esperado = porNumero.get(numero);
    const motivo = esperado ? motivoDe(esperado) : 'sem documento';
    return { numero: String(numero), chave: esperado?.chave ?? null, motivo };
  };
  return {
    total: trechos.reduce((sum, { primeiro, ultimo }) => sum + ultimo - primeiro + 1, 0),
    entre: (from, count) => numerosDe(trechos, { from, count }).map(faltante),
  };
}

/** @param lacunas in their order, apart from each other */
function isEmLacuna(lacunas: readonly queries.Lacuna[], numero: number): boolean {
  let [from, to] = [0, lacunas.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lacunas[middle]?.ultimo ?? 0) < numero) from = middle + 1;
    else to = middle;
  }
  const lacuna = lacunas[from];
  return lacuna !== undefined && lacuna.primeiro <= numero;
}

function numerosDe(
  trechos: readonly queries.Lacuna[],
  { from, count }: { from: number; count: number },
): number[] {
  const numeros: number[] = [];
  let skip = from;
  for (const { primeiro, ultimo } of trechos) {
    for (let numero = primeiro + skip; numero <= ultimo && numeros.length < count; numero++)
      numeros.push(numero);
    skip = Math.max(0, skip - (ultimo - primeiro + 1));
    if (numeros.length === count) break;
  }
  return numeros;
}
