/** HTTP of the purchase purpose: of one document and its items, and of many documents at once. */
import { adquirentes, finalidadeDe, informarFinalidade } from '../../documentos/read/finalidade.ts';
import type { FinalidadeAquisicao } from '../../fiscal/finalidade.ts';
import { dadoInvalido, dadosInvalidos } from '../../platform/http/errors.ts';
import { alcanceDaConsulta, autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { documentoNaoEncontrado } from '../errors-documentos.ts';
import type { AddRoute } from '../rota.ts';
import { documentoDe, ERROS_DO_DOCUMENTO } from './documento-da-sessao.ts';
import * as schemas from './schemas-documento.ts';
import { adquirenteDe } from './vista.ts';

export function finalidadeRoutes(route: AddRoute, http: ConsoleHttp): void {
  muitasRoute(route, http);
  umaRoute(route, http);
}

function muitasRoute(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  route(
    {
      rota: 'PUT /documentos/finalidade',
      resumo: 'Diz para que se comprou, em muitos documentos de uma vez',
      descricao:
        'Tudo ou nada, numa transação. O que foi dito de itens fica. Documentos pelos quais nada se adquiriu são ignorados.',
      querystring: schemas.DocumentoQuery,
      body: schemas.FinalidadesBody,
      resposta: schemas.FinalidadesMudadas,
      codigos: ['dados_invalidos', 'cpf_cnpj_invalido', 'parametro_repetido', 'cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { ids, finalidade_aquisicao } = request.body;
      const alcance = await alcanceDaConsulta(deps, { sessao, cliente: request.query.cliente });
      const documentoIds = [...new Set(ids)];
      const { contadorId } = sessao;
      const alvos = await adquirentes(deps.db.read, { contadorId, documentoIds, clienteIds: alcance });
      await deps.db.write.transaction().execute((trx) =>
        informarFinalidade(trx, {
          alvos,
          finalidade: finalidade_aquisicao as FinalidadeAquisicao,
          agora: deps.clock.now(),
          por: autorOf(sessao),
        }),
      );
      const mudados = new Set(alvos.map(({ documentoId }) => documentoId));
      return { mudados: mudados.size, ignorados: documentoIds.filter((id) => !mudados.has(id)) };
    },
  );
}

function umaRoute(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  route(
    {
      rota: 'PUT /documentos/:id/finalidade',
      resumo: 'Diz para que se comprou: o documento todo, alguns itens, ou ambos',
      params: schemas.DocumentoParams,
      querystring: schemas.DocumentoQuery,
      body: schemas.FinalidadeBody,
      resposta: schemas.Finalidade,
      codigos: ERROS_DO_DOCUMENTO,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const linha = await documentoDe(http, request);
      const alcance = await alcanceDaConsulta(deps, { sessao, cliente: request.query.cliente });
      const alvo = await adquirenteDe(deps.db.read, { linha, alcance });
      const atual = alvo && (await finalidadeDe(deps.db.read, alvo));
      if (!alvo || !atual) throw documentoNaoEncontrado();
      const { finalidade_aquisicao, itens = [] } = request.body;
      if (finalidade_aquisicao === undefined && itens.length === 0) {
        throw dadoInvalido('', 'Informe finalidade_aquisicao, itens ou ambos.', 'obrigatorio');
      }
      const known = new Set(atual.itens.map(({ numero }) => numero));
      const unknown = itens.flatMap(({ numero }, index) =>
        known.has(numero)
          ? []
          : [
              {
                campo: `itens[${index}].numero`,
                codigo: 'inexistente',
                mensagem: `O documento não tem o item ${numero}.`,
              },
            ],
      );
      if (unknown.length > 0) throw dadosInvalidos(unknown);
      await deps.db.write.transaction().execute((trx) =>
        informarFinalidade(trx, {
          alvos: [alvo],
          ...(finalidade_aquisicao === undefined
            ? {}
            : { finalidade: finalidade_aquisicao as FinalidadeAquisicao }),
          itens: itens as { numero: number; finalidade_aquisicao: FinalidadeAquisicao }[],
          agora: deps.clock.now(),
          por: autorOf(sessao),
        }),
      );
      return (await finalidadeDe(deps.db.read, alvo)) ?? atual;
    },
  );
}
