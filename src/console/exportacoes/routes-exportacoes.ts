/** HTTP of mass exports. */
import type { Static } from 'typebox';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { readParameters } from '../../platform/http/parametros.ts';
import { BlobNotFoundError, type BlobReading } from '../../platform/storage/blob-store.ts';
import { autorOf, type ConsoleHttp, type Sessao, sessaoOf } from '../contexto.ts';
import { alcanceDo, type FiltroDeDocumentos } from '../documentos/filtro.ts';
import { type FiltrosDaConsulta, readFiltro } from '../documentos/ler-filtro.ts';
import { CODIGOS_DO_FILTRO } from '../documentos/routes-documentos.ts';
import { FiltrosQuery } from '../documentos/schemas-documentos.ts';
import { exportacaoNaoEncontrada, exportacaoSemArquivo } from '../errors-documentos.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import { instanteDe } from '../tempo.ts';
import { anexo, descricaoDe, nomeDoDownload } from './descricao.ts';
import type { PedidoDeExportacao, TipoDeExportacao } from './escrever.ts';
import { faultOfPasta, PASTA_PADRAO } from './pasta.ts';
import * as queries from './queries-exportacoes.ts';
import { Exportacao, ExportacaoBody, ExportacaoParams, Exportacoes } from './schemas-exportacoes.ts';
import { TIPO_DO_LIVRO } from './xlsx.ts';

const LISTADAS = 100;

type Corpo = Static<typeof ExportacaoBody>;

const TIPOS: Readonly<Record<string, string>> = {
  zip: 'application/zip',
  xlsx: TIPO_DO_LIVRO,
  csv: 'text/csv; charset=utf-8',
};

export function exportacoesRoutes(route: AddRoute, http: ConsoleHttp): void {
  pedirRoute(route, http);
  verRoutes(route, http);
  arquivoRoutes(route, http);
}

function pedirRoute(route: AddRoute, { deps, exportacoes }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /exportacoes',
      resumo: 'Pede um ZIP, uma planilha ou um CSV de muitos documentos',
      descricao:
        'É feito ao lado do trabalho; acompanhe em `GET /exportacoes/{id}`. O arquivo fica por 24 horas.',
      body: ExportacaoBody,
      resposta: Exportacao,
      codigos: [...CODIGOS_DO_FILTRO, 'exportacoes_demais'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const pedido = await readPedido(deps, { sessao, corpo: request.body });
      const dono = { contadorId: sessao.contadorId, usuarioId: sessao.usuario.id };
      const id = await exportacoes.add({
        ...dono,
        clienteId: pedido.filtro.clienteId,
        pedido,
        autor: autorOf(sessao),
      });
      return apresentada(await exigir(deps, { sessao, id }));
    },
  );
}

async function readPedido(
  deps: ConsoleHttp['deps'],
  input: { sessao: Sessao; corpo: Corpo },
): Promise<PedidoDeExportacao> {
  const { sessao, corpo } = input;
  // An empty one is asked for by who wants everything in one folder.
  const pasta = corpo.pasta?.trim() ?? PASTA_PADRAO;
  const fault = faultOfPasta(pasta);
  if (fault) throw dadoInvalido('pasta', fault);
  const lido = readParameters(FiltrosQuery, corpo.filtro ?? {});
  if ('error' in lido) throw lido.error;
  const consulta = lido.value as FiltrosDaConsulta;
  if (consulta.visao === 'faltantes') {
    throw dadoInvalido('filtro.visao', 'Números que faltam não têm documento para exportar.');
  }
  const lida = await readFiltro(deps, { sessao, consulta });
  const filtro = { ...lida, ids: corpo.ids && corpo.ids.length > 0 ? corpo.ids : null };
  const cliente = await clienteDoFiltro(deps, filtro);
  return {
    tipo: corpo.tipo as TipoDeExportacao,
    filtro,
    pasta,
    comPdf: corpo.comPdf === true && corpo.tipo === 'zip',
    soValidas: corpo.soValidas === true,
    comEventos: corpo.comEventos !== false,
    descricao: descricaoDe({ filtro, cliente, agora: deps.clock.now() }),
    nome: nomeDoDownload({ filtro, cliente }),
  };
}

async function clienteDoFiltro(
  { db }: ConsoleHttp['deps'],
  { contadorId, clienteId }: FiltroDeDocumentos,
): Promise<{ cpfCnpj: string; nome: string } | null> {
  if (clienteId === null) return null;
  const row = await queries.findClienteDoFiltro(db.read, { contadorId, clienteId });
  return row && { cpfCnpj: row.cpf_cnpj, nome: row.nome };
}

const quemPede = ({ contadorId, usuario }: Sessao): queries.QuemPede => ({
  contadorId,
  usuarioId: usuario.id,
});

/** Made with no wider rights than the session has at this moment: for clients all of which it sees. */
function isSua(row: queries.LinhaDeExportacao, { alcance }: Sessao): boolean {
  if (alcance === null) return true;
  const { filtro } = JSON.parse(row.pedido) as PedidoDeExportacao;
  return (
    alcanceDo({ clienteId: row.cliente_id, entre: filtro.entre ?? null })?.every((id) =>
      alcance.includes(id),
    ) === true
  );
}

