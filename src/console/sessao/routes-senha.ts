/** HTTP of judging a password while it is typed: by the very rules by which it will be taken or not. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { ConsoleHttp } from '../contexto.ts';
import { consoleSchema, ouNulo, texto } from '../schemas.ts';
import { faltaDaSenha } from './senha-forte.ts';

/** Longer ones are refused anyway; what is judged is to cost nothing worth asking for. */
const SENHA_MAX = 200;

const AVALIAR = Type.Object({
  senha: Type.String({ maxLength: SENHA_MAX, description: 'A senha como está até agora.' }),
  pessoais: Type.Array(Type.String({ maxLength: 254 }), {
    maxItems: 4,
    description: 'Nomes e e-mail de quem vai usá-la.',
  }),
});
const AVALIADA = Type.Object({ falta: ouNulo(texto('Por que ela não seria aceita; null quando seria.')) });

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
