/** What can be pointed at; the first four are needed. */
export const APONTAVEIS = [
  'numero',
  'data',
  'prestador',
  'valor',
  'tomador',
  'nomeDoPrestador',
  'nomeDoTomador',
  'codigo',
  'serie',
  'municipio',
] as const;
export type Apontavel = (typeof APONTAVEIS)[number];
