/** HTTP of capture in the console: how it stands, and what an office decides about it. */
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { mensagemDoPedido } from '../../captura/apresentar.ts';
import { captureNow, setCaptura } from '../../captura/ligar.ts';
import { setRegra } from '../../captura/manifestacao/pedir.ts';
import { findRegra } from '../../captura/manifestacao/queries.ts';
import { NOME_DO_SERVICO } from '../../captura/servicos.ts';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { findParaLista } from '../clientes/queries-clientes.ts';
import { autorOf, type ConsoleHttp, requireClienteDaSessao, sessaoOf } from '../contexto.ts';
import { Habitos } from '../inicio/habito.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import { CPF_CNPJ_DO_CAMINHO } from '../schemas-clientes.ts';
import { capturaDoCliente, listCapturas } from './captura-console.ts';
import * as schemas from './schemas-captura.ts';

type DoServico = { Params: Static<typeof schemas.SERVICO_DO_CAMINHO> };

const DE_CLIENTE = ['cpf_cnpj_invalido', 'cliente_nao_encontrado'];

export function capturaRoutes(route: AddRoute, http: ConsoleHttp): void {
  const habitos = new Habitos();
  verRoutes(route, http, habitos);
  mudarRoutes(route, http);
}

function verRoutes(route: AddRoute, { deps, captura }: ConsoleHttp, habitos: Habitos): void {
  route(
    {
      rota: 'GET /captura',
      resumo: 'Como está a captura dos clientes, os piores primeiro',
      querystring: schemas.CAPTURA_CONSULTA,
      resposta: schemas.CAPTURAS,
      codigos: ['dados_invalidos', 'pagina_invalida', 'tamanho_invalido', 'parametro_repetido'],
    },
    async (request) => {
      const { contadorId, alcance } = sessaoOf(request);
      const { busca = '', so, Pagina: pagina, Tamanho: tamanho } = request.query;
      const rows = await findParaLista(deps.db.read, { contadorId, alcance });
      const clientes = rows.map(({ id, cpf_cnpj: cpfCnpj, nome }) => ({ id, cpfCnpj, nome }));
      return listCapturas(captura, { contadorId, clientes, habitos, busca, so, pagina, tamanho });
    },
  );
  route(
    {
      rota: 'GET /captura/:cpfCnpj',
      resumo: 'A captura de um cliente, serviço por serviço, e por que nada veio',
      params: CPF_CNPJ_DO_CAMINHO,
      resposta: schemas.CAPTURA_DO_CLIENTE,
      codigos: DE_CLIENTE,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId } = sessao;
      const cliente = await requireClienteDaSessao(deps, { sessao, cpfCnpj: request.params.cpfCnpj });
      const regra = await findRegra(deps.db.read, { contadorId, clienteId: cliente.id });
      return {
        cpfCnpj: cliente.cpfCnpj,
        nome: cliente.nome,
        servicos: await capturaDoCliente(captura, { contadorId, cliente, habitos }),
        cienciaAutomatica: regra?.ciencia === 1,
      };
    },
  );
}

function mudarRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, captura } = http;
  const pedidoDe = async (request: FastifyRequest<DoServico>) => {
    const sessao = sessaoOf(request);
    const { cpfCnpj, servico } = request.params;
    const cliente = await requireClienteDaSessao(deps, { sessao, cpfCnpj });
    return { contadorId: sessao.contadorId, cliente, servico, autor: autorOf(sessao) };
  };
  route(
    {
      rota: 'PUT /captura/:cpfCnpj/:servico',
      resumo: 'Liga, desliga ou põe em modo passivo a captura de um serviço',
      params: schemas.SERVICO_DO_CAMINHO,
      body: schemas.CAPTURA_MUDANCA,
      resposta: MENSAGEM,
      codigos: [...DE_CLIENTE, 'servico_invalido'],
    },
    async (request) => {
      const { ligada, passiva = false, consentimento = false } = request.body;
      const pedido = await pedidoDe(request);
      if (ligada && !passiva && !consentimento) throw semConsentimento();
      await setCaptura(captura, { ...pedido, ligada, passiva });
      const nome = NOME_DO_SERVICO[pedido.servico];
      if (!ligada) return { mensagem: `Captura de ${nome} desligada.` };
      return { mensagem: passiva ? `Captura de ${nome} em modo passivo.` : `Captura de ${nome} ligada.` };
    },
  );
  route(
    {
      rota: 'POST /captura/:cpfCnpj/:servico/capturar',
      resumo: 'Pede a próxima consulta assim que o serviço a permitir',
      params: schemas.SERVICO_DO_CAMINHO,
      resposta: schemas.CAPTURA_PEDIDA,
      codigos: [...DE_CLIENTE, 'servico_invalido', 'captura_desligada'],
    },
    async (request) => {
      const pedida = await captureNow(captura, await pedidoDe(request));
      return { agora: pedida.agora, mensagem: mensagemDoPedido(pedida) };
    },
  );
  cienciaRoute(route, http);
}

function cienciaRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'PUT /captura/:cpfCnpj/ciencia',
      resumo: 'Liga ou desliga a Ciência da Operação automática de um cliente',
      params: CPF_CNPJ_DO_CAMINHO,
      body: schemas.CIENCIA_MUDANCA,
      resposta: MENSAGEM,
      codigos: DE_CLIENTE,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { id: clienteId } = await requireClienteDaSessao(deps, {
        sessao,
        cpfCnpj: request.params.cpfCnpj,
      });
      const { ligada: ciencia } = request.body;
      const { contadorId } = sessao;
      await setRegra(deps, { contadorId, clienteId, ciencia, autor: autorOf(sessao) });
      return {
        mensagem: ciencia
          ? 'Os próximos resumos recebem Ciência da Operação sozinhos.'
          : 'A Ciência da Operação volta a ser só por pedido.',
      };
    },
  );
}

const semConsentimento = () =>
  dadoInvalido(
    'consentimento',
    'Confirme que o cliente consentiu: a captura age com o certificado dele.',
    'obrigatorio',
  );
