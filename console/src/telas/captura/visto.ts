import type { Resposta } from '../../api/rotas.ts';

/** One service of a client, as its capture stands. */
export type ServicoVisto = Resposta<'GET /captura/{cpfCnpj}'>['servicos'][number];
