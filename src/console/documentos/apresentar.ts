/** Gives rows of the listing their wire form, with what stands in other tables. */

import type { Static } from 'typebox';
import type { Db } from '../../banco/tabelas.ts';
import { lerEmissao } from '../../documentos/lean/emissao-guardada.ts';
import { lerItens } from '../../documentos/lean/itens-guardados.ts';
import { readProva } from '../../documentos/lean/prova-guardada.ts';
import { adquiridas, chaveDaParte, type FinalidadeDoDocumento } from '../../documentos/read/finalidade.ts';
import { DE_TRANSPORTE, direcaoDe } from '../../fiscal/direcao.ts';
import { cfopPrincipal, type FinalidadeAquisicao, suggestFinalidade } from '../../fiscal/finalidade.ts';
import type { Modelo, Papel } from '../../fiscal/tipos.ts';
import { ufByCode } from '../../fiscal/uf.ts';
import type { Alcance } from '../acesso.ts';
import { instanteDe } from '../tempo.ts';
import { comRemovidos } from '../usuarios/removidos.ts';
import { MANIFESTACAO } from './filtro.ts';
import * as detalhes from './queries-detalhes.ts';
import type { LinhaDaLista } from './queries-lista.ts';
import type { DocumentoNaLista } from './schemas-documentos.ts';

export type Documento = Static<typeof DocumentoNaLista>;

const MANIFESTACAO_DO_CODIGO = new Map<string, string>(
  Object.entries(MANIFESTACAO).map(([palavra, codigo]) => [codigo, palavra]),
);

/**
 * Rows as the wire has them, in their order.
 * @param input.alcance whom the one who looks sees: of other clients nothing is told
 */
export async function presentDocumento(
  db: Db,
  input: { contadorId: number; linhas: readonly LinhaDaLista[]; alcance: Alcance },
): Promise<Documento[]> {
  const { contadorId, linhas } = input;
  const documentoIds = [...new Set(linhas.map((linha) => linha.documento_id))];
  const vindas = await comRemovidos(db, {
    contadorId,
    linhas: await detalhes.findProcedencias(db, documentoIds),
  });
  const procedencias = new Map(vindas.map((row) => [row.documento_id, row]));
  const conflitos = await comConflito(db, documentoIds);
  const finalidades = await finalidadesDe(db, { contadorId, linhas });
  const outros = await outrosClientes(db, { ...input, documentoIds });
  const pagadores = await tomadores(db, linhas);
  const excluidos = new Set(await detalhes.findExcluidos(db, documentoIds));
  return linhas.map((linha, index) => ({
    id: linha.documento_id,
    ...resumoDe(linha),
    direcao: direcaoDaLinha(linha, {
      papel: linha.papel,
      ehTomador: pagadores.has(`${linha.documento_id}/${linha.cliente}`),
    }),
    numeroFinal: linha.classe === 'inutilizacao' ? String(linha.numero_final) : null,
    finalidade: finalidades[index] ?? null,
    origem: {
      meio: procedencias.get(linha.documento_id)?.origem ?? 'sistema',
      token: procedencias.get(linha.documento_id)?.token ?? null,
      usuario: procedencias.get(linha.documento_id)?.usuario ?? null,
    },
    conflito: conflitos.has(linha.documento_id),
    excluido: excluidos.has(linha.documento_id),
    tambem: (outros.get(linha.documento_id) ?? [])
      .filter(({ cliente_id }) => cliente_id !== linha.cliente_id)
      .map(({ cpf_cnpj, nome, papel, nsu }) => ({
        cliente: { cpfCnpj: cpf_cnpj, nome },
        papel,
        direcao: direcaoDaLinha(linha, {
          papel,
          ehTomador: pagadores.has(`${linha.documento_id}/${cpf_cnpj}`),
        }),
        nsu,
      })),
  }));
}

/** Who else has each document, of those whom the one who looks sees. */
async function outrosClientes(
  db: Db,
  input: { contadorId: number; alcance: Alcance; documentoIds: readonly number[] },
) {
  const { alcance } = input;
  const rows = await detalhes.findClientesDosDocumentos(db, input);
  const vistos = rows.filter(({ cliente_id }) => alcance === null || alcance.includes(cliente_id));
  return Map.groupBy(vistos, (row) => row.documento_id);
}

