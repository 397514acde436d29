/** HTTP of the audit log; administrators only. */
import { Readable } from 'node:stream';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import { verifyAuditoria } from '../../auditoria/verificar.ts';
import { diaDe } from '../../fiscal/dia.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import {
  AUDITORIA,
  AUDITORIA_CONSULTA,
  AUDITORIA_FILTROS,
  AUDITORIA_VERIFICADA,
} from '../schemas-auditoria.ts';
import { csvDaAuditoria, paginaDaAuditoria } from './listar.ts';

const DE_FILTRO = ['dados_invalidos', 'data_invalida', 'parametro_repetido'];

export function auditoriaRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /auditoria',
      resumo: 'Registro de auditoria, o mais novo primeiro',
      querystring: AUDITORIA_CONSULTA,
      resposta: AUDITORIA,
      codigos: [...DE_FILTRO, 'tamanho_invalido'],
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const { depois = null, Tamanho: tamanho, ...filtro } = request.query;
      return paginaDaAuditoria(deps.db.read, { contadorId, filtro, depois, tamanho });
    },
  );

  route(
    {
      rota: 'GET /auditoria/csv',
      resumo: 'O registro de auditoria como CSV',
      descricao: 'Separado por ponto e vírgula, em UTF-8 com BOM.',
      querystring: AUDITORIA_FILTROS,
      codigos: DE_FILTRO,
    },
    async (request, reply) => {
      const { contadorId, codigoCrm } = sessaoOf(request);
      const name = `auditoria-${codigoCrm}-${diaDe(deps.clock.now())}.csv`;
      const linhas = csvDaAuditoria(deps.db.read, { contadorId, filtro: request.query });
      const csv = Readable.from(linhas, { objectMode: false });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(csv);
    },
  );

  let checking: ReturnType<typeof verifyAuditoria> | null = null;
  route(
    {
      rota: 'POST /auditoria/verificar',
      resumo: 'Confere a cadeia do registro de auditoria',
      resposta: AUDITORIA_VERIFICADA,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      // Everybody who asks at once gets the answer of one walk, through the rows of all offices.
      checking ??= runAsService(() => verifyAuditoria(deps.db.read)).finally(() => {
        checking = null;
      });
      const { registros, fim, quebra } = await checking;
      await deps.db.write.transaction().execute((trx) =>
        auditar(trx, {
          em: deps.clock.now(),
          acao: ACAO.auditoriaConferida,
          contadorId: sessao.contadorId,
          autor: autorOf(sessao),
          alvo: `auditoria/${fim.n}`,
          detalhe: { integra: quebra === null },
        }),
      );
      const mensagem = quebra?.mensagem ?? `Os ${registros} registros estão inteiros e na ordem.`;
      return { integra: quebra === null, conferidos: registros, mensagem, fim };
    },
  );
}
