/**
 * What of imports failed, by cause, until it is solved or somebody says so. A failure is solved when its file was imported
 * again (then that try counts), when a refused document has come to a client since, or when somebody chose among versions.
 * What waits for a client, and what is of homologação, are no failures.
 */

import type { Db } from '../../banco/tabelas.ts';
import type { TabelaFalhaVista } from '../../banco/tabelas-falhas.ts';
import { PELO_MALOTE } from '../../importacao/queries.ts';
import { instanteDe } from '../tempo.ts';
import * as queries from './queries-falhas.ts';
import { REMEDIOS } from './remedios.ts';

/** Older ones have been looked at, or nobody will. */
const FALHAS_MS = 90 * 86_400_000;
const VISTAS = 500;

/** What can be pressed for a cause, besides saying that it is seen or solved. */
export const ACOES = ['comparar', 'reimportar', 'enviar'] as const;
type AcaoDaFalha = (typeof ACOES)[number];
const ACAO_DO_CODIGO: Readonly<Record<string, AcaoDaFalha>> = {
  chave_com_outro_conteudo: 'comparar',
  versoes_demais: 'comparar',
  falha_interna: 'reimportar',
  documento_nao_processavel: 'reimportar',
};

interface Escopo {
  contadorId: number;
  agora: number;
}

const desdeDe = (agora: number) => agora - FALHAS_MS;

/** All that is open, as the first page counts it and the list of causes groups it. */
export async function falhasAbertas(db: Db, { contadorId, agora }: Escopo) {
  const escopo = { contadorId, desde: desdeDe(agora) };
  const abertas = await queries.findAbertas(db, escopo);
  const haMais =
    abertas.length === queries.FALHAS_MAX || (await queries.countComErro(db, escopo)) > queries.ARQUIVOS_MAX;
  return { abertas, arquivos: arquivosDe(abertas), haMais };
}

const arquivosDe = (falhas: readonly queries.LugarDaFalha[]) =>
  new Set(falhas.map(({ arquivo_numero }) => arquivo_numero)).size;

/** Causes, those with most documents first. */
export async function falhasPorCausa(db: Db, escopo: Escopo) {
  const { abertas, arquivos, haMais } = await falhasAbertas(db, escopo);
  const porCodigo = Map.groupBy(abertas, ({ codigo }) => codigo);
  return {
    causas: [...porCodigo]
      .map(([codigo, falhas]) => ({
        codigo,
        causa: REMEDIOS.get(codigo)?.causa ?? null,
        remedio: REMEDIOS.get(codigo)?.remedio ?? null,
        acao: ACAO_DO_CODIGO[codigo] ?? ('enviar' as const),
        documentos: falhas.length,
        arquivos: arquivosDe(falhas),
        ultimaEm: instanteDe(Math.max(...falhas.map(({ criado_em }) => criado_em))),
      }))
      .sort((a, b) => b.documentos - a.documentos || a.codigo.localeCompare(b.codigo)),
    documentos: abertas.length,
    arquivos,
    haMais,
    em: instanteDe(escopo.agora),
  };
}

/** One failure, for people. */
export type Falha = Awaited<ReturnType<typeof presentFalha>>[number];

async function presentFalha(
  db: Db,
  {
    contadorId,
    falhas,
  }: { contadorId: number; falhas: readonly (queries.LugarDaFalha & { codigo: string })[] },
) {
  const itens = await queries.findItensEm(
    db,
    falhas.filter(({ ordem }) => ordem !== queries.DO_ARQUIVO),
  );
  const porLugar = new Map(itens.map((item) => [`${item.arquivo_numero}/${item.ordem}`, item]));
  const numeros = [...new Set(falhas.map(({ arquivo_numero }) => arquivo_numero))];
  const arquivos = new Map(
    (await queries.findArquivosPorNumero(db, { contadorId, numeros })).map((row) => [row.numero, row]),
  );
  return falhas.flatMap(({ arquivo_numero, ordem, codigo }) => {
    const arquivo = arquivos.get(arquivo_numero);
    if (!arquivo) return [];
    const item = porLugar.get(`${arquivo_numero}/${ordem}`);
    return [
      {
        lugar: `${arquivo_numero}/${ordem}`,
        arquivo: { id: arquivo.id, nome: arquivo.nome ?? `${arquivo.id.slice(0, 8)}${arquivo.extensao}` },
        ordem,
        codigo,
        causa: REMEDIOS.get(codigo)?.causa ?? null,
        remedio: REMEDIOS.get(codigo)?.remedio ?? null,
        em: instanteDe(arquivo.criado_em),
        caminho: item?.caminho ?? null,
        especie: item?.especie ?? null,
        chave: item?.chave ?? null,
        mensagem: item?.mensagem ?? arquivo.log.split('\n')[0] ?? null,
        documentoId: item?.documento_id ?? null,
      },
    ];
  });
}

/** A page of what is open, of one cause or of all. @returns `proximo`: how many were told, null behind the last */
export async function listAbertas(
  db: Db,
  input: Escopo & { codigo: string | null; pulando: number; tamanho: number },
) {
  const { codigo, pulando, tamanho } = input;
  const { abertas } = await falhasAbertas(db, input);
  const delas = codigo === null ? abertas : abertas.filter((falha) => falha.codigo === codigo);
  const pagina = delas.slice(pulando, pulando + tamanho);
  return {
    itens: (await presentFalha(db, { contadorId: input.contadorId, falhas: pagina })).map(
      ({ lugar: _lugar, ...falha }) => ({ ...falha, marca: null }),
    ),
    proximo: delas.length > pulando + tamanho ? String(pulando + tamanho) : null,
  };
}

/** The last that were seen or solved; then those that solved themselves, of which nobody said anything. */
export async function listVistas(db: Db, { contadorId, agora }: Escopo) {
  const ditas = (await queries.findVistas(db, { contadorId, limite: VISTAS })).map((vista) => ({
    ...vista,
    marca: marcaDe(vista),
  }));
  const porSi = (
    await queries.findResolvidasPorSi(db, { contadorId, desde: desdeDe(agora), limite: VISTAS })
  ).map((falha) => ({ ...falha, marca: marcaPorSi(falha) }));
  const vistas = [...ditas, ...porSi];
  const marcas = new Map(vistas.map((vista) => [`${vista.arquivo_numero}/${vista.ordem}`, vista.marca]));
  const falhas = await presentFalha(db, { contadorId, falhas: vistas });
  return {
    itens: falhas.map(({ lugar, ...falha }) => ({ ...falha, marca: marcas.get(lugar) ?? null })),
    proximo: null,
  };
}

const marcaDe = ({ situacao, motivo, por, em }: TabelaFalhaVista) => ({
  situacao,
  motivo,
  por,
  em: instanteDe(em),
  reabre: true,
});

const marcaPorSi = ({ chegou_em, criado_em }: queries.FalhaResolvida) => ({
  situacao: 'resolvido' as const,
  motivo:
    chegou_em === null
      ? 'Uma das versões foi escolhida na página do documento.'
      : 'O documento está no Malote: chegou inteiro em outro arquivo.',
  por: PELO_MALOTE,
  em: instanteDe(chegou_em ?? criado_em),
  reabre: false,
});