/** What the row of a document says of it, in the listing and on its page. */
export function resumoDe(linha: Omit<LinhaDaLista, 'documento_id' | 'k1' | 'k2'>) {
  return {
    cliente: { cpfCnpj: linha.cliente, nome: linha.cliente_nome },
    nsu: linha.nsu,
    especie: linha.especie,
    classe: linha.classe,
    modelo: linha.modelo,
    serie: linha.serie,
    numero: linha.numero,
    chave: linha.chave,
    status: linha.status,
    cartaCorrecao: linha.carta_correcao === 1,
    tipo: linha.tipo,
    papel: linha.papel,
    dataEmissao: lerEmissao(linha),
    dataImportacao: instanteDe(linha.importado_em),
    emitente: { cpfCnpj: linha.emitente, nome: linha.emitente_nome },
    destinatario: { cpfCnpj: linha.destinatario, nome: linha.destinatario_nome },
    uf: ufDe(linha),
    valor: linha.valor,
    manifestacao: manifestacaoDe(linha.manifestacao),
    prova: readProva(linha.status_prova),
    marcado: readProva(linha.status_prova) === 'declarada' && readProva(linha.prova) !== 'declarada',
    homologacao: linha.ambiente === 2,
  };
}

/** Numbers that were given up go nowhere. */
function direcaoDaLinha(
  { classe, modelo, tp_nf }: Pick<LinhaDaLista, 'classe' | 'modelo' | 'tp_nf'>,
  { papel, ehTomador }: { papel: string; ehTomador: boolean },
) {
  if (classe !== 'documento') return null;
  return direcaoDe({
    modelo: modelo as Modelo,
    papel: papel as Papel,
    tpNF: tp_nf as '0' | '1' | null,
    ehTomador,
  });
}

const manifestacaoDe = (codigo: string | null) =>
  codigo === null ? null : (MANIFESTACAO_DO_CODIGO.get(codigo) ?? codigo);

/** The state that the key begins with, or that of the município of an NFS-e. */
function ufDe(linha: { modelo: string; chave: string; municipio_prestacao: number | null }): string | null {
  const codigo =
    linha.modelo === 'NFSe' ? String(linha.municipio_prestacao ?? '').slice(0, 2) : linha.chave.slice(0, 2);
  return ufByCode(codigo)?.sigla ?? null;
}

/** Documents with versions that contradict each other; a draft and its signed document do not. */
export async function comConflito(db: Db, documentoIds: readonly number[]): Promise<Set<number>> {
  const versoes = Map.groupBy(
    await detalhes.findComOutrasVersoes(db, documentoIds),
    (versao) => versao.documento_id,
  );
  const found = new Set<number>();
  for (const [id, todas] of versoes) {
    const semRascunhos = todas.filter(
      (versao) => versao.protocolado === 1 || versao.assinatura !== 'sem_assinatura' || versao.servida === 1,
    );
    if (new Set(semRascunhos.map((versao) => versao.digest)).size > 1) found.add(id);
  }
  return found;
}

/** Who pays for the transports among these rows, as `documento/CNPJ`: the strongest part does not tell. */
async function tomadores(db: Db, linhas: readonly LinhaDaLista[]): Promise<Set<string>> {
  const deTransporte = linhas.filter(({ modelo }) => DE_TRANSPORTE.includes(modelo as Modelo));
  const rows = await detalhes.findTomadores(db, [
    ...new Set(deTransporte.map(({ documento_id }) => documento_id)),
  ]);
  return new Set(rows.map(({ documento_id, cpf_cnpj }) => `${documento_id}/${cpf_cnpj}`));
}

type Finalidade = { codigo: FinalidadeAquisicao; origem: FinalidadeDoDocumento['origem'] } | null;

/** The purpose of each row as its client sees it; null where the client acquired nothing by it. */
export async function finalidadesDe(
  db: Db,
  input: { contadorId: number; linhas: readonly LinhaDaLista[] },
): Promise<Finalidade[]> {
  const { contadorId, linhas } = input;
  const documentoIds = [...new Set(linhas.map((linha) => linha.documento_id))];
  const informadas = new Map(
    (await detalhes.findFinalidadesInformadas(db, { contadorId, documentoIds })).map((row) => [
      `${row.cliente_id}/${row.documento_id}`,
      row.finalidade as FinalidadeAquisicao,
    ]),
  );
  const compras = await adquiridas(
    db,
    linhas.filter(({ classe }) => classe === 'documento'),
  );
  return linhas.map((linha) => {
    if (!compras.has(chaveDaParte(linha))) return null;
    const informada = informadas.get(`${linha.cliente_id}/${linha.documento_id}`);
    if (informada) return { codigo: informada, origem: 'informada' };
    const { finalidade_aquisicao, origem } = suggestFinalidade({
      modelo: linha.modelo as Modelo,
      tipo: linha.tipo,
      tpNF: linha.tp_nf as '0' | '1' | null,
      cfop: cfopPrincipal(lerItens(linha.itens)),
    });
    return { codigo: finalidade_aquisicao, origem };
  });
}
