import type { Resposta } from '../../api/rotas.ts';

/** How the server does, as all parts of the screen are given it. */
export type Estado = Resposta<'GET /saude'>;
