/**
 * The routes of the console's API by method and path: what goes in and what comes out. The shapes are made from the
 * server's own description (`npm run console:tipos`).
 */
import type { Rotas } from '../generated/rotas.ts';

export type Rota = keyof Rotas & string;

/** What comes back; `null` where the answer has no body. */
export type Resposta<R extends Rota> = Rotas[R]['resposta'];

/** One row of a list. */
export type Item<R extends Rota> = Resposta<R> extends { itens: (infer I)[] } ? I : never;

type Campo<R extends Rota, Nome extends string> = Rotas[R] extends Record<Nome, infer Valor> ? Valor : never;

/** Path values, query and body that a route takes; each only where the route has it. */
export type Opcoes<R extends Rota> = ([Campo<R, 'caminho'>] extends [never]
  ? object
  : { caminho: Campo<R, 'caminho'> }) &
  ([Campo<R, 'query'>] extends [never] ? object : { query?: Campo<R, 'query'> }) &
  ([Campo<R, 'corpo'>] extends [never] ? object : { corpo: Campo<R, 'corpo'> });
