/** What a listing of documents may be narrowed by; `lista.ts` walks it, `schemas-documentos.ts` reads it. */

import { MODELOS, PROVAS } from '../../fiscal/tipos.ts';
import type { Alcance } from '../acesso.ts';

/** Which models a kind of the console's tabs has. */
export const MODELOS_DA_ESPECIE = {
  nfe: ['55'],
  nfce: ['65'],
  cfe: ['59'],
  cte: ['57', '67', '64'],
  nfse: ['NFSe'],
  outras: ['62', '66', '75', '76', '77'],
  todas: MODELOS,
} as const satisfies Record<string, readonly string[]>;
export type EspecieDaLista = keyof typeof MODELOS_DA_ESPECIE;

export const VISOES = [
  'todas',
  'emitidas',
  'recebidas',
  'canceladas',
  'inutilizadas',
  'cartacorrecao',
  'denegadas',
  'pendentes',
] as const;
export type Visao = (typeof VISOES)[number];

/** Columns that no index has the listing's rows in order of: they are sorted as long as they are few enough. */
const COLUNAS_ORDENADAS = ['numero', 'valor', 'status', 'emitente', 'destinatario', 'cliente'] as const;
export type ColunaOrdenada = (typeof COLUNAS_ORDENADAS)[number];
type ColunaDeOrdem = 'emissao' | 'importacao' | ColunaOrdenada;
/** A column, downwards; with `_asc` upwards. */
export type Ordem = ColunaDeOrdem | `${ColunaDeOrdem}_asc`;
export const ORDENS: readonly Ordem[] = (['emissao', 'importacao', ...COLUNAS_ORDENADAS] as const).flatMap(
  (coluna) => [coluna, `${coluna}_asc`] as const,
);

/** The column that a listing has to be sorted by; null where it walks an index. */
export function colunaOrdenada({ ordem }: { ordem: Ordem }): ColunaOrdenada | null {
  return COLUNAS_ORDENADAS.find((coluna) => ordem === coluna || ordem === `${coluna}_asc`) ?? null;
}

/** What at least one item of a document must be; null: anything. */
export interface FiltroDeItens {
  cfop: string | null;
  /** The code, or its beginning. */
  ncm: string | null;
  /** Words of what was sold or done, as the document describes it. */
  produto: string | null;
}

/** What each view asks of a document. */
const REGRA_DA_VISAO: Readonly<
  Record<Visao, { tipo?: 'Emitida' | 'Recebida'; status?: string; cartaCorrecao?: true }>
> = {
  todas: {},
  emitidas: { tipo: 'Emitida' },
  recebidas: { tipo: 'Recebida' },
  canceladas: { status: 'Cancelada' },
  inutilizadas: { status: 'Inutilizada' },
  cartacorrecao: { cartaCorrecao: true },
  denegadas: { status: 'Denegada' },
  pendentes: { status: 'Pendente' },
};

/** Words of the manifestação and the event that says it; `sem` where none was registered. */
export const MANIFESTACAO = {
  confirmacao: '210200',
  ciencia: '210210',
  desconhecimento: '210220',
  nao_realizada: '210240',
  desacordo: '610110',
} as const;
export type Manifestacao = keyof typeof MANIFESTACAO | 'sem';

/** A proof of the status, or `marcada`: what changed the status is proven less than the document. */
export const FILTROS_DE_PROVA = ['marcada', ...PROVAS] as const;
export type FiltroDeProva = (typeof FILTROS_DE_PROVA)[number];

export interface FiltroDeDocumentos {
  contadorId: number;
  /** null: all clients of the office. */
  clienteId: number | null;
  /** Of several clients: only what these take part in; null: nobody else narrows it. */
  entre: Alcance;
  especie: EspecieDaLista;
  visao: Visao;
  tipo: 'Emitida' | 'Recebida' | null;
  status: string | null;
  papel: string | null;
  serie: string | null;
  numero: number | null;
  /** Whole key, or its beginning. */
  chave: string | null;
  busca: string | null;
  /** IBGE code of the issuer's state. */
  uf: string | null;
  /** ms UTC, from included, to excluded. */
  emissao: { de: number | null; ate: number | null };
  importacao: { de: number | null; ate: number | null };
  valor: { de: number | null; ate: number | null };
  /** `api`, `console`, `sistema`, or `token:<id>`. */
  origem: string | null;
  finalidade: string | null;
  manifestacao: Manifestacao | null;
  prova: FiltroDeProva | null;
  /** Only these documents; null: all. */
  ids: readonly number[] | null;
  /** Absent: whatever their items are. */
  itens?: FiltroDeItens;
  ordem: Ordem;
}

export interface Regras {
  tipo: 'Emitida' | 'Recebida' | null;
  status: string | null;
  cartaCorrecao: boolean;
}

/** What filter and view ask for together; null when they contradict each other and nothing can match. */
export function regrasDe(filtro: FiltroDeDocumentos): Regras | null {
  const regra = REGRA_DA_VISAO[filtro.visao];
  if (regra.tipo && filtro.tipo && regra.tipo !== filtro.tipo) return null;
  if (regra.status && filtro.status && regra.status !== filtro.status) return null;
  return {
    tipo: regra.tipo ?? filtro.tipo,
    status: regra.status ?? filtro.status,
    cartaCorrecao: regra.cartaCorrecao === true,
  };
}

/** How a filter says whose documents: one client has an index of its own, several are picked out of the office's. */
export function doAlcance(alcance: Alcance): Pick<FiltroDeDocumentos, 'clienteId' | 'entre'> {
  const [first, ...others] = alcance ?? [];
  return first !== undefined && others.length === 0
    ? { clienteId: first, entre: null }
    : { clienteId: null, entre: alcance };
}

export const alcanceDo = ({ clienteId, entre }: Pick<FiltroDeDocumentos, 'clienteId' | 'entre'>): Alcance =>
  clienteId === null ? entre : [clienteId];
