/** HTTP of judging a password while it is typed: by the very rules by which it will be taken or not. */
import type { AddRoute } from '../rota.ts';
import { AVALIADA, AVALIAR } from '../schemas-entrar.ts';
import { faltaDaSenha } from './senha-forte.ts';

export function senhaRoutes(route: AddRoute): void {
  route(
    {
      rota: 'POST /senha/avaliar',
      resumo: 'Diz se uma senha seria aceita; nada é guardado',
      body: AVALIAR,
      resposta: AVALIADA,
    },
    async ({ body: { senha, pessoais } }) => ({ falta: faltaDaSenha(senha, pessoais)?.mensagem ?? null }),
  );
}
