/** HTTP of one document in the console. */
import type { FastifyReply } from 'fastify';
import { ATO_DE_ACESSO, type AtoDeAcesso } from '../../documentos/read/acessos.ts';
import { alcanceDaConsulta, autorOf, type ConsoleHttp, type Sessao, sessaoOf } from '../contexto.ts';
import { resumoDe } from '../documentos/apresentar.ts';
import { conteudoExcluido, documentoNaoEncontrado } from '../errors-documentos.ts';
import type { AddRoute } from '../rota.ts';
import { contextoDoPdf } from './contexto-do-pdf.ts';
import { documentoDe, ERROS_DO_DOCUMENTO } from './documento-da-sessao.ts';
import { ehPdfIndisponivel, pdfOuRecusa } from './recusa.ts';
import { finalidadeRoutes } from './routes-finalidade.ts';
import { provaRoutes } from './routes-prova.ts';
import * as schemas from './schemas-documento.ts';
import { bytesDe, bytesServidos, vistaDoDocumento } from './vista.ts';

/** Until the answer is made: the longest document that is taken, and what is said or drawn of it. */
const DOCUMENT_BYTES = 12_000_000;

export function documentoRoutes(route: AddRoute, http: ConsoleHttp): void {
  vistaRoutes(route, http);
  arquivosRoutes(route, http);
  pdfRoute(route, http);
  finalidadeRoutes(route, http);
  provaRoutes(route, http);
}

function anotar(
  { acessos }: ConsoleHttp,
  sessao: Sessao,
  input: { documentoId: number; ato: AtoDeAcesso },
): void {
  acessos.documento({ contadorId: sessao.contadorId, ...input, autor: autorOf(sessao) });
}

function vistaRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, leitor } = http;
  route(
    {
      rota: 'GET /documentos/:id',
      resumo: 'Um documento, para ler',
      descricao: 'O que o documento diz, em grupos; o que se conferiu; o que aconteceu com ele; quem o leu.',
      params: schemas.DocumentoParams,
      querystring: schemas.DocumentoQuery,
      resposta: schemas.VistaDoDocumento,
      codigos: ERROS_DO_DOCUMENTO,
      config: { answerBytes: DOCUMENT_BYTES },
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const linha = await documentoDe(http, request);
      const visto = await alcanceDaConsulta(deps, { sessao, cliente: request.query.cliente });
      const { alcance } = sessao;
      const vista = await vistaDoDocumento({ db: deps.db.read, leitor }, linha, { alcance, visto });
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.leitura });
      return vista;
    },
  );
  route(
    {
      rota: 'GET /documentos/:id/itens',
      resumo: 'Itens de um documento, por páginas',
      params: schemas.DocumentoParams,
      querystring: schemas.ItensQuery,
      resposta: schemas.PaginaDeItens,
      codigos: [
        ...ERROS_DO_DOCUMENTO,
        'pagina_invalida',
        'tamanho_invalido',
        'conteudo_excluido',
        'pdf_indisponivel',
      ],
      config: { answerBytes: DOCUMENT_BYTES },
    },
    async (request) => {
      const { Pagina: pagina, Tamanho: tamanho } = request.query;
      const linha = await documentoDe(http, request);
      const { bytes } = await bytesServidos(deps.db.read, linha.id);
      const { total, itens } = await pdfOuRecusa(
        leitor.run<'itens'>({ kind: 'itens', bytes, pagina, tamanho }),
      );
      return { total, paginas: Math.ceil(total / tamanho), tamanho, pagina, itens };
    },
  );
}

function arquivosRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  route(
    {
      rota: 'GET /documentos/:id/xml',
      resumo: 'O XML do documento, byte por byte como chegou (`application/xml`)',
      params: schemas.DocumentoParams,
      querystring: schemas.DocumentoQuery,
      codigos: [...ERROS_DO_DOCUMENTO, 'conteudo_excluido'],
      config: { answerBytes: DOCUMENT_BYTES },
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const linha = await documentoDe(http, request);
      const { bytes } = await bytesServidos(deps.db.read, linha.id);
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.xml });
      return sendFile(reply, { bytes, type: 'application/xml', name: `${nomeDoArquivo(linha)}.xml` });
    },
  );
  route(
    {
      rota: 'GET /documentos/:id/versoes/:versaoId/xml',
      resumo: 'O XML de uma das versões do documento (`application/xml`)',
      params: schemas.VersaoParams,
      querystring: schemas.DocumentoQuery,
      codigos: [...ERROS_DO_DOCUMENTO, 'conteudo_excluido'],
      config: { answerBytes: DOCUMENT_BYTES },
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const { versaoId } = request.params;
      const linha = await documentoDe(http, request);
      const original = await bytesDe(deps.db.read, { documentoId: linha.id, versaoId });
      if (!original) throw linha.excluido_em === null ? documentoNaoEncontrado() : conteudoExcluido();
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.xml });
      const name = `${nomeDoArquivo(linha)}-versao-${versaoId}.xml`;
      return sendFile(reply, { bytes: original.bytes, type: 'application/xml', name });
    },
  );
}

/** What a browser shows a PDF with: its own frame and style. */
const VISOR_DE_PDF =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

function pdfRoute(route: AddRoute, http: ConsoleHttp): void {
  const { deps, leitor } = http;
  route(
    {
      rota: 'GET /documentos/:id/pdf',
      resumo:
        'O documento em PDF: DANFE da NF-e e da NFC-e, DACTE do CT-e, folha de leitura dos demais (`application/pdf`)',
      descricao:
        'O que não pode ser desenhado é recusado, e um navegador que abria a página é levado à do documento, que o diz.',
      params: schemas.DocumentoParams,
      querystring: schemas.PdfQuery,
      leva: 'A página do documento, que diz por que não há PDF.',
      codigos: [...ERROS_DO_DOCUMENTO, 'booleano_invalido', 'conteudo_excluido', 'pdf_indisponivel'],
      config: { answerBytes: DOCUMENT_BYTES },
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const linha = await documentoDe(http, request);
      const original = await bytesServidos(deps.db.read, linha.id);
      const pedido = { kind: 'pdf', ...original, contexto: contextoDoPdf(resumoDe(linha)) } as const;
      const bytes = await pdfOuRecusa(leitor.run<'pdf'>(pedido)).catch((error: unknown) => {
        if (!ehPdfIndisponivel(error) || request.headers['sec-fetch-dest'] !== 'document') throw error;
        return null;
      });
      if (!bytes) return reply.redirect(`/console/documentos/${linha.id}?aviso=pdf_indisponivel`, 303);
      anotar(http, sessao, { documentoId: linha.id, ato: ATO_DE_ACESSO.pdf });
      const inline = request.query.abrir === true;
      if (inline) reply.header('content-security-policy', VISOR_DE_PDF);
      return sendFile(reply, { bytes, type: 'application/pdf', name: `${nomeDoArquivo(linha)}.pdf`, inline });
    },
  );
}

/** Nothing but plain ASCII reaches a header or a folder (OWASP ASVS 5.0, 5.4). */
function nomeDoArquivo(linha: {
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
  input: { bytes: Uint8Array; type: string; name: string; inline?: boolean },
): FastifyReply {
  return reply
    .type(input.type)
    .header('content-disposition', `${input.inline ? 'inline' : 'attachment'}; filename="${input.name}"`)
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength));
}
