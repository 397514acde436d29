/** HTTP of imports and held documents in the console. */
import { cadastrarCliente } from '../../contas/cadastrar.ts';
import { findCliente } from '../../contas/clientes.ts';
import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { bytesDoArquivo, reimportar } from '../../importacao/again/reimportar.ts';
import { findArquivoDoContador } from '../../importacao/queries.ts';
import { makeTicket } from '../../importacao/upload/ticket.ts';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { registerLote } from '../clientes/lote.ts';
import { autorOf, type ConsoleHttp, remetenteVisto, type Sessao, sessaoOf } from '../contexto.ts';
import { periodo } from '../documentos/ler-filtro.ts';
import { arquivoNaoEncontrado, extensaoInvalida, reimportacaoIndisponivel } from '../errors-documentos.ts';
import type { AddRoute } from '../rota.ts';
import { listImportacoes, listItens, verImportacao } from './listar.ts';
import { provaveisDosRetidos } from './provaveis.ts';
import * as queries from './queries-importacoes.ts';
import { listRetidos, resumoDosRetidos } from './retidos.ts';
import * as schemas from './schemas-importacoes.ts';

/** The largest file that can be sent. */
const ENVIO_BYTES = 30_000_000;

const quemVe = (sessao: Sessao): queries.QuemVe => ({
  contadorId: sessao.contadorId,
  somenteDe: remetenteVisto(sessao),
});

export function importacoesRoutes(route: AddRoute, http: ConsoleHttp): void {
  enviarRoutes(route, http);
  listaRoute(route, http);
  detalheRoutes(route, http);
  retidosRoutes(route, http);
  provaveisRoutes(route, http);
}

function enviarRoutes(route: AddRoute, { deps, enderecos, assinante }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /importacoes',
      resumo: 'Anuncia um arquivo; os bytes vão com PUT para a `url`',
      body: schemas.AnunciarBody,
      resposta: schemas.Anunciado,
      codigos: ['extensao_invalida'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { nome, tamanho } = request.body;
      const extensao = /\.(xml|zip)$/i.exec(nome)?.[0];
      if (!extensao) throw extensaoInvalida();
      const { contadorId, alcance } = sessao;
      const { id, url } = await makeTicket(
        { ...deps, enderecos: assinante },
        {
          pedido: { size: tamanho, extension: extensao },
          contadorId,
          tokenId: null,
          origin: enderecos(request).upload,
          doConsole: { usuarioId: sessao.usuario.id, nome, alcance },
        },
      );
      return { id, url };
    },
  );
  route(
    {
      rota: 'POST /importacoes/:id/reimportar',
      resumo: 'Importa de novo os bytes guardados, como um novo arquivo',
      params: schemas.ImportacaoParams,
      resposta: schemas.Reimportado,
      codigos: ['dados_invalidos', 'arquivo_nao_encontrado', 'reimportacao_indisponivel'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { id } = request.params;
      const { contadorId, alcance } = sessao;
      const visto = await queries.findArquivo(deps.db.read, { ...quemVe(sessao), id });
      const made =
        visto && (await reimportar(deps, { contadorId, usuarioId: sessao.usuario.id, alcance, id }));
      if (!made) throw arquivoNaoEncontrado();
      if ('motivo' in made) throw reimportacaoIndisponivel(made.motivo);
      return made;
    },
  );
  route(
    {
      rota: 'GET /importacoes/:id/arquivo',
      resumo: 'O arquivo, byte por byte como chegou',
      params: schemas.ImportacaoParams,
      codigos: ['dados_invalidos', 'arquivo_nao_encontrado'],
      config: { answerBytes: ENVIO_BYTES },
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const { contadorId } = sessao;
      const visto = await queries.findArquivo(deps.db.read, { ...quemVe(sessao), id: request.params.id });
      const arquivo = visto && (await findArquivoDoContador(deps.db.read, { contadorId, id: visto.id }));
      const bytes = arquivo && (await bytesDoArquivo(deps, arquivo));
      if (!bytes) throw arquivoNaoEncontrado();
      const zip = /zip$/i.test(arquivo.extensao);
      return reply
        .type(zip ? 'application/zip' : 'application/xml')
        .header('content-disposition', `attachment; filename="${arquivo.id}.${zip ? 'zip' : 'xml'}"`)
        .header('cache-control', 'private, no-store')
        .send(bytes);
    },
  );
}

function listaRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /importacoes',
      resumo: 'Arquivos recebidos, do mais novo para o mais antigo',
      querystring: schemas.ImportacoesQuery,
      resposta: schemas.PaginaDeImportacoes,
      codigos: [
        'dados_invalidos',
        'data_invalida',
        'periodo_invalido',
        'tamanho_invalido',
        'pagina_invalida',
        'parametro_repetido',
      ],
    },
    async (request) => {
      const { status, remetente, busca, Tamanho: tamanho, depois } = request.query;
      const { de, ate } = periodo('importacao', request.query.de, request.query.ate);
      return listImportacoes(deps, {
        filtro: {
          ...quemVe(sessaoOf(request)),
          status: status ?? null,
          remetente: remetente ?? null,
          de,
          ate,
          busca: busca || null,
        },
        depois: depois ?? null,
        tamanho,
      });
    },
  );
}

function detalheRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /importacoes/:id',
      resumo: 'Um arquivo recebido',
      params: schemas.ImportacaoParams,
      resposta: schemas.Importacao,
      codigos: ['dados_invalidos', 'arquivo_nao_encontrado'],
    },
    async (request) => {
      const scope = { ...quemVe(sessaoOf(request)), id: request.params.id };
      const found = await verImportacao(deps, scope);
      if (!found) throw arquivoNaoEncontrado();
      return found;
    },
  );
  route(
    {
      rota: 'GET /importacoes/:id/itens',
      resumo: 'O que se encontrou em um arquivo, com causa e remédio de cada problema',
      params: schemas.ImportacaoParams,
      querystring: schemas.ItensDaImportacaoQuery,
      resposta: schemas.ItensDaImportacao,
      codigos: [
        'dados_invalidos',
        'tamanho_invalido',
        'pagina_invalida',
        'parametro_repetido',
        'arquivo_nao_encontrado',
      ],
    },
    async (request) => {
      const { resultado = null, Tamanho: tamanho, depois = 0 } = request.query;
      const scope = { ...quemVe(sessaoOf(request)), id: request.params.id };
      const found = await listItens(deps, { ...scope, resultado, depois, tamanho });
      if (!found) throw arquivoNaoEncontrado();
      return found;
    },
  );
}

function retidosRoutes(route: AddRoute, { deps, contas }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /retidos',
      resumo: 'Empresas que não são clientes e têm documentos à espera',
      querystring: schemas.RetidosQuery,
      resposta: schemas.Retidos,
      codigos: ['tamanho_invalido', 'pagina_invalida', 'parametro_repetido'],
    },
    (request) => {
      const { contadorId } = sessaoOf(request);
      const { Tamanho: tamanho, depois = null } = request.query;
      return listRetidos(deps.db.read, { contadorId, depois, tamanho });
    },
  );
  route(
    {
      rota: 'POST /retidos/cadastrar',
      resumo: 'Cadastra uma empresa retida: os documentos dela entram nas listas na hora',
      body: schemas.CadastrarRetidoBody,
      resposta: schemas.RetidoCadastrado,
      codigos: ['cliente_ja_cadastrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { nome, email } = request.body;
      const cpfCnpj = parseCpfCnpj(request.body.cpfCnpj);
      if (!cpfCnpj) {
        const mensagem = 'Informe um CPF ou CNPJ com dígitos verificadores válidos.';
        throw dadoInvalido('cpfCnpj', mensagem, 'cpf_cnpj_invalido');
      }
      const { contadorId } = sessao;
      await cadastrarCliente(contas, {
        contadorId,
        autor: autorOf(sessao),
        cadastro: { cpfCnpj, nome, email },
      });
      const cliente = await findCliente(deps.db.read, { contadorId, cpfCnpj });
      return { cpfCnpj, documentos: cliente?.ultimoNsu ?? 0 };
    },
  );
}

/** On the first days: what waits, who the clients probably are, and all of them at once. */
function provaveisRoutes(route: AddRoute, { deps, contas }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /retidos/resumo',
      resumo: 'Quantos documentos esperam o cadastro de um cliente',
      resposta: schemas.ResumoDosRetidos,
    },
    (request) => resumoDosRetidos(deps.db.read, sessaoOf(request)),
  );
  route(
    {
      rota: 'GET /retidos/provaveis',
      resumo: 'Empresas dos documentos retidos que devem ser clientes do escritório',
      resposta: schemas.ProvaveisClientes,
    },
    (request) => provaveisDosRetidos(deps.db.read, sessaoOf(request)),
  );
  route(
    {
      rota: 'POST /retidos/cadastrar-varios',
      resumo: 'Cadastra empresas retidas, com o e-mail de quem pede',
      body: schemas.CadastrarVariosBody,
      resposta: schemas.VariosCadastrados,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const linhas = await registerLote(contas, {
        contadorId: sessao.contadorId,
        autor: autorOf(sessao),
        linhas: request.body.empresas.map(({ cpfCnpj, nome }, at) => ({
          linha: at + 1,
          cpfCnpj,
          nome,
          email: sessao.usuario.email,
          trabalhaComProcuracao: false,
        })),
        somente: null,
      });
      return {
        cadastrados: linhas.filter(({ situacao }) => situacao === 'cadastrada').length,
        recusados: linhas
          .filter(({ situacao }) => situacao !== 'cadastrada')
          .map(({ cpfCnpj, mensagem }) => ({ cpfCnpj, mensagem: mensagem ?? '' })),
      };
    },
  );
}
