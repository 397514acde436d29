/** HTTP of imports and held documents in the console. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { cadastrarCliente } from '../../contas/cadastrar.ts';
import { findCliente } from '../../contas/clientes.ts';
import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { AppError } from '../../platform/errors.ts';
import { dadosInvalidos } from '../../platform/http/errors.ts';
import { autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { periodo } from '../documentos/ler-filtro.ts';
import { arquivoNaoEncontrado, reimportacaoIndisponivel } from '../errors-documentos.ts';
import { consoleSchema } from '../schemas.ts';
import { instanteDe } from '../tempo.ts';
import { comRemovidos } from '../usuarios/removidos.ts';
import * as queries from './queries-importacoes.ts';
import { REMEDIOS } from './remedios.ts';
import * as schemas from './schemas-importacoes.ts';

type Params = Static<typeof schemas.ImportacaoParams>;

const RETIDOS_LISTADOS = 500;

export function importacoesRoutes(api: FastifyInstance, http: ConsoleHttp): void {
  enviarRoutes(api, http);
  listaRoute(api, http);
  detalheRoutes(api, http);
  retidosRoutes(api, http);
}

const extensaoInvalida = () =>
  new AppError({
    codigo: 'extensao_invalida',
    status: 400,
    mensagem: 'Envie .xml ou .zip; outros arquivos, como .txt, vão dentro de um .zip.',
    erros: [{ campo: 'nome', codigo: 'extensao_invalida', mensagem: 'Envie .xml ou .zip.' }],
  });

function enviarRoutes(api: FastifyInstance, { deps, catalogo, importacao }: ConsoleHttp): void {
  api.post<{ Body: Static<typeof schemas.AnunciarBody> }>(
    '/importacoes',
    {
      schema: consoleSchema(catalogo, {
        rota: 'POST /importacoes',
        resumo: 'Anuncia um arquivo; os bytes vão com PUT para a `url`',
        body: schemas.AnunciarBody,
        resposta: schemas.Anunciado,
        codigos: ['extensao_invalida'],
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { nome, tamanho } = request.body;
      const extensao = /\.(xml|zip)$/i.exec(nome)?.[0];
      if (!extensao) throw extensaoInvalida();
      const { contadorId } = sessao;
      const usuarioId = sessao.usuario.id;
      const { id, url } = await importacao.anunciar({
        request,
        contadorId,
        usuarioId,
        nome,
        tamanho,
        extensao,
      });
      return { id, url };
    },
  );
  api.post<{ Params: Params }>(
    '/importacoes/:id/reimportar',
    {
      schema: consoleSchema(catalogo, {
        rota: 'POST /importacoes/:id/reimportar',
        resumo: 'Importa de novo os bytes guardados, como um novo arquivo',
        params: schemas.ImportacaoParams,
        resposta: schemas.Reimportado,
        codigos: ['dados_invalidos', 'arquivo_nao_encontrado', 'reimportacao_indisponivel'],
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { id } = request.params;
      const made = await importacao.reimportar({
        contadorId: sessao.contadorId,
        usuarioId: sessao.usuario.id,
        id,
      });
      if (!made) throw arquivoNaoEncontrado();
      if ('motivo' in made) throw reimportacaoIndisponivel(made.motivo);
      return made;
    },
  );
  api.get<{ Params: Params }>(
    '/importacoes/:id/arquivo',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /importacoes/:id/arquivo',
        resumo: 'O arquivo, byte por byte como chegou',
        params: schemas.ImportacaoParams,
        codigos: ['dados_invalidos', 'arquivo_nao_encontrado'],
      }),
    },
    async (request, reply) => {
      const sessao = sessaoOf(request);
      const arquivo = await queries.findArquivo(deps.db.read, {
        contadorId: sessao.contadorId,
        id: request.params.id,
      });
      const bytes = arquivo && (await importacao.bytes({ contadorId: sessao.contadorId, id: arquivo.id }));
      if (!arquivo || !bytes) throw arquivoNaoEncontrado();
      const zip = /zip$/i.test(arquivo.extensao);
      return reply
        .type(zip ? 'application/zip' : 'application/xml')
        .header('content-disposition', `attachment; filename="${arquivo.id}.${zip ? 'zip' : 'xml'}"`)
        .header('cache-control', 'private, no-store')
        .send(bytes);
    },
  );
}

function listaRoute(api: FastifyInstance, { deps, catalogo, importacao }: ConsoleHttp): void {
  api.get<{ Querystring: Static<typeof schemas.ImportacoesQuery> }>(
    '/importacoes',
    {
      schema: consoleSchema(catalogo, {
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
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { status, remetente, busca, Tamanho: tamanho, depois } = request.query;
      const { de, ate } = periodo('importacao', request.query.de, request.query.ate);
      const agora = deps.clock.now();
      const { contadorId } = sessao;
      const rows = await queries.findArquivos(deps.db.read, {
        filtro: {
          contadorId,
          status: status ?? null,
          remetente: remetente ?? null,
          de,
          ate,
          busca: busca || null,
          expiradosAntesDe: importacao.expiradosAntesDe(agora),
        },
        depois: depois ?? null,
        limite: tamanho + 1,
      });
      const shown = rows.slice(0, tamanho);
      const last = rows.length > tamanho ? shown.at(-1) : undefined;
      const linhas = await comRemovidos(deps.db.read, { contadorId, linhas: shown });
      return {
        itens: linhas.map((row) => resumoDe(row, importacao.statusEm(row, agora))),
        proximo: last ? `${last.criado_em}.${last.id}` : null,
      };
    },
  );
}

function resumoDe(row: queries.LinhaDaImportacao, status: string) {
  return {
    id: row.id,
    nome: row.nome,
    extensao: row.extensao,
    status,
    tamanho: row.tamanho ?? row.tamanho_anunciado,
    origem: row.origem,
    token: row.token,
    usuario: row.usuario,
    criadaEm: instanteDe(row.criado_em),
    recebidaEm: instanteDe(row.recebido_em),
    inicioEm: instanteDe(row.inicio_em),
    fimEm: instanteDe(row.fim_em),
    itens: row.itens ?? 0,
    resumo: row.log === '' ? null : (row.log.split('\n')[0] ?? null),
    reimportadoDe: row.reimportado_de,
  };
}

function detalheRoutes(api: FastifyInstance, { deps, catalogo, importacao }: ConsoleHttp): void {
  api.get<{ Params: Params }>(
    '/importacoes/:id',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /importacoes/:id',
        resumo: 'Um arquivo recebido',
        params: schemas.ImportacaoParams,
        resposta: schemas.Importacao,
        codigos: ['dados_invalidos', 'arquivo_nao_encontrado'],
      }),
    },
    async (request) => {
      const scope = { contadorId: sessaoOf(request).contadorId, id: request.params.id };
      const row = await queries.findArquivo(deps.db.read, scope);
      if (!row) throw arquivoNaoEncontrado();
      const { contadorId } = scope;
      const [linha = row] = await comRemovidos(deps.db.read, { contadorId, linhas: [row] });
      return {
        ...resumoDe(linha, importacao.statusEm(linha, deps.clock.now())),
        log: row.log,
        sha256: row.sha256,
        temArquivo: Boolean(row.tem_bytes),
        resultados: await queries.countItens(deps.db.read, row.numero),
        reimportacoes: await queries.findTentativas(deps.db.read, scope),
      };
    },
  );
  api.get<{ Params: Params; Querystring: Static<typeof schemas.ItensDaImportacaoQuery> }>(
    '/importacoes/:id/itens',
    {
      schema: consoleSchema(catalogo, {
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
      }),
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const { resultado, Tamanho: tamanho, depois = 0 } = request.query;
      const arquivo = await queries.findArquivo(deps.db.read, { contadorId, id: request.params.id });
      if (!arquivo) throw arquivoNaoEncontrado();
      const rows = await queries.findItens(deps.db.read, {
        arquivoNumero: arquivo.numero,
        resultado: resultado ?? null,
        depois,
        limite: tamanho + 1,
      });
      const shown = rows.slice(0, tamanho);
      return {
        itens: shown.map(({ arquivo_numero: _file, documento_id, ...row }) => ({
          ...row,
          causa: REMEDIOS.get(row.codigo ?? '')?.causa ?? null,
          remedio: REMEDIOS.get(row.codigo ?? '')?.remedio ?? null,
          documentoId: documento_id,
        })),
        proximo: rows.length > tamanho ? String(shown.at(-1)?.ordem) : null,
      };
    },
  );
}

function retidosRoutes(api: FastifyInstance, { deps, catalogo, contas }: ConsoleHttp): void {
  api.get(
    '/retidos',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /retidos',
        resumo: 'Empresas que não são clientes e têm documentos à espera',
        resposta: schemas.Retidos,
      }),
    },
    async (request) => {
      const { contadorId } = sessaoOf(request);
      const rows = await queries.findRetidos(deps.db.read, { contadorId, limite: RETIDOS_LISTADOS });
      return {
        itens: rows.map((row) => ({
          cpfCnpj: row.cpf_cnpj,
          nome: row.nome,
          documentos: row.documentos,
          papeis: [...new Set(row.papeis.split(','))],
          primeiraEmissao: instanteDe(row.primeiro),
          ultimaEmissao: instanteDe(row.ultimo),
        })),
        limitado: rows.reduce((sum, row) => sum + row.documentos, 0) >= queries.RETIDOS_MAX,
      };
    },
  );
  api.post<{ Body: Static<typeof schemas.CadastrarRetidoBody> }>(
    '/retidos/cadastrar',
    {
      schema: consoleSchema(catalogo, {
        rota: 'POST /retidos/cadastrar',
        resumo: 'Cadastra uma empresa retida: os documentos dela entram nas listas na hora',
        body: schemas.CadastrarRetidoBody,
        resposta: schemas.RetidoCadastrado,
        codigos: ['cliente_ja_cadastrado'],
      }),
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { nome, email } = request.body;
      const cpfCnpj = parseCpfCnpj(request.body.cpfCnpj);
      if (!cpfCnpj) {
        const mensagem = 'Informe um CPF ou CNPJ com dígitos verificadores válidos.';
        throw dadosInvalidos([{ campo: 'cpfCnpj', codigo: 'cpf_cnpj_invalido', mensagem }]);
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
