import { normalise } from '../nomes.ts';
import { type Caminho, readCaminho } from './caminho.ts';
import {
  GRUPOS_DE_OUTROS,
  type Leiaute,
  MUTAVEIS_DE_TODOS,
  SINAIS_DE_TODOS,
  type SinalDescrito,
} from './leiaute.ts';

export interface ParteCompilada {
  cpfCnpj: readonly Caminho[];
  nome: readonly Caminho[];
  noTexto: readonly Caminho[];
}

export type SinalCompilado = { descrito: SinalDescrito; campos: readonly Caminho[] };

/** A layout with its places taken apart: what the reader works with. */
export interface LeiauteCompilado {
  descrito: Leiaute;
  elemento: ReadonlySet<string>;
  envoltorio: ReadonlySet<string>;
  aoLado: ReadonlySet<string>;
  dentroDe: ReadonlySet<string>;
  tem: readonly Caminho[];
  naoTem: readonly Caminho[];
  fechados: ReadonlySet<string>;
  mutaveis: ReadonlySet<string>;
  numero: readonly Caminho[];
  serie: readonly Caminho[];
  serieDoRps: readonly Caminho[];
  inscricao: readonly Caminho[];
  codigo: readonly Caminho[];
  data: readonly Caminho[];
  hora: readonly Caminho[];
  competencia: readonly Caminho[];
  prestador: ParteCompilada;
  tomador: ParteCompilada;
  intermediario: ParteCompilada;
  confere: { nome: readonly Caminho[]; inscricao: readonly Caminho[] } | null;
  valor: readonly Caminho[];
  soma: readonly Caminho[];
  base: readonly Caminho[];
  municipio: readonly Caminho[];
  nomeDoMunicipio: readonly Caminho[];
  uf: readonly Caminho[];
  /** Cities by the codes of the layout's own. */
  proprios: ReadonlyMap<string, string>;
  prestacao: readonly Caminho[];
  situacao: readonly SinalCompilado[];
  substitui: readonly Caminho[];
  chaveNacional: readonly Caminho[];
  teste: readonly Caminho[];
  ambiente: readonly Caminho[];
  versao: readonly Caminho[];
}

function caminhos(textos: readonly string[] = []): Caminho[] {
  return textos.map((texto) => {
    const read = readCaminho(texto);
    if ('falta' in read) throw new Error(`O caminho "${texto}" ${read.falta}.`);
    return read;
  });
}

function nomes(names: readonly string[] = []): Set<string> {
  return new Set(names.map(normalise));
}

export function compilarParte(descrita: Leiaute['tomador']): ParteCompilada {
  return {
    cpfCnpj: caminhos(descrita?.cpfCnpj),
    nome: caminhos(descrita?.nome),
    noTexto: caminhos(descrita?.noTexto),
  };
}

export function compilarSinal(descrito: SinalDescrito): SinalCompilado {
  return { descrito, campos: caminhos(descrito.campos) };
}

/** The group, where one has a field of it: a `descricao` is in all layouts that of the service, too. */
const NOMES_DOS_SINAIS_DE_TODOS = SINAIS_DE_TODOS.flatMap(({ campos }) =>
  caminhos(campos).flatMap(({ passos }) => passos[0]?.nomes ?? []),
);

/** The names at the ends of places: of the fields themselves. */
function ultimos(places: readonly Caminho[]): string[] {
  return places.flatMap(({ passos }) => passos.at(-1)?.nomes ?? []);
}

/**
 * Makes a layout ready for reading.
 *
 * @throws Error for a place that cannot be read: what is not of this project is checked before (`validar-leiaute.ts`)
 */
export function compilar(descrito: Leiaute): LeiauteCompilado {
  const { nota, municipio, aoRedor } = descrito;
  const situacao = (descrito.situacao ?? []).map(compilarSinal);
  const chaveNacional = caminhos(descrito.chaveNacional);
  const changing = [
    ...situacao.flatMap((sinal) => ultimos(sinal.campos)),
    ...NOMES_DOS_SINAIS_DE_TODOS,
    ...ultimos(chaveNacional),
  ];
  return {
    descrito,
    elemento: nomes(nota.elemento),
    envoltorio: nomes(nota.envoltorio),
    aoLado: nomes(nota.aoLado),
    dentroDe: nomes(nota.dentroDe),
    tem: caminhos(nota.tem),
    naoTem: caminhos(nota.naoTem),
    fechados: nomes([...GRUPOS_DE_OUTROS, ...(descrito.grupos ?? [])]),
    mutaveis: nomes([...MUTAVEIS_DE_TODOS, ...changing, ...(descrito.mutaveis ?? [])]),
    numero: caminhos(descrito.numero),
    serie: caminhos(descrito.serie),
    serieDoRps: caminhos(descrito.serieDoRps),
    inscricao: caminhos(descrito.inscricao),
    codigo: caminhos(descrito.codigo),
    data: caminhos(descrito.data.campos),
    hora: caminhos(descrito.data.hora),
    competencia: caminhos(descrito.competencia),
    prestador: compilarParte(descrito.prestador),
    tomador: compilarParte(descrito.tomador),
    intermediario: compilarParte(descrito.intermediario),
    confere: aoRedor?.confere
      ? { nome: caminhos(aoRedor.confere.nome), inscricao: caminhos(aoRedor.confere.inscricao) }
      : null,
    valor: caminhos(descrito.valor),
    soma: caminhos(descrito.soma),
    base: caminhos(descrito.base),
    municipio: caminhos(municipio?.codigo),
    nomeDoMunicipio: caminhos(municipio?.nome),
    uf: caminhos(municipio?.uf),
    proprios: new Map(Object.entries(municipio?.proprios ?? {})),
    prestacao: caminhos(descrito.prestacao),
    situacao,
    substitui: caminhos(descrito.substitui),
    chaveNacional,
    teste: caminhos(descrito.teste),
    ambiente: caminhos(descrito.ambiente),
    versao: caminhos(descrito.versao),
  };
}