/** @throws exportacao_nao_encontrada, also for one that the session may no longer have */
async function exigir(
  deps: ConsoleHttp['deps'],
  input: { sessao: Sessao; id: string },
): Promise<queries.LinhaDeExportacao> {
  const { sessao, id } = input;
  const row = await queries.findExportacao(deps.db.read, { ...quemPede(sessao), id });
  if (!row || !isSua(row, sessao)) throw exportacaoNaoEncontrada();
  return row;
}

function apresentada(row: queries.LinhaDeExportacao): Static<typeof Exportacao> {
  const pedido = JSON.parse(row.pedido) as PedidoDeExportacao;
  return {
    id: row.id,
    tipo: row.tipo,
    estado: row.estado,
    feitos: row.feitos,
    total: row.total,
    bytes: row.bytes,
    erro: row.erro,
    nome: nomeDe(row),
    pasta: row.tipo === 'zip' ? pedido.pasta : null,
    comPdf: pedido.comPdf,
    soValidas: pedido.soValidas ?? false,
    criadaEm: instanteDe(row.criado_em),
    fimEm: instanteDe(row.fim_em),
    expiraEm: instanteDe(row.expira_em),
  };
}

/** Those of an earlier version were named by their time. */
function nomeDe({ criado_em, tipo, pedido }: queries.LinhaDeExportacao): string {
  const { nome } = JSON.parse(pedido) as Partial<PedidoDeExportacao>;
  return `${nome ?? `documentos-${instanteDe(criado_em).slice(0, 16).replaceAll(/[:T]/g, '-')}`}.${tipo}`;
}

function verRoutes(route: AddRoute, { deps, exportacoes }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /exportacoes',
      resumo: 'As exportações de quem pergunta, da mais nova para a mais antiga',
      resposta: Exportacoes,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const rows = await queries.findExportacoes(deps.db.read, { ...quemPede(sessao), limite: LISTADAS });
      return { itens: rows.filter((row) => isSua(row, sessao)).map(apresentada) };
    },
  );
  route(
    {
      rota: 'GET /exportacoes/:id',
      resumo: 'Como vai uma exportação',
      params: ExportacaoParams,
      resposta: Exportacao,
      codigos: ['dados_invalidos', 'exportacao_nao_encontrada'],
    },
    async (request) => apresentada(await exigir(deps, { sessao: sessaoOf(request), id: request.params.id })),
  );
  route(
    {
      rota: 'DELETE /exportacoes/:id',
      resumo: 'Cancela uma exportação, ou apaga o seu arquivo',
      params: ExportacaoParams,
      resposta: MENSAGEM,
      codigos: ['dados_invalidos', 'exportacao_nao_encontrada'],
    },
    async (request) => {
      await exportacoes.remove(await exigir(deps, { sessao: sessaoOf(request), id: request.params.id }));
      return { mensagem: 'Exportação apagada.' };
    },
  );
}

const SEM_ARQUIVO: Readonly<Record<string, string>> = {
  na_fila: 'A exportação ainda não ficou pronta.',
  em_andamento: 'A exportação ainda não ficou pronta.',
  falhou: 'A exportação falhou e não tem arquivo.',
  interrompida: 'A exportação foi interrompida. Peça-a de novo.',
  expirada: 'O arquivo expirou (24 horas). Peça a exportação de novo.',
};

function arquivoRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'GET /exportacoes/:id/arquivo',
      resumo: 'O arquivo de uma exportação pronta',
      params: ExportacaoParams,
      codigos: ['dados_invalidos', 'exportacao_nao_encontrada', 'exportacao_sem_arquivo'],
    },
    async (request, reply) => {
      const row = await exigir(deps, { sessao: sessaoOf(request), id: request.params.id });
      if (row.estado !== 'pronta' || row.expira_em < deps.clock.now()) {
        throw exportacaoSemArquivo(SEM_ARQUIVO[row.estado] ?? SEM_ARQUIVO.expirada ?? '');
      }
      const { sizeBytes, stream } = await readArquivo(deps, row.blob);
      return reply
        .type(TIPOS[row.tipo] ?? 'application/octet-stream')
        .header('content-disposition', anexo(nomeDe(row)))
        .header('content-length', sizeBytes)
        .header('content-encoding', 'identity')
        .header('cache-control', 'private, no-store')
        .send(stream);
    },
  );
}

/** None is there when the installation was restored from a backup, which leaves these files out. */
async function readArquivo({ storage }: ConsoleHttp['deps'], blob: string | null): Promise<BlobReading> {
  const missing = () => exportacaoSemArquivo('O arquivo não existe mais. Peça a exportação de novo.');
  if (blob === null) throw missing();
  return storage.read(blob).catch((error: unknown) => {
    throw error instanceof BlobNotFoundError ? missing() : error;
  });
}
