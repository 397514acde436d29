import type { Static } from 'typebox';
import type { Deps } from '../../deps.ts';
import { fimDoDia } from '../../fiscal/dia.ts';
import { alcanceDaConsulta, type Sessao } from '../contexto.ts';
import { periodoInvalido } from '../errors-documentos.ts';
import { doAlcance, type FiltroDeDocumentos, type Visao } from './filtro.ts';
import type { FiltrosQuery } from './schemas-documentos.ts';

export type FiltrosDaConsulta = Static<typeof FiltrosQuery>;

/**
 * What a session asks a listing for. Who is limited to some clients gets nothing but theirs, whatever they ask.
 * @throws cliente_nao_encontrado, periodo_invalido
 */
export async function readFiltro(
  deps: Pick<Deps, 'db'>,
  input: { sessao: Sessao; consulta: FiltrosDaConsulta },
): Promise<FiltroDeDocumentos> {
  const { sessao, consulta } = input;
  const alcance = await alcanceDaConsulta(deps, { sessao, cliente: consulta.cliente });
  const importacao = periodo('importacao', consulta.importacaoDe, consulta.importacaoAte);
  const temChegada = importacao.de !== null || importacao.ate !== null;
  return {
    contadorId: sessao.contadorId,
    ...doAlcance(alcance),
    especie: consulta.especie,
    visao: consulta.visao as Visao,
    tipo: consulta.tipo ?? null,
    status: consulta.status ?? null,
    papel: consulta.papel ?? null,
    serie: consulta.serie || null,
    numero: consulta.numero ?? null,
    chave: consulta.chave ?? null,
    busca: consulta.busca || null,
    uf: consulta.uf ?? null,
    emissao: periodo('emissao', consulta.emissaoDe, consulta.emissaoAte),
    importacao,
    valor: { de: consulta.valorDe ?? null, ate: consulta.valorAte ?? null },
    origem: consulta.origem ?? null,
    finalidade: consulta.finalidade ?? null,
    manifestacao: consulta.manifestacao ?? null,
    prova: consulta.prova ?? null,
    ids: null,
    ...doItem(consulta),
    ordem: consulta.ordem ?? (temChegada ? 'importacao' : 'emissao'),
  };
}

function doItem({ cfop, ncm, produto }: FiltrosDaConsulta): Pick<FiltroDeDocumentos, 'itens'> {
  return cfop || ncm || produto
    ? { itens: { cfop: cfop ?? null, ncm: ncm ?? null, produto: produto || null } }
    : {};
}

/** From the first instant of a day to behind the last one of another. @throws periodo_invalido */
export function periodo(
  nome: string,
  de: number | undefined,
  ate: number | undefined,
): { de: number | null; ate: number | null } {
  if (de !== undefined && ate !== undefined && ate < de) throw periodoInvalido(`${nome}Ate`);
  return { de: de ?? null, ate: ate === undefined ? null : fimDoDia(ate) };
}
