/** HTTP of the office's clients. The rules are those of the accounts area, whose acts are called. */
import type { FastifyRequest } from 'fastify';
import { atualizarCliente, cadastrarCliente } from '../../contas/cadastrar.ts';
import { type ConsoleHttp, escopoOf, requireClienteDaSessao, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import {
  CLIENTE,
  CLIENTE_MUDANCA,
  CLIENTE_NOVO,
  CLIENTES,
  CLIENTES_CONSULTA,
  CPF_CNPJ_DO_CAMINHO,
  LOTE,
  LOTE_PREVIA,
  LOTE_RESULTADO,
} from '../schemas-clientes.ts';
import { atualizacaoDe, cadastroDe, comNomesDoConsole } from './corpo.ts';
import { detalhar, listarClientes } from './listar.ts';
import { judgeLinhas, linhasDoCorpo, registerLote } from './lote.ts';

export const DE_CLIENTE = ['cpf_cnpj_invalido', 'cliente_nao_encontrado'];
export const DE_CERTIFICADO = ['certificado_invalido', 'indisponivel'];

export function clientesRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, contas } = http;
  const show = async (request: FastifyRequest, cpfCnpj: string) => {
    const sessao = sessaoOf(request);
    const { id } = await requireClienteDaSessao(deps, { sessao, cpfCnpj });
    const [found] = await detalhar(deps, { contadorId: sessao.contadorId, ids: [id] });
    return found;
  };

  route(
    {
      rota: 'GET /clientes',
      resumo: 'Clientes do escritório',
      querystring: CLIENTES_CONSULTA,
      resposta: CLIENTES,
      codigos: ['dados_invalidos', 'pagina_invalida', 'tamanho_invalido', 'parametro_repetido'],
    },
    async (request) => {
      const { contadorId, alcance } = sessaoOf(request);
      const { busca = '', ordem, Pagina: pagina, Tamanho: tamanho } = request.query;
      return listarClientes(deps, { contadorId, alcance, busca, ordem, pagina, tamanho });
    },
  );

  route(
    {
      rota: 'POST /clientes',
      resumo: 'Cadastra um cliente',
      descricao: 'Documentos que esperavam por ele entram na sua lista na mesma hora.',
      body: CLIENTE_NOVO,
      resposta: CLIENTE,
      codigos: ['cliente_ja_cadastrado', ...DE_CERTIFICADO],
    },
    async (request) => {
      const cadastro = cadastroDe(request.body);
      await comNomesDoConsole(() => cadastrarCliente(contas, { ...escopoOf(request), cadastro }));
      return show(request, cadastro.cpfCnpj);
    },
  );

  route(
    {
      rota: 'GET /clientes/:cpfCnpj',
      resumo: 'Um cliente',
      params: CPF_CNPJ_DO_CAMINHO,
      resposta: CLIENTE,
      codigos: DE_CLIENTE,
    },
    (request) => show(request, request.params.cpfCnpj),
  );

  route(
    {
      rota: 'PUT /clientes/:cpfCnpj',
      resumo: 'Altera um cliente',
      descricao:
        'Campos ausentes ficam como estão. Deixar a procuração exige que o certificado guardado seja do cliente.',
      params: CPF_CNPJ_DO_CAMINHO,
      body: CLIENTE_MUDANCA,
      resposta: CLIENTE,
      codigos: [...DE_CLIENTE, 'certificado_invalido'],
    },
    async (request) => {
      const { nome, email, trabalhaComProcuracao } = request.body;
      const atualizacao = atualizacaoDe({
        ...(nome === undefined ? {} : { nome }),
        ...(email === undefined ? {} : { email }),
        ...(trabalhaComProcuracao === undefined ? {} : { trabalhaComProcuracao }),
      });
      const { cpfCnpj } = request.params;
      await comNomesDoConsole(() => atualizarCliente(contas, { ...escopoOf(request), cpfCnpj, atualizacao }));
      return show(request, cpfCnpj);
    },
  );
  loteRoutes(route, http);
}

function loteRoutes(route: AddRoute, { deps, contas }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /clientes/lote/previa',
      resumo: 'Mostra o que um CSV de clientes faria',
      descricao:
        'Colunas cnpj, nome, email e procuracao, de um CSV (separadas por ; , ou tabulação) ou .xlsx; sem e-mail, o de quem pede. Nada é gravado.',
      body: LOTE,
      resposta: LOTE_PREVIA,
      codigos: ['csv_invalido'],
    },
    async (request) => {
      const { contadorId, usuario } = sessaoOf(request);
      const linhas = await judgeLinhas(deps, {
        contadorId,
        linhas: await linhasDoCorpo(request.body, usuario.email),
      });
      return { novos: linhas.filter(({ situacao }) => situacao === 'nova').length, linhas };
    },
  );

  route(
    {
      rota: 'POST /clientes/lote',
      resumo: 'Cadastra os clientes de um CSV',
      descricao: 'Cada linha por si: uma que falha não impede as outras.',
      body: LOTE,
      resposta: LOTE_RESULTADO,
      codigos: ['csv_invalido', 'indisponivel'],
    },
    async (request) => {
      const { body } = request;
      const somente = body.linhas ? new Set(body.linhas) : null;
      const linhas = await registerLote(contas, {
        ...escopoOf(request),
        linhas: await linhasDoCorpo(body, sessaoOf(request).usuario.email),
        somente,
      });
      const criados = linhas.filter(({ situacao }) => situacao === 'cadastrada').length;
      const recusados = linhas.length - criados;
      const mensagem = `Clientes cadastrados: ${criados}. Linhas de fora: ${recusados}.`;
      return { criados, recusados, mensagem, linhas };
    },
  );
}
