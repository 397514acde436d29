/** HTTP of manifestação in the console. */
import { readJustificativa } from '../../captura/manifestacao/justificativa.ts';
import { askForManifestacoes } from '../../captura/manifestacao/pedir.ts';
import { manifestacaoDe } from '../../captura/manifestacao/tipos.ts';
import { lerChave } from '../../fiscal/chave.ts';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { autorOf, type ConsoleHttp, requireClienteDaSessao, sessaoOf, umCliente } from '../contexto.ts';
import { documentoDe, ERROS_DO_DOCUMENTO } from '../documento/documento-da-sessao.ts';
import { DocumentoParams, DocumentoQuery } from '../documento/schemas-documento.ts';
import type { AddRoute } from '../rota.ts';
import {
  clientesQueEsperam,
  manifestacaoDoDocumento,
  manifestacoesPedidas,
  notasAManifestar,
  opcoesDeNota,
} from './manifestacao-console.ts';
import * as schemas from './schemas-captura.ts';

export function manifestacaoRoutes(route: AddRoute, http: ConsoleHttp): void {
  listarRoute(route, http);
  clientesRoute(route, http);
  documentoRoute(route, http);
  manifestarRoute(route, http);
}

function listarRoute(route: AddRoute, { deps, captura }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /manifestacoes',
      resumo: 'Notas de um cliente que esperam manifestação, com os prazos, e as manifestações pedidas',
      querystring: schemas.MANIFESTACOES_CONSULTA,
      resposta: schemas.MANIFESTACOES_DO_CLIENTE,
      codigos: ['cpf_cnpj_invalido', 'dados_invalidos', 'parametro_repetido', 'cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const cliente = await umCliente(deps, {
        sessao,
        cpfCnpj: request.query.cliente,
        para: 'ver as notas a manifestar',
      });
      const { ambiente } = captura;
      const quem = { contadorId: sessao.contadorId, cliente, ambiente, agora: deps.clock.now() };
      const nada = { notas: [], haMais: false, pedidas: [], opcoes: opcoesDeNota() };
      return {
        ...nada,
        cliente: { cpfCnpj: cliente.cpfCnpj, nome: cliente.nome },
        ...(request.query.lista === 'pedidas'
          ? { pedidas: await manifestacoesPedidas(deps.db.read, quem) }
          : await notasAManifestar(deps.db.read, quem)),
      };
    },
  );
}

function clientesRoute(route: AddRoute, { deps, captura }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /manifestacoes/clientes',
      resumo: 'Que clientes têm notas à espera de manifestação, e qual prazo acaba primeiro',
      resposta: schemas.CLIENTES_QUE_ESPERAM,
    },
    async (request) => {
      const { contadorId, alcance } = sessaoOf(request);
      const { ambiente } = captura;
      const quem = { contadorId, alcance, ambiente, agora: deps.clock.now() };
      return { clientes: await clientesQueEsperam(deps.db.read, quem) };
    },
  );
}

function documentoRoute(route: AddRoute, http: ConsoleHttp): void {
  const { deps, captura } = http;
  route(
    {
      rota: 'GET /documentos/:id/manifestacao',
      resumo: 'O que o cliente ainda pode declarar deste documento, até quando, e o que já declarou',
      params: DocumentoParams,
      querystring: DocumentoQuery,
      resposta: schemas.MANIFESTACAO_DO_DOCUMENTO,
      codigos: ERROS_DO_DOCUMENTO,
    },
    async (request) => {
      const linha = await documentoDe(http, request);
      const cliente = { id: linha.cliente_id, cpfCnpj: linha.cliente };
      const { ambiente } = captura;
      const { contadorId } = sessaoOf(request);
      const { chave } = linha;
      const found = await manifestacaoDoDocumento(deps.db.read, {
        contadorId,
        cliente,
        ambiente,
        chave,
        agora: deps.clock.now(),
      });
      return { cliente: { cpfCnpj: linha.cliente, nome: linha.cliente_nome }, ...found };
    },
  );
}

function manifestarRoute(route: AddRoute, { deps, captura }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /manifestacoes',
      resumo: 'Pede que uma manifestação seja enviada à SEFAZ, de uma nota ou de várias',
      descricao:
        'É um ato em nome do cliente, com o certificado dele. `confirmo` diz que quem pede leu o que significa.',
      body: schemas.MANIFESTAR,
      resposta: schemas.MANIFESTADAS,
      codigos: ['cpf_cnpj_invalido', 'cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cliente: cpfCnpj, chaves, confirmo } = request.body;
      const tipo = manifestacaoDe(request.body.codigo);
      if (!tipo) throw dadoInvalido('codigo', 'Escolha uma das manifestações.');
      if (!confirmo) throw dadoInvalido('confirmo', 'Confirme que leu o que a manifestação significa.');
      const justificativa = tipo.justificativa ? justificativaDe(request.body.justificativa ?? '') : null;
      const lidas = chaves.map((chave) => lerChave(chave) ?? chave);
      const { id: clienteId, cpfCnpj: proprio } = await requireClienteDaSessao(deps, { sessao, cpfCnpj });
      const pedidas = await askForManifestacoes(deps, {
        contadorId: sessao.contadorId,
        clienteId,
        cpfCnpj: proprio,
        ambiente: captura.ambiente,
        chaves: lidas,
        codigo: tipo.codigo,
        justificativa,
        autor: autorOf(sessao),
      });
      return {
        aceitas: pedidas.filter(({ aceita }) => aceita).length,
        recusadas: pedidas.flatMap((pedida) =>
          pedida.aceita ? [] : [{ chave: pedida.chave, mensagem: pedida.mensagem }],
        ),
      };
    },
  );
}

function justificativaDe(texto: string): string {
  const lida = readJustificativa(texto);
  if ('falha' in lida) throw dadoInvalido('justificativa', lida.falha);
  return lida.texto;
}
