/** HTTP of missing numbers in the console. */
import { diaDe, inicioDoDia } from '../../fiscal/dia.ts';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { type ConsoleHttp, requireClienteDaSessao, sessaoOf, umCliente } from '../contexto.ts';
import { periodo } from '../documentos/ler-filtro.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import { faltantesDoCliente, MODELOS_NUMERADOS } from './faltantes-console.ts';
import { deleteJustificado, upsertJustificado } from './queries-faltantes-console.ts';
import { Faltantes, FaltantesQuery, JustificarBody, RetirarBody } from './schemas-faltantes.ts';

const YEAR_MS = 365 * 86_400_000;
const LACUNAS_MAX = 5_000;

export function faltantesRoutes(route: AddRoute, http: ConsoleHttp): void {
  verRoute(route, http);
  justificarRoutes(route, http);
}

function verRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /faltantes',
      resumo: 'Números que faltam nas séries de um cliente',
      querystring: FaltantesQuery,
      resposta: Faltantes,
      codigos: [
        'cpf_cnpj_invalido',
        'data_invalida',
        'periodo_invalido',
        'dados_invalidos',
        'parametro_repetido',
        'cliente_nao_encontrado',
      ],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { query } = request;
      const cliente = await umCliente(deps, {
        sessao,
        cpfCnpj: query.cliente,
        para: 'ver os números que faltam',
      });
      const { de, ate } = periodo('emissao', query.emissaoDe, query.emissaoAte);
      const umAno = inicioDoDia(`${diaDe(deps.clock.now() - YEAR_MS).slice(0, 7)}-01`);
      const achados = await faltantesDoCliente(deps.db.read, {
        cliente,
        modelos: query.modelo ? [query.modelo] : MODELOS_NUMERADOS,
        periodo: { desde: de ?? umAno, ate },
      });
      return {
        cliente: { cpfCnpj: cliente.cpfCnpj, nome: cliente.nome },
        ...achados,
        lacunas: achados.lacunas.slice(0, LACUNAS_MAX),
        lacunasOmitidas: Math.max(0, achados.lacunas.length - LACUNAS_MAX),
      };
    },
  );
}

function justificarRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /faltantes/justificar',
      resumo: 'Diz por que uma faixa de números não faz falta',
      body: JustificarBody,
      resposta: MENSAGEM,
      codigos: ['cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cliente: cpfCnpj, modelo, serie, numero, numeroFinal, motivo } = request.body;
      if (numeroFinal < numero) {
        throw dadoInvalido('numeroFinal', 'O último número é menor que o primeiro.');
      }
      const cliente = await requireClienteDaSessao(deps, { sessao, cpfCnpj });
      await deps.db.write.transaction().execute((trx) =>
        upsertJustificado(trx, {
          contador_id: sessao.contadorId,
          cliente_id: cliente.id,
          modelo,
          serie: String(Number(serie)),
          numero_inicial: numero,
          numero_final: numeroFinal,
          motivo: motivo.trim(),
          por: sessao.usuario.nome,
          em: deps.clock.now(),
        }),
      );
      return { mensagem: 'Justificativa guardada: os números não contam mais como faltantes.' };
    },
  );
  route(
    {
      rota: 'DELETE /faltantes/justificar',
      resumo: 'Retira uma justificativa',
      body: RetirarBody,
      resposta: MENSAGEM,
      codigos: ['cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cliente: cpfCnpj, modelo, serie, numero } = request.body;
      const cliente = await requireClienteDaSessao(deps, { sessao, cpfCnpj });
      const removed = await deps.db.write.transaction().execute((trx) =>
        deleteJustificado(trx, {
          contadorId: sessao.contadorId,
          clienteId: cliente.id,
          modelo,
          serie: String(Number(serie)),
          numeroInicial: numero,
        }),
      );
      return {
        mensagem: removed
          ? 'Justificativa retirada: os números voltam a contar como faltantes.'
          : 'Não havia justificativa que começasse neste número.',
      };
    },
  );
}
