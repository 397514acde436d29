/** HTTP of the console's listing of documents. */

import type { Static } from 'typebox';
import type { Db } from '../../banco/tabelas.ts';
import { paginaDeFaltantes } from '../../documentos/read/faltantes.ts';
import { fimDoDia } from '../../fiscal/dia.ts';
import { alcanceDaConsulta, type ConsoleHttp, type Sessao, sessaoOf, umCliente } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { presentDocumento } from './apresentar.ts';
import { contagensDasAbas } from './contagens.ts';
import { writeCursor } from './cursor.ts';
import { colunaOrdenada, type FiltroDeDocumentos } from './filtro.ts';
import { readFiltro } from './ler-filtro.ts';
import { type PedidoDePagina, paginaDaLista, totalDaLista } from './lista.ts';
import { paginaOrdenada } from './ordenar.ts';
import { passaDoFiltro } from './passa.ts';
import {
  Contagens,
  ContagensQuery,
  ListaQuery,
  PaginaDeDocumentos,
  Totais,
  TotaisQuery,
} from './schemas-documentos.ts';
import { type Totais as TotaisDoFiltro, totaisDoFiltro } from './totais.ts';

type Consulta = Static<typeof ListaQuery>;

export function documentosRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  route(
    {
      rota: 'GET /documentos',
      resumo: 'Documentos, do mais novo para o mais antigo',
      descricao:
        'Com `visao=faltantes`, os números que faltam de um cliente (sem chave, NSU e data); o painel deles é `GET /faltantes`.',
      querystring: ListaQuery,
      resposta: PaginaDeDocumentos,
      codigos: CODIGOS_DA_LISTA,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      if (request.query.visao === 'faltantes') return faltantes(http, { sessao, consulta: request.query });
      const filtro = await readFiltro(deps, { sessao, consulta: request.query });
      return paginaDeDocumentos(deps.db.read, { sessao, filtro, consulta: request.query });
    },
  );
  route(
    {
      rota: 'GET /documentos/totais',
      resumo: 'Quantos documentos o filtro encontra, e quanto somam',
      querystring: TotaisQuery,
      resposta: Totais,
      codigos: CODIGOS_DO_FILTRO,
    },
    async (request) => {
      const filtro = await readFiltro(deps, { sessao: sessaoOf(request), consulta: request.query });
      const passa = passaDoFiltro(deps.db.read, filtro);
      return presentTotais(await totaisDoFiltro(deps.db.read, { filtro, ...(passa ? { passa } : {}) }));
    },
  );
  route(
    {
      rota: 'GET /documentos/contagens',
      resumo: 'Quantos documentos há em cada aba',
      querystring: ContagensQuery,
      resposta: Contagens,
      codigos: ['cpf_cnpj_invalido', 'data_invalida', 'cliente_nao_encontrado', 'parametro_repetido'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cliente, emissaoDe, emissaoAte } = request.query;
      const alcance = await alcanceDaConsulta(deps, { sessao, cliente });
      return contagensDasAbas(deps.db.read, {
        contadorId: sessao.contadorId,
        alcance,
        emissao: { de: emissaoDe ?? null, ate: emissaoAte === undefined ? null : fimDoDia(emissaoAte) },
      });
    },
  );
}

export const CODIGOS_DO_FILTRO = [
  'cpf_cnpj_invalido',
  'data_invalida',
  'periodo_invalido',
  'chave_invalida',
  'dados_invalidos',
  'parametro_repetido',
  'cliente_nao_encontrado',
];
const CODIGOS_DA_LISTA = [...CODIGOS_DO_FILTRO, 'tamanho_invalido', 'pagina_invalida', 'ordem_larga_demais'];

function presentTotais({ porStatus, completo }: TotaisDoFiltro): Static<typeof Totais> {
  return {
    porStatus: [...porStatus].map(([status, { documentos, centavos }]) => ({
      status,
      documentos,
      valor: (centavos / 100).toFixed(2),
    })),
    completo,
  };
}

async function paginaDeDocumentos(
  db: Db,
  input: { sessao: Sessao; filtro: FiltroDeDocumentos; consulta: Consulta },
) {
  const { sessao, filtro, consulta } = input;
  const depois = consulta.depois ?? null;
  const passa = passaDoFiltro(db, filtro);
  const pedido: PedidoDePagina = { filtro, depois, tamanho: consulta.Tamanho, ...(passa ? { passa } : {}) };
  const coluna = colunaOrdenada(filtro);
  const { linhas, proximo } = coluna
    ? await paginaOrdenada(db, { ...pedido, coluna })
    : await paginaDaLista(db, { ...pedido, umaPorDocumento: true });
  return {
    itens: await presentDocumento(db, { contadorId: filtro.contadorId, linhas, alcance: sessao.alcance }),
    proximo: proximo ? writeCursor(proximo) : null,
    total: depois === null ? await totalDaLista(db, filtro) : null,
  };
}

/** Missing numbers in the shape of the listing: what is not known is null. */
async function faltantes({ deps }: ConsoleHttp, input: { sessao: Sessao; consulta: Consulta }) {
  const { sessao, consulta } = input;
  const cliente = await umCliente(deps, {
    sessao,
    cpfCnpj: consulta.cliente,
    para: 'ver os números que faltam',
  });
  const modelo = consulta.especie === 'nfce' ? '65' : '55';
  const pagina = consulta.depois?.k1 ?? 1;
  const { total, faltantes } = await paginaDeFaltantes(deps.db.read, {
    contadorId: cliente.contadorId,
    cpfCnpj: cliente.cpfCnpj,
    modelo,
    desde: consulta.emissaoDe ?? 0,
    ate: consulta.emissaoAte === undefined ? null : fimDoDia(consulta.emissaoAte),
    pagina,
    tamanho: consulta.Tamanho,
  });
  const empresa = { cpfCnpj: cliente.cpfCnpj, nome: cliente.nome };
  return {
    itens: faltantes.map((faltante) => ({
      ...SEM_DOCUMENTO,
      cliente: empresa,
      emitente: empresa,
      especie: modelo === '55' ? 'NFe' : 'NFCe',
      modelo,
      serie: faltante.serie,
      numero: faltante.numero,
      chave: faltante.chave,
      motivo: faltante.motivo,
    })),
    proximo:
      pagina * consulta.Tamanho < total
        ? writeCursor({ k1: pagina + 1, k2: 0, clienteId: cliente.id })
        : null,
    total,
  };
}

const SEM_DOCUMENTO = {
  id: null,
  nsu: null,
  classe: 'faltante',
  numeroFinal: null,
  status: 'Faltante',
  cartaCorrecao: false,
  tipo: 'Emitida',
  papel: 'emitente',
  direcao: 'Saída' as const,
  tambem: [],
  dataEmissao: null,
  dataImportacao: null,
  destinatario: { cpfCnpj: null, nome: null },
  uf: null,
  valor: null,
  manifestacao: null,
  prova: null,
  marcado: false,
  finalidade: null,
  origem: null,
  conflito: false,
  homologacao: false,
  excluido: false,
};
