/** HTTP of one's own session: who I am, and the way out. */
import { type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { sessaoAusente } from '../errors.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import { SESSAO } from '../schemas-sessao.ts';
import { instanteDe } from '../tempo.ts';
import { clientesDe } from './alcance-do-usuario.ts';
import { eraseCookie, readCookie } from './cookie.ts';
import { deleteSessaoByHash } from './queries-sessao.ts';
import { findUsuario } from './queries-usuario.ts';
import { hashDe } from './sessoes.ts';

export function sessaoRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  route({ rota: 'GET /sessao', resumo: 'Quem está no console', resposta: SESSAO }, async (request) => {
    const sessao = sessaoOf(request);
    const row = await findUsuario(deps.db.read, { contadorId: sessao.contadorId, id: sessao.usuario.id });
    if (!row) throw sessaoAusente();
    return {
      usuario: {
        ...sessao.usuario,
        clientes: sessao.alcance === null ? null : await clientesDe(deps.db.read, row),
        totpAtivo: row.confirmado_em !== null,
      },
      escritorio: { codigoCrm: sessao.codigoCrm, nome: sessao.escritorio },
      csrf: sessao.csrf,
      preferencias: JSON.parse(row.preferencias) as object,
      enderecos: http.enderecos(request),
      expiraEm: instanteDe(sessao.expiraEm),
    };
  });

  route({ rota: 'POST /sair', resumo: 'Encerra a sessão', resposta: MENSAGEM }, async (request, reply) => {
    const secret = readCookie(request, deps.config);
    if (secret !== null) await deleteSessaoByHash(deps.db.write, hashDe(secret));
    eraseCookie(reply);
    return { mensagem: 'Até logo.' };
  });
}
