import type { Resposta } from '../../api/rotas.ts';

/** The document that the screen shows, as all of its parts are given it. */
export type DocumentoAberto = Resposta<'GET /documentos/{id}'>;
