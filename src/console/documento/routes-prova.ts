/** HTTP of what people decide about proofs: an unproven cancellation is set aside, one of equal versions is chosen. */
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { ACAO, type Acao, auditar } from '../../auditoria/auditar.ts';
import { readFalhas, readProva } from '../../documentos/lean/prova-guardada.ts';
import { findConteudos } from '../../documentos/leiautes/queries-leiautes.ts';
import { chooseVersao, desconsiderar } from '../../documentos/review/revisar.ts';
import type { Trx } from '../../documentos/tipos.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import {
  conteudoExcluido,
  documentoNaoEncontrado,
  eventoProvado,
  nadaAMudar,
  versaoMaisFraca,
} from '../errors-documentos.ts';
import type { AddRoute } from '../rota.ts';
import { type Consulta, documentoDe, ERROS_DO_DOCUMENTO, type Params } from './documento-da-sessao.ts';
import { findVersao, type LinhaDoDocumento } from './queries-documento.ts';
import { pdfOuRecusa } from './recusa.ts';
import * as schemas from './schemas-documento.ts';
import { bytesDe } from './vista.ts';

type Corpo = Static<typeof schemas.MotivoBody>;
type Pedido = FastifyRequest<{ Params: Params; Querystring: Consulta; Body: Corpo }>;

export function provaRoutes(route: AddRoute, http: ConsoleHttp): void {
  desconsiderarRoute(route, http, { verbo: 'desconsiderar', afastar: true });
  desconsiderarRoute(route, http, { verbo: 'reconsiderar', afastar: false });
  escolherRoute(route, http);
}

const ATOS = {
  desconsiderar: {
    acao: ACAO.cancelamentoDesconsiderado,
    resumo: 'Desconsidera um cancelamento que nada prova',
    descricao:
      'De um evento ou de uma inutilização: ela deixa de mudar a situação. De um documento: o que as suas outras versões dizem dela.',
  },
  reconsiderar: {
    acao: ACAO.cancelamentoReconsiderado,
    resumo: 'Volta a considerar o que tinha sido desconsiderado',
    descricao: 'A situação volta a ser a que o evento, ou as outras versões, dizem.',
  },
} as const;

function desconsiderarRoute(
  route: AddRoute,
  http: ConsoleHttp,
  { verbo, afastar }: { verbo: keyof typeof ATOS; afastar: boolean },
): void {
  const { acao, resumo, descricao } = ATOS[verbo];
  route(
    {
      rota: `POST /documentos/:id/${verbo}`,
      resumo,
      descricao,
      params: schemas.DocumentoParams,
      querystring: schemas.DocumentoQuery,
      body: schemas.MotivoBody,
      codigos: [...ERROS_DO_DOCUMENTO, 'evento_provado', 'nada_a_mudar'],
    },
    async (request, reply) => {
      const linha = await documentoDe(http, request);
      await decidido(http, { request, linha, acao }, async (trx, alvo) => {
        const feito = await desconsiderar(trx, { ...alvo, afastar });
        if (feito === 'provado') throw eventoProvado();
        if (feito === 'nada') throw nadaAMudar();
      });
      return reply.code(204).send();
    },
  );
}

function escolherRoute(route: AddRoute, http: ConsoleHttp): void {
  route(
    {
      rota: 'POST /documentos/:id/versoes/:versaoId/escolher',
      resumo: 'Escolhe qual das versões em conflito é entregue',
      descricao: 'Entre as de prova igual; a que tem prova mais fraca que a entregue não pode ser escolhida.',
      params: schemas.VersaoParams,
      querystring: schemas.DocumentoQuery,
      body: schemas.MotivoBody,
      codigos: [
        ...ERROS_DO_DOCUMENTO,
        'conteudo_excluido',
        'pdf_indisponivel',
        'versao_mais_fraca',
        'nada_a_mudar',
      ],
    },
    async (request, reply) => {
      const { versaoId } = request.params;
      const linha = await documentoDe(http, request);
      const lida = await lidaDe(http, {
        contadorId: sessaoOf(request).contadorId,
        documentoId: linha.id,
        versaoId,
      });
      const detalhe = { versao: versaoId };
      await decidido(http, { request, linha, acao: ACAO.versaoEscolhida, detalhe }, async (trx, alvo) => {
        const feito = await chooseVersao(trx, { ...alvo, versaoId, lida });
        if (feito === 'mais_fraca') throw versaoMaisFraca();
        if (feito === 'nada') throw nadaAMudar();
      });
      return reply.code(204).send();
    },
  );
}

/** A version as it is read, in the thread where documents are read. */
async function lidaDe(
  { deps, leitor }: ConsoleHttp,
  input: { contadorId: number; documentoId: number; versaoId: number },
): Promise<Parameters<typeof chooseVersao>[1]['lida']> {
  const versao = await findVersao(deps.db.read, input);
  if (!versao) throw documentoNaoEncontrado();
  const original = await bytesDe(deps.db.read, input);
  if (!original) throw conteudoExcluido();
  const registro = await pdfOuRecusa(
    leitor.run<'registro'>({
      kind: 'registro',
      bytes: original.bytes,
      chave: versao.chave,
      leiautes: (await findConteudos(deps.db.read, input.contadorId)).map(({ conteudo }) => conteudo),
    }),
  );
  if (!registro) throw documentoNaoEncontrado();
  const falhas = versao.falhas === null ? [] : readFalhas(versao.falhas);
  return { registro, prova: { prova: readProva(versao.prova), falhas } };
}

/** In one transaction that holds the office's lock, and is written down. */
async function decidido(
  { deps }: ConsoleHttp,
  input: {
    request: Pick<Pedido, 'body'> & FastifyRequest;
    linha: LinhaDoDocumento;
    acao: Acao;
    detalhe?: Record<string, unknown>;
  },
  act: (trx: Trx, alvo: { contadorId: number; documentoId: number; agora: number }) => Promise<void>,
): Promise<void> {
  const { request, linha, acao } = input;
  const sessao = sessaoOf(request);
  const { contadorId } = sessao;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.escritorio, [contadorId]);
    await act(trx, { contadorId, documentoId: linha.id, agora });
    await auditar(trx, {
      em: agora,
      acao,
      contadorId,
      autor: autorOf(sessao),
      alvo: `documento/${linha.id}`,
      detalhe: { chave: linha.chave, motivo: request.body.motivo, ...input.detalhe },
    });
  });
}
