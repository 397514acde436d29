import { dispensarForma } from '../../documentos/leiautes/dispensar.ts';
import { leiauteInvalido } from '../../documentos/leiautes/errors.ts';
import type { Apontado } from '../../fiscal/nfse/leiautes/apontar.ts';
import { type ConsoleHttp, escopoOf, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { ID_DO_CAMINHO, MENSAGEM } from '../schemas.ts';
import { instanteDe } from '../tempo.ts';
import * as schemas from './schemas-leiautes.ts';

/** What knows all layouts is loaded when somebody looks: 54 files, of which a start needs none. */
const ensinados = () => import('../../documentos/leiautes/ensinados.ts');
const esperando = () => import('./esperando.ts');

export function leiautesRoutes(route: AddRoute, http: ConsoleHttp): void {
  listaRoute(route, http);
  ensinarRoutes(route, http);
  instalarRoute(route, http);
  umRoutes(route, http);
  dispensarRoute(route, http);
}

function listaRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /leiautes',
      resumo: 'Leiautes que o escritório ensinou ou instalou, e o que espera por um',
      resposta: schemas.LEIAUTES,
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const { listEnsinados } = await ensinados();
      const { listEsperando } = await esperando();
      const todos = await listEnsinados(deps.db.read, contadorId);
      return {
        leiautes: todos.map(({ leiaute: { id, nome, fonte }, origem, criadoEm }) => ({
          ...{ id, nome, fonte, origem },
          criadoEm: instanteDe(criadoEm),
        })),
        esperando: await listEsperando(deps, contadorId),
      };
    },
  );
}

function ensinarRoutes(route: AddRoute, { deps, leitor }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /notas-a-ensinar/:id',
      resumo: 'Um arquivo que espera por leiaute, em árvore',
      params: ID_DO_CAMINHO,
      resposta: schemas.ARVORE,
      codigos: ['dados_invalidos', 'leiaute_nao_encontrado', 'leiaute_demorado'],
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const { arvoreDoQueEspera } = await esperando();
      return arvoreDoQueEspera({ ...deps, leitor }, { contadorId, id: request.params.id });
    },
  );
  route(
    {
      rota: 'POST /leiautes/avaliar',
      resumo: 'O que um leiaute, até onde foi apontado, lê de tudo que espera; nada é gravado',
      body: schemas.APONTADO,
      resposta: schemas.AVALIACAO,
      codigos: ['leiaute_demorado'],
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const { avaliar } = await esperando();
      return avaliar({ ...deps, leitor }, { contadorId, apontado: request.body as Apontado });
    },
  );
  route(
    {
      rota: 'POST /leiautes',
      resumo: 'Grava o leiaute apontado; o que espera e é lido por ele entra nas listas, em ordem de chegada',
      body: schemas.APONTADO,
      resposta: schemas.LEIAUTE_GRAVADO,
      codigos: ['leiaute_invalido', 'leiautes_demais'],
    },
    async (request) => {
      const { descrever } = await import('../../fiscal/nfse/leiautes/apontar.ts');
      const described = descrever(request.body as Apontado);
      if (!described.ok) throw leiauteInvalido(described.faltas);
      const input = { ...escopoOf(request), valor: described.leiaute, origem: 'ensinado' } as const;
      const { saveEnsinado } = await ensinados();
      const { leiaute, substituiu } = await saveEnsinado(deps, input);
      return { id: leiaute.id, nome: leiaute.nome, substituiu };
    },
  );
}

function instalarRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /leiautes/instalar',
      resumo: 'Instala o leiaute de um arquivo, como um colega o enviou',
      descricao: 'É conferido como os que vêm com o produto, e vale só para este escritório.',
      body: schemas.LEIAUTE_ENVIADO,
      resposta: schemas.LEIAUTE_GRAVADO,
      codigos: ['leiaute_invalido', 'leiautes_demais'],
    },
    async (request) => {
      const { readEnsinado } = await import('../../fiscal/nfse/leiautes/validar-ensinado.ts');
      const read = readEnsinado(request.body.arquivo);
      if (!read.ok) throw leiauteInvalido(read.faltas);
      const input = { ...escopoOf(request), valor: read.leiaute, origem: 'instalado' } as const;
      const { saveEnsinado } = await ensinados();
      const { leiaute, substituiu } = await saveEnsinado(deps, input);
      return { id: leiaute.id, nome: leiaute.nome, substituiu };
    },
  );
}

function umRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /leiautes/:id/arquivo',
      resumo: 'O leiaute em um arquivo JSON, para enviar a um colega',
      descricao: 'Traz nomes de elementos, e nada de nota alguma.',
      params: schemas.LEIAUTE_PARAMS,
      codigos: ['dados_invalidos', 'leiaute_nao_encontrado'],
    },
    async (request, reply) => {
      const { contadorId } = sessaoOf(request);
      const { fileOf, findEnsinado } = await ensinados();
      const { nome, texto } = fileOf(await findEnsinado(deps.db.read, { contadorId, id: request.params.id }));
      return reply
        .type('application/json')
        .header('content-disposition', `attachment; filename="${nome}"`)
        .header('cache-control', 'private, no-store')
        .send(Buffer.from(texto));
    },
  );
  route(
    {
      rota: 'DELETE /leiautes/:id',
      resumo: 'Retira um leiaute; o que já foi lido por ele fica como está',
      params: schemas.LEIAUTE_PARAMS,
      resposta: MENSAGEM,
      codigos: ['dados_invalidos', 'leiaute_nao_encontrado'],
    },
    async (request) => {
      const { retireEnsinado } = await ensinados();
      await retireEnsinado(deps, { ...escopoOf(request), id: request.params.id });
      return { mensagem: 'Leiaute retirado. As notas que ele leu ficam; as que chegarem agora esperam.' };
    },
  );
}

function dispensarRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /leiautes/esperando/dispensar',
      resumo: 'Deixa de esperar pelos arquivos de uma forma, que não são notas; os enviados ficam',
      body: schemas.DISPENSAR,
      resposta: schemas.DISPENSADOS,
      codigos: ['leiaute_nao_encontrado'],
    },
    async (request) => ({ arquivos: await dispensarForma(deps, { ...escopoOf(request), ...request.body }) }),
  );
}
