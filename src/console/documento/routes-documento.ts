/** HTTP of one document in the console. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { ATO_DE_ACESSO, type AtoDeAcesso } from '../../documentos/acessos.ts';
import { finalidadeDe, informarFinalidade } from '../../documentos/finalidade.ts';
import type { FinalidadeAquisicao } from '../../fiscal/finalidade.ts';
import { dadosInvalidos } from '../../platform/http/errors.ts';
import { autorOf, type ConsoleHttp, requireClienteDaSessao, type Sessao, sessaoOf } from '../contexto.ts';
import { conteudoExcluido, documentoNaoEncontrado, pdfIndisponivel } from '../errors-documentos.ts';
import { consoleSchema } from '../schemas.ts';
import { DocumentoIlegivel } from './leitor-de-documentos.ts';
import { findDocumento, type LinhaDoDocumento } from './queries-documento.ts';
import * as schemas from './schemas-documento.ts';
import { bytesDe, bytesServidos, tituloDoDocumento, vistaDoDocumento } from './vista.ts';

type Params = Static<typeof schemas.DocumentoParams>;
type Consulta = Static<typeof schemas.DocumentoQuery>;

const CODIGOS = [
  'dados_invalidos',
  'cpf_cnpj_invalido',
  'parametro_repetido',
  'cliente_nao_encontrado',
  'documento_nao_encontrado',
];

export function documentoRoutes(api: FastifyInstance, http: ConsoleHttp): void {
  vistaRoutes(api, http);
  arquivosRoutes(api, http);
  finalidadeRoute(api, http);
}

/** The document of a path, as the session may see it. @throws documento_nao_encontrado, cliente_nao_encontrado */
async function documentoOf(
  { deps }: ConsoleHttp,
  input: { sessao: Sessao; id: number; cliente?: string | undefined },
): Promise<LinhaDoDocumento> {
  const { sessao, id } = input;
  const clienteId = input.cliente
    ? (await requireClienteDaSessao(deps, { sessao, cpfCnpj: input.cliente })).id
    : sessao.clienteId;
  const linha = await findDocumento(deps.db.read, {
    contadorId: sessao.contadorId,
    documentoId: id,
    clienteId,
  });
  if (!linha) throw documentoNaoEncontrado();
  return linha;
}

function anotar(
  { acessos }: ConsoleHttp,
  sessao: Sessao,
  input: { documentoId: number; ato: AtoDeAcesso },
): void {
  acessos.documento({ contadorId: sessao.contadorId, ...input, autor: autorOf(sessao) });
}

function vistaRoutes(api: FastifyInstance, http: ConsoleHttp): void {
  const { deps, catalogo, leitor } = http;
  api.get<{ Params: Params; Querystring: Consulta }>(
    '/documentos/:id',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /documentos/:id',
        resumo: 'Um documento, para ler',
        descricao:
          'O que o documento diz, em grupos; o que se conferiu; o que aconteceu com ele; quem o leu.',
        params: schemas.DocumentoParams,
        querystring: schemas.DocumentoQuery,
        resposta: schemas.VistaDoDocumento,
        codigos: CODIGOS,
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const linha = await documentoOf(http, {
        sessao,
        id: request.params.id,
        cliente: request.query.cliente,
      });
      const vista = await vistaDoDocumento({ db: deps.db.read, leitor }, linha, sessao);
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.leitura });
      return vista;
    },
  );
  api.get<{ Params: Params; Querystring: Static<typeof schemas.ItensQuery> }>(
    '/documentos/:id/itens',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /documentos/:id/itens',
        resumo: 'Itens de um documento, por páginas',
        params: schemas.DocumentoParams,
        querystring: schemas.ItensQuery,
        resposta: schemas.PaginaDeItens,
        codigos: [...CODIGOS, 'pagina_invalida', 'tamanho_invalido', 'conteudo_excluido', 'pdf_indisponivel'],
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cliente, Pagina: pagina, Tamanho: tamanho } = request.query;
      const linha = await documentoOf(http, { sessao, id: request.params.id, cliente });
      const { bytes } = await bytesServidos(deps.db.read, linha.id);
      const { total, itens } = await leitor
        .run<'itens'>({ kind: 'itens', bytes, pagina, tamanho })
        .catch(ilegivel);
      return { total, paginas: Math.ceil(total / tamanho), tamanho, pagina, itens };
    },
  );
}

function ilegivel(error: unknown): never {
  throw error instanceof DocumentoIlegivel ? pdfIndisponivel() : error;
}

