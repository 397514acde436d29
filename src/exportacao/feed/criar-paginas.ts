import type { TokenReader } from '../../autorizacao/tokens.ts';
import type { Deps } from '../../deps.ts';
import type { Counter } from '../../platform/http/limite.ts';
import type { Measure, Metrics } from '../../platform/http/metricas.ts';
import type { Outgoing } from '../../platform/http/outgoing.ts';
import type { AnswerPlaces } from '../../platform/http/places.ts';
import type { ContextoDaExportacao } from '../contexto.ts';
import { Preparador } from '../prepared/preparador.ts';
import { Vigencias } from '../prepared/vigencia.ts';
import { Vigia } from '../prepared/vigia.ts';
import { ClientesConhecidos } from './clientes-conhecidos.ts';
import { Memoria } from './memoria.ts';

export interface Paginas {
  contexto: Pick<
    ContextoDaExportacao,
    'vigencias' | 'preparador' | 'vigia' | 'memoria' | 'clientes' | 'tokens'
  >;
  close(): Promise<void>;
}

/** What is prepared and how often it served, for `/metrics`; nothing where a process serves no pages. */
export function medidasDasPaginas(paginas: () => Paginas | null): readonly Measure[] {
  const of = (read: (contexto: Paginas['contexto']) => Record<string, number>, label: string) => () => {
    const contexto = paginas()?.contexto;
    if (!contexto) return [];
    return Object.entries(read(contexto)).map(([name, value]) => ({ value, labels: { [label]: name } }));
  };
  return [
    {
      kind: 'counter',
      name: 'malote_exportacao_paginas_total',
      help: 'Páginas do feed respondidas sem leitura do banco: repetidas, ou montadas de partes preparadas',
      labelNames: ['via'],
      read: of(({ memoria }) => memoria.counts, 'via'),
    },
    {
      kind: 'gauge',
      name: 'malote_exportacao_preparado_bytes',
      help: 'Memória ocupada pelo que está preparado para as páginas do feed',
      labelNames: ['o_que'],
      read: of(({ preparador, memoria }) => ({ ...preparador.bytes, respostas: memoria.bytes }), 'o_que'),
    },
  ];
}

/** Joins the parts that make pages of feeds fast; one set for the process. */
export function createPaginas(
  deps: Deps,
  parts: {
    enderecos: { current(): { kid: string; secret: Uint8Array } };
    tokens: Pick<TokenReader, 'noteUse' | 'forget'>;
    contar: Counter;
    inWork: AnswerPlaces;
    outgoing: Outgoing;
    metrics: Metrics;
    stopping: () => boolean;
  },
): Paginas {
  const vigencias = new Vigencias(deps);
  const preparador = new Preparador({ ...deps, enderecos: parts.enderecos });
  const vigia = new Vigia({ vigencias, preparador, log: deps.log });
  vigia.start();
  const memoria = new Memoria({
    ...parts,
    clock: deps.clock,
    log: deps.log,
    vigencias,
  });
  return {
    contexto: {
      vigencias,
      preparador,
      vigia,
      memoria,
      tokens: parts.tokens,
      clientes: new ClientesConhecidos(deps),
    },
    close: async () => {
      await Promise.all([vigia.stop(), preparador.close()]);
    },
  };
}
