/** A new password of a user: judged, hashed, and every session but the present one ended. */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import { hashSenha } from '../../platform/crypto/senha.ts';
import { dadosInvalidos } from '../../platform/http/errors.ts';
import * as sessoes from './queries-sessao.ts';
import * as totp from './queries-totp.ts';
import * as usuarios from './queries-usuario.ts';
import { faltaDaSenha, type Pessoais } from './senha-forte.ts';

/** Judges and hashes a new password. @throws dados_invalidos with the field `senha`, NoPlace when too many wait */
export async function novaSenha(senha: string, pessoais: Pessoais): Promise<string> {
  const erro = faltaDaSenha(senha, pessoais);
  if (erro) throw dadosInvalidos([erro]);
  return hashSenha(senha);
}

/** Keeps it. @param input `menos` the session that goes on; 0: none */
export async function keepSenha(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; hash: string; menos: number; agora: number; autor: string },
): Promise<void> {
  const { contadorId, usuarioId, hash, menos, agora, autor } = input;
  await usuarios.updateUsuario(trx, { contadorId, id: usuarioId, set: { senha: hash, senha_em: agora } });
  await sessoes.deleteSessoesDoUsuario(trx, { contadorId, usuarioId, menos });
  await totp.deleteDesafios(trx, usuarioId);
  await auditar(trx, {
    em: agora,
    acao: ACAO.senhaDefinida,
    contadorId,
    autor,
    alvo: `usuario/${usuarioId}`,
  });
}
