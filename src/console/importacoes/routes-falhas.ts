/** HTTP of failures of imports in the console. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { diaDe } from '../../fiscal/dia.ts';
import { autorOf, type ConsoleHttp, remetenteVisto, sessaoOf } from '../contexto.ts';
import { EXPORTACOES_FOLDER } from '../exportacoes/executor.ts';
import { TIPO_DO_LIVRO } from '../exportacoes/xlsx.ts';
import type { AddRoute } from '../rota.ts';
import { falhasPorCausa, listAbertas, listVistas } from './falhas.ts';
import { csvDasFalhas } from './falhas-csv.ts';
import { xlsxDasFalhas } from './falhas-xlsx.ts';
import { markFalhas, reabrirFalhas } from './marcar-falhas.ts';
import { findNumeros, sumResultados } from './queries-falhas.ts';
import * as schemas from './schemas-falhas.ts';

/** Instants are told to the second. */
const REST_OF_SECOND_MS = 999;

export function falhasRoutes(route: AddRoute, http: ConsoleHttp): void {
  verRoutes(route, http);
  planilhaRoutes(route, http);
  marcarRoutes(route, http);
  totaisRoute(route, http);
}

function verRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /falhas',
      resumo: 'O que falhou nas importações e ninguém resolveu, por causa',
      resposta: schemas.FalhasPorCausa,
    },
    (request) => {
      const { contadorId } = sessaoOf(request);
      return falhasPorCausa(deps.db.read, { contadorId, agora: deps.clock.now() });
    },
  );
  route(
    {
      rota: 'GET /falhas/itens',
      resumo: 'As falhas uma a uma: as abertas, ou as últimas que alguém deu por vistas ou resolvidas',
      querystring: schemas.FalhasQuery,
      resposta: schemas.Falhas,
      codigos: ['dados_invalidos', 'tamanho_invalido', 'pagina_invalida', 'parametro_repetido'],
    },
    (request) => {
      const { contadorId } = sessaoOf(request);
      const { codigo, quais, Tamanho: tamanho, depois = 0 } = request.query;
      if (quais === 'vistas') return listVistas(deps.db.read, { contadorId, agora: deps.clock.now() });
      return listAbertas(deps.db.read, {
        contadorId,
        agora: deps.clock.now(),
        codigo: codigo || null,
        pulando: depois,
        tamanho,
      });
    },
  );
}

function planilhaRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    { rota: 'GET /falhas/csv', resumo: 'As falhas abertas em CSV, com causa e remédio' },
    async (request, reply) => {
      const { contadorId, codigoCrm } = sessaoOf(request);
      const agora = deps.clock.now();
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="falhas-${codigoCrm}-${diaDe(agora)}.csv"`)
        .send(Readable.from(csvDasFalhas(deps.db.read, { contadorId, agora }), { objectMode: false }));
    },
  );
  route(
    { rota: 'GET /falhas/xlsx', resumo: 'As falhas abertas numa planilha do Excel, com causa e remédio' },
    async (request, reply) => {
      const { contadorId, codigoCrm } = sessaoOf(request);
      const agora = deps.clock.now();
      const pasta = join(deps.config.dataFolder, EXPORTACOES_FOLDER);
      const livro = await xlsxDasFalhas(deps.db.read, { contadorId, agora, pasta });
      return reply
        .type(TIPO_DO_LIVRO)
        .header('content-disposition', `attachment; filename="falhas-${codigoCrm}-${diaDe(agora)}.xlsx"`)
        .send(livro);
    },
  );
}

function marcarRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /falhas/marcar',
      resumo: 'Dá falhas por vistas ou por resolvidas, e diz por quê',
      body: schemas.MarcarFalhasBody,
      resposta: schemas.FalhasMarcadas,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { codigo, situacao, motivo, itens = null, ate } = request.body;
      const falhas = await markFalhas(deps, {
        contadorId: sessao.contadorId,
        autor: autorOf(sessao),
        por: sessao.usuario.nome,
        codigo,
        situacao: situacao as 'visto' | 'resolvido',
        motivo: motivo.trim(),
        lugares: itens,
        ate: ate === undefined ? Infinity : Date.parse(ate) + REST_OF_SECOND_MS,
      });
      return { falhas };
    },
  );
  route(
    {
      rota: 'POST /falhas/reabrir',
      resumo: 'Falhas dadas por vistas ou resolvidas voltam a estar abertas',
      body: schemas.ReabrirFalhasBody,
      resposta: schemas.FalhasMarcadas,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId } = sessao;
      const falhas = await reabrirFalhas(deps, {
        contadorId,
        autor: autorOf(sessao),
        lugares: request.body.itens,
      });
      return { falhas };
    },
  );
}

function totaisRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /importacoes/totais',
      resumo: 'O que se fez dos documentos de alguns arquivos, somado',
      body: schemas.SomarBody,
      resposta: schemas.Somados,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const arquivos = await findNumeros(deps.db.read, {
        contadorId: sessao.contadorId,
        ids: request.body.ids,
        remetente: remetenteVisto(sessao),
      });
      return {
        resultados: await sumResultados(
          deps.db.read,
          arquivos.map(({ numero }) => numero),
        ),
      };
    },
  );
}
