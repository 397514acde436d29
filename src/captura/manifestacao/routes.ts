/** HTTP of manifestação for integrators. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { authOf, type HttpContext, type OnRequestHook } from '../../autorizacao/contexto.ts';
import { escopoInsuficiente } from '../../autorizacao/errors.ts';
import { requireCliente } from '../../autorizacao/guard.ts';
import type { Ambiente } from '../../banco/tabelas-captura.ts';
import { documentoNaoEncontrado } from '../../exportacao/errors.ts';
import type { ChaveParams } from '../../exportacao/schemas.ts';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { instante } from '../apresentar.ts';
import { fraseDe } from '../situacao/frases.ts';
import { impedido } from './errors.ts';
import { readJustificativa } from './justificativa.ts';
import { askForManifestacoes, documentosDe } from './pedir.ts';
import type { LinhaDeManifestacao } from './queries.ts';
import { findManifestacoes } from './queries.ts';
import * as schemas from './schemas.ts';
import { manifestacaoDe } from './tipos.ts';

const MANIFESTACAO = '/api/v1/:codigoCrm/:cpfCnpj/documentos/:chave/manifestacao';

type Rota = { Params: Static<typeof ChaveParams>; Body: Static<typeof schemas.ManifestarBody> };

/** Registers the routes of manifestação. @param input.ambiente where capture works */
export function manifestacaoRoutes(
  app: FastifyInstance,
  ctx: HttpContext,
  { ambiente }: { ambiente: Ambiente },
): void {
  const onRequest = [ctx.requireToken, ctx.requireOwnCrm];
  const quemDe = async (request: FastifyRequest<{ Params: Static<typeof ChaveParams> }>) => {
    const { chave, cpfCnpj } = request.params;
    const cliente = await requireCliente(ctx.deps, { request, cpfCnpj });
    const { contadorId, autor } = authOf(request);
    return { contadorId, clienteId: cliente.id, cpfCnpj: cliente.cpfCnpj, chave, autor, ambiente };
  };
  const show = async ({ contadorId, chave }: { contadorId: number; chave: string }) => ({
    chave,
    manifestacoes: (await findManifestacoes(ctx.deps.db.read, { contadorId, chaves: [chave] })).map(
      presentManifestacao,
    ),
  });
  app.get<{ Params: Static<typeof ChaveParams> }>(
    MANIFESTACAO,
    { schema: schemas.manifestacoesSchema, onRequest },
    async (request) => {
      const quem = await quemDe(request);
      const known = await documentosDe(ctx.deps.db.read, { ...quem, chaves: [quem.chave] });
      if (!known.has(quem.chave)) throw documentoNaoEncontrado();
      return show(quem);
    },
  );
  app.post<Rota>(
    MANIFESTACAO,
    { schema: schemas.manifestarSchema, onRequest: [...onRequest, requireEverything] },
    async (request) => {
      const { tipo, justificativa } = readBody(request.body);
      const quem = await quemDe(request);
      const pedido = { ...quem, chaves: [quem.chave], codigo: tipo.codigo, justificativa };
      const [pedida] = await askForManifestacoes(ctx.deps, pedido);
      if (pedida && !pedida.aceita) {
        if (pedida.codigo === 'documento_nao_encontrado') throw documentoNaoEncontrado();
        throw impedido({ codigo: pedida.codigo, mensagem: pedida.mensagem });
      }
      return show(quem);
    },
  );
}

/** Declaring something for a client is more than reading its documents. */
const requireEverything: OnRequestHook = async (request) => {
  if (authOf(request).escopo !== 'tudo') throw escopoInsuficiente();
};

function readBody({ codigo, justificativa = '' }: Rota['Body']) {
  const tipo = manifestacaoDe(codigo);
  if (!tipo) throw dadoInvalido('codigo', 'codigo não é o de uma manifestação.');
  if (!tipo.justificativa) return { tipo, justificativa: null };
  const lida = readJustificativa(justificativa);
  if ('falha' in lida) throw dadoInvalido('justificativa', lida.falha);
  return { tipo, justificativa: lida.texto };
}

/** The wire form: snake case, instants with their offset. */
function presentManifestacao(row: LinhaDeManifestacao) {
  const { codigo, resposta, motivo } = row;
  const frase = resposta === null ? null : fraseDe({ servico: 'evento', codigo: resposta, motivo });
  return {
    codigo,
    descricao: manifestacaoDe(codigo)?.nome ?? codigo,
    estado: row.estado,
    pedida_em: instante(row.pedida_em),
    pedida_por: row.pedida_por,
    respondida_em: instante(row.respondida_em),
    proxima_em: instante(row.proxima_em),
    resposta,
    mensagem: frase && `${frase.diz} ${frase.fazer}`,
    protocolo: row.nprot,
  };
}
