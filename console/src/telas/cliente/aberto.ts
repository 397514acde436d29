import type { Resposta } from '../../api/rotas.ts';

/** The client that the screen shows, as all of its parts are given it. */
export type ClienteAberto = Resposta<'GET /clientes/{cpfCnpj}'>;
