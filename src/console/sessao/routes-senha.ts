/** HTTP of judging a password while it is typed: by the very rules by which it will be taken or not. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { ConsoleHttp } from '../contexto.ts';
import { consoleSchema } from '../schemas.ts';
import { AVALIADA, AVALIAR } from '../schemas-entrar.ts';
import { faltaDaSenha } from './senha-forte.ts';

export function senhaRoutes(api: FastifyInstance, { catalogo }: ConsoleHttp): void {
  api.post<{ Body: Static<typeof AVALIAR> }>(
    '/senha/avaliar',
    {
      schema: consoleSchema(catalogo, {
        rota: 'POST /senha/avaliar',
        resumo: 'Diz se uma senha seria aceita; nada é guardado',
        body: AVALIAR,
        resposta: AVALIADA,
      }),
    },
    async ({ body: { senha, pessoais } }) => ({ falta: faltaDaSenha(senha, pessoais)?.mensagem ?? null }),
  );
}