function arquivosRoutes(api: FastifyInstance, http: ConsoleHttp): void {
  const { deps, catalogo, leitor } = http;
  api.get<{ Params: Params; Querystring: Consulta }>(
    '/documentos/:id/xml',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /documentos/:id/xml',
        resumo: 'O XML do documento, byte por byte como chegou (`application/xml`)',
        params: schemas.DocumentoParams,
        querystring: schemas.DocumentoQuery,
        codigos: [...CODIGOS, 'conteudo_excluido'],
      }),
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const linha = await documentoOf(http, {
        sessao,
        id: request.params.id,
        cliente: request.query.cliente,
      });
      const { bytes } = await bytesServidos(deps.db.read, linha.id);
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.xml });
      return sendFile(reply, { bytes, type: 'application/xml', name: `${nomeDoArquivo(linha)}.xml` });
    },
  );
  api.get<{ Params: Static<typeof schemas.VersaoParams>; Querystring: Consulta }>(
    '/documentos/:id/versoes/:versaoId/xml',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /documentos/:id/versoes/:versaoId/xml',
        resumo: 'O XML de uma das versões do documento (`application/xml`)',
        params: schemas.VersaoParams,
        querystring: schemas.DocumentoQuery,
        codigos: [...CODIGOS, 'conteudo_excluido'],
      }),
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const { id, versaoId } = request.params;
      const linha = await documentoOf(http, { sessao, id, cliente: request.query.cliente });
      const original = await bytesDe(deps.db.read, { documentoId: linha.id, versaoId });
      if (!original) throw linha.excluido_em === null ? documentoNaoEncontrado() : conteudoExcluido();
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.xml });
      const name = `${nomeDoArquivo(linha)}-versao-${versaoId}.xml`;
      return sendFile(reply, { bytes: original.bytes, type: 'application/xml', name });
    },
  );
  api.get<{ Params: Params; Querystring: Consulta }>(
    '/documentos/:id/pdf',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /documentos/:id/pdf',
        resumo:
          'O documento em PDF: DANFE da NF-e e da NFC-e, folha de leitura dos demais (`application/pdf`)',
        params: schemas.DocumentoParams,
        querystring: schemas.DocumentoQuery,
        codigos: [...CODIGOS, 'conteudo_excluido', 'pdf_indisponivel'],
      }),
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const linha = await documentoOf(http, {
        sessao,
        id: request.params.id,
        cliente: request.query.cliente,
      });
      const original = await bytesServidos(deps.db.read, linha.id);
      const contexto = {
        especie: linha.especie,
        status: linha.status,
        homologacao: linha.ambiente === 2,
        titulo: tituloDoDocumento(linha),
        chave: linha.chave,
      };
      const bytes = await leitor.run<'pdf'>({ kind: 'pdf', ...original, contexto }).catch(ilegivel);
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.pdf });
      return sendFile(reply, { bytes, type: 'application/pdf', name: `${nomeDoArquivo(linha)}.pdf` });
    },
  );
}

/** Nothing but plain ASCII reaches a header or a folder (trust S09). */
export function nomeDoArquivo(linha: {
  chave: string;
  evento_codigo: string | null;
  evento_sequencia: number | null;
}): string {
  const name = linha.evento_codigo
    ? `${linha.chave}-${linha.evento_codigo}-${linha.evento_sequencia ?? 1}`
    : linha.chave;
  return name.replaceAll(/[^0-9A-Za-z._~-]/g, '_').slice(0, 120);
}

function sendFile(
  reply: FastifyReply,
  input: { bytes: Uint8Array; type: string; name: string },
): FastifyReply {
  return reply
    .type(input.type)
    .header('content-disposition', `attachment; filename="${input.name}"`)
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength));
}

function finalidadeRoute(api: FastifyInstance, http: ConsoleHttp): void {
  const { deps, catalogo } = http;
  api.put<{ Params: Params; Querystring: Consulta; Body: Static<typeof schemas.FinalidadeBody> }>(
    '/documentos/:id/finalidade',
    {
      schema: consoleSchema(catalogo, {
        rota: 'PUT /documentos/:id/finalidade',
        resumo: 'Diz para que se comprou: o documento todo, alguns itens, ou ambos',
        params: schemas.DocumentoParams,
        querystring: schemas.DocumentoQuery,
        body: schemas.FinalidadeBody,
        resposta: schemas.Finalidade,
        codigos: CODIGOS,
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const linha = await documentoOf(http, {
        sessao,
        id: request.params.id,
        cliente: request.query.cliente,
      });
      const alvo = { clienteId: linha.cliente_id, documentoId: linha.id };
      const atual = await finalidadeDe(deps.db.read, alvo);
      if (!atual || linha.classe !== 'documento') throw documentoNaoEncontrado();
      const { finalidade_aquisicao, itens = [] } = request.body;
      if (finalidade_aquisicao === undefined && itens.length === 0) {
        const mensagem = 'Informe finalidade_aquisicao, itens ou ambos.';
        throw dadosInvalidos([{ campo: '', codigo: 'obrigatorio', mensagem }]);
      }
      const known = new Set(atual.itens.map(({ numero }) => numero));
      const unknown = itens.flatMap(({ numero }, index) =>
        known.has(numero)
          ? []
          : [
              {
                campo: `itens[${index}].numero`,
                codigo: 'inexistente',
                mensagem: `O documento não tem o item ${numero}.`,
              },
            ],
      );
      if (unknown.length > 0) throw dadosInvalidos(unknown);
      await deps.db.write.transaction().execute((trx) =>
        informarFinalidade(trx, {
          ...alvo,
          ...(finalidade_aquisicao === undefined
            ? {}
            : { finalidade: finalidade_aquisicao as FinalidadeAquisicao }),
          itens: itens as { numero: number; finalidade_aquisicao: FinalidadeAquisicao }[],
          agora: deps.clock.now(),
          por: autorOf(sessao),
        }),
      );
      return (await finalidadeDe(deps.db.read, alvo)) ?? atual;
    },
  );
}
