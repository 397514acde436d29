/** HTTP of retention: terms and preview, legal holds, the deletion in two steps. Of administrators only. */
import type { TabelaExclusaoPacote } from '../../banco/tabelas-retencao.ts';
import * as exclusoes from '../../retencao/exclusoes.ts';
import { type Guarda, liftGuarda, listGuardas, putGuarda } from '../../retencao/guardas.ts';
import { previaDe } from '../../retencao/previa.ts';
import type { Exclusao } from '../../retencao/queries-exclusoes.ts';
import { setPrazo } from '../../retencao/regras.ts';
import { type ConsoleHttp, escopoOf, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import {
  EXCLUSAO,
  EXCLUSAO_PARAMS,
  EXCLUSAO_PEDIDA,
  EXCLUSOES,
  GUARDA_BODY,
  GUARDA_PARAMS,
  GUARDA_POSTA,
  GUARDAS,
  LEVANTAR_BODY,
  PACOTE_PARAMS,
  PRAZO_BODY,
  PREVIA,
} from '../schemas-retencao.ts';
import { instanteDe } from '../tempo.ts';
import { Entrega } from './entrega.ts';

export function retencaoRoutes(route: AddRoute, http: ConsoleHttp): void {
  prazosRoutes(route, http);
  guardasRoutes(route, http);
  exclusoesRoutes(route, http);
  pacoteRoute(route, http);
  passosRoutes(route, http);
}

function prazosRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /retencao',
      resumo: 'Prazos de guarda e prévia do que venceu e do que vencerá',
      resposta: PREVIA,
    },
    async (request) => previaDe(deps, { contadorId: sessaoOf(request).contadorId }),
  );
  route(
    {
      rota: 'PUT /retencao/prazo',
      resumo: 'Define o prazo de guarda de um modelo',
      body: PRAZO_BODY,
      resposta: MENSAGEM,
    },
    async (request) => {
      await setPrazo(deps, { ...escopoOf(request), ...request.body });
      return { mensagem: 'Prazo gravado.' };
    },
  );
}

function guardasRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    { rota: 'GET /retencao/guardas', resumo: 'Guardas legais, as em vigor primeiro', resposta: GUARDAS },
    async (request) => {
      const guardas = await listGuardas(deps.db.read, sessaoOf(request).contadorId);
      return { guardas: guardas.map(presentGuarda) };
    },
  );
  route(
    {
      rota: 'POST /retencao/guardas',
      resumo: 'Põe documentos sob guarda legal',
      body: GUARDA_BODY,
      resposta: GUARDA_POSTA,
      codigos: ['cliente_nao_encontrado'],
    },
    async (request) => putGuarda(deps, { ...escopoOf(request), guarda: request.body }),
  );
  route(
    {
      rota: 'POST /retencao/guardas/:id/levantar',
      resumo: 'Termina uma guarda legal',
      params: GUARDA_PARAMS,
      body: LEVANTAR_BODY,
      resposta: MENSAGEM,
      codigos: ['guarda_nao_encontrada'],
    },
    async (request) => {
      const { id } = request.params;
      await liftGuarda(deps, { ...escopoOf(request), id, motivo: request.body.motivo });
      return { mensagem: 'Guarda legal levantada.' };
    },
  );
}

function exclusoesRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    { rota: 'GET /retencao/exclusoes', resumo: 'Exclusões, a mais nova primeiro', resposta: EXCLUSOES },
    async (request) => {
      const rows = await exclusoes.listExclusoes(deps.db.read, sessaoOf(request).contadorId);
      return { exclusoes: rows.map(presentExclusao) };
    },
  );
  route(
    {
      rota: 'POST /retencao/exclusoes',
      resumo: 'Prepara a exclusão do que venceu',
      descricao: 'Lista o que venceu e faz a cópia em ZIP; nada é excluído ainda.',
      resposta: EXCLUSAO_PEDIDA,
      codigos: ['exclusao_em_andamento', 'nada_a_excluir'],
    },
    async (request) => exclusoes.askForExclusao(deps, escopoOf(request)),
  );
  route(
    {
      rota: 'GET /retencao/exclusoes/:id',
      resumo: 'Uma exclusão, com os pacotes da cópia',
      params: EXCLUSAO_PARAMS,
      resposta: EXCLUSAO,
      codigos: ['exclusao_nao_encontrada'],
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const exclusao = await exclusoes.exclusaoDe(deps.db.read, { contadorId, id: request.params.id });
      return { ...presentExclusao(exclusao), pacotes: exclusao.pacotes.map(presentPacote) };
    },
  );
}

function pacoteRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /retencao/exclusoes/:id/pacotes/:parte',
      resumo: 'Baixa uma parte da cópia (ZIP)',
      descricao:
        'O download fica registrado quando a parte saiu inteira; a exclusão só se confirma depois de todas as partes baixadas.',
      params: PACOTE_PARAMS,
      codigos: ['exclusao_nao_encontrada'],
    },
    async (request, reply) => {
      const entrega = new Entrega();
      try {
        await exclusoes.downloadPacote(
          deps,
          { ...escopoOf(request), ...request.params },
          async ({ nome, ...pacote }) => {
            reply
              .type('application/zip')
              .header('content-disposition', `attachment; filename="${nome}"`)
              .header('content-length', pacote.sizeBytes)
              .header('cache-control', 'no-store')
              .send(entrega.open(pacote));
            await entrega.reached;
          },
        );
      } catch (error) {
        if (!reply.sent) throw error;
        entrega.breakOff(error as Error);
      }
      entrega.finish();
      return reply;
    },
  );
}

/** What somebody does with a deletion that is there. */
function passosRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  const steps = [
    {
      passo: 'confirmar',
      resumo: 'Confirma a exclusão do que foi preparado',
      codigos: ['exclusao_nao_encontrada', 'exclusao_em_outro_estado', 'pacote_nao_baixado'],
      act: exclusoes.confirmExclusao,
      mensagem: 'Exclusão confirmada: os documentos estão sendo excluídos.',
    },
    {
      passo: 'cancelar',
      resumo: 'Desiste de uma exclusão antes que algo seja excluído',
      codigos: ['exclusao_nao_encontrada', 'exclusao_em_outro_estado'],
      act: exclusoes.cancelExclusao,
      mensagem: 'Exclusão cancelada; nada foi excluído.',
    },
    {
      passo: 'retomar',
      resumo: 'Tenta de novo o passo em que uma exclusão falhou',
      codigos: ['exclusao_nao_encontrada', 'exclusao_em_outro_estado'],
      act: exclusoes.resumeExclusao,
      mensagem: 'Exclusão retomada.',
    },
  ];
  for (const { passo, resumo, codigos, act, mensagem } of steps) {
    const path = `/retencao/exclusoes/:id/${passo}`;
    route(
      { rota: `POST ${path}`, resumo, params: EXCLUSAO_PARAMS, resposta: MENSAGEM, codigos },
      async (request) => {
        await act(deps, { ...escopoOf(request), id: request.params.id });
        return { mensagem };
      },
    );
  }
}

function presentGuarda(guarda: Guarda) {
  const { cliente } = guarda;
  return {
    ...guarda,
    cliente: cliente && { cpfCnpj: cliente.cpfCnpj, nome: cliente.nome },
    criadaEm: instanteDe(guarda.criadaEm),
    levantadaEm: instanteDe(guarda.levantadaEm),
  };
}

function presentPacote({ parte, sha256, tamanho, documentos, baixado_em }: TabelaExclusaoPacote) {
  return { parte, sha256, tamanho, documentos, baixadoEm: instanteDe(baixado_em) };
}

function presentExclusao(row: Exclusao) {
  return {
    id: row.id,
    estado: row.estado,
    criadaEm: instanteDe(row.criada_em),
    criadaPor: row.criada_por,
    preparadaEm: instanteDe(row.preparada_em),
    confirmadaEm: instanteDe(row.confirmada_em),
    confirmadaPor: row.confirmada_por,
    concluidaEm: instanteDe(row.concluida_em),
    expiraEm: instanteDe(row.expira_em),
    documentos: row.documentos,
    excluidos: row.excluidos,
    mantidos: row.mantidos,
    arquivosApagados: row.arquivos_apagados,
    arquivosMantidos: row.arquivos_mantidos,
    erro: row.erro,
  };
}
