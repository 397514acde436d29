/** How every route of one document begins: the document of its path, as the session may see it. */
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { alcanceDaConsulta, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { documentoNaoEncontrado } from '../errors-documentos.ts';
import { findDocumento, type LinhaDoDocumento } from './queries-documento.ts';
import type { DocumentoParams, DocumentoQuery } from './schemas-documento.ts';

export type Params = Static<typeof DocumentoParams>;
export type Consulta = Static<typeof DocumentoQuery>;

/** What each of these routes may be answered with. */
export const ERROS_DO_DOCUMENTO = [
  'dados_invalidos',
  'cpf_cnpj_invalido',
  'parametro_repetido',
  'cliente_nao_encontrado',
  'documento_nao_encontrado',
];

/** @throws documento_nao_encontrado, cliente_nao_encontrado */
export async function documentoDe(
  http: Pick<ConsoleHttp, 'deps'>,
  request: FastifyRequest<{ Params: Params; Querystring: Consulta }>,
): Promise<LinhaDoDocumento> {
  const sessao = sessaoOf(request);
  const linha = await findDocumento(http.deps.db.read, {
    contadorId: sessao.contadorId,
    documentoId: request.params.id,
    alcance: await alcanceDaConsulta(http.deps, { sessao, cliente: request.query.cliente }),
  });
  if (!linha) throw documentoNaoEncontrado();
  return linha;
}
