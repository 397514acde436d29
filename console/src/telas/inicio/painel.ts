import type { Resposta } from '../../api/rotas.ts';

/** Everything that the first page shows. */
export type Painel = Resposta<'GET /inicio'>;
