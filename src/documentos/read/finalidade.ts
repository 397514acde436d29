/** The purchase purpose of a document and its items, as one client sees it. */

import { adquiriu, DE_TRANSPORTE } from '../../fiscal/direcao.ts';
import { EVENTOS_NFE } from '../../fiscal/eventos/tabela.ts';
import { cfopPrincipal, type FinalidadeAquisicao, suggestFinalidade } from '../../fiscal/finalidade.ts';
import { isUndone } from '../../fiscal/status.ts';
import { type EfeitoEvento, type Modelo, PAPEL } from '../../fiscal/tipos.ts';
import { lerFinalidade } from '../lean/finalidade-guardada.ts';
import { lerItens } from '../lean/itens-guardados.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-finalidade.ts';

type OrigemDaFinalidade = 'informada' | 'documento' | 'sugerida';

interface FinalidadeDoItem {
  numero: number;
  cfop: string | null;
  ncm: string | null;
  finalidade_aquisicao: FinalidadeAquisicao;
  origem: OrigemDaFinalidade;
}

export interface FinalidadeDoDocumento {
  chave: string;
  finalidade_documento: { codigo: string; descricao: string } | null;
  finalidade_aquisicao: FinalidadeAquisicao;
  origem: OrigemDaFinalidade;
  itens: FinalidadeDoItem[];
}

/** Item number under which the purpose of the whole document is kept. */
const DOCUMENTO_INTEIRO = 0;

/** Events that declare it. */
const DECLARAM = Object.keys(EVENTOS_NFE).filter((codigo) => EVENTOS_NFE[codigo]?.finalidade);

/** What the recipient has declared items to be for by events that stand, the latest one of an item. @fonte docs/regras.md, purpose */
async function declaradas(db: Leitor, documentoId: number): Promise<Map<number, FinalidadeAquisicao>> {
  const rows = await queries.findDeclaracoes(db, { documentoId, codigos: DECLARAM });
  const eventos = rows.map((row) => ({
    codigo: row.codigo ?? '',
    sequencia: row.sequencia ?? 1,
    efeito: (row.efeito ?? 'nenhum') as EfeitoEvento,
    desfaz: row.desfaz ? JSON.parse(row.desfaz) : null,
    nProt: row.nProt,
    forca: row.prova ?? 0,
    autor: row.autor,
    itens: row.itens,
  }));
  const found = new Map<number, FinalidadeAquisicao>();
  for (const evento of eventos) {
    const finalidade = EVENTOS_NFE[evento.codigo]?.finalidade;
    if (!finalidade || isUndone(evento, eventos)) continue;
    for (const { numero } of lerItens(evento.itens)) found.set(numero, finalidade);
  }
  return found;
}

/** They are those of the recipient: to who issued the note they say nothing. */
async function declaradasPara(
  db: Leitor,
  { tipo, documentoId }: { tipo: 'Emitida' | 'Recebida'; documentoId: number },
): Promise<ReadonlyMap<number, FinalidadeAquisicao>> {
  return tipo === 'Recebida' ? declaradas(db, documentoId) : new Map();
}

/**
 * What was set by a person stands above what the document or an event of the recipient says, and that above what its
 * CFOP suggests. An item without a purpose of its own follows the one set for the document.
 * @returns null when the client has no part in such a document, or acquired nothing by it
 */
export async function finalidadeDe(
  db: Leitor,
  input: { clienteId: number; documentoId: number },
): Promise<FinalidadeDoDocumento | null> {
  const row = await queries.findParaFinalidade(db, input);
  if (!row || !(await adquiridas(db, [{ ...row, ...emLinha(input) }])).has(chaveDaParte(emLinha(input))))
    return null;
  const informadas = new Map(
    (await queries.findInformadas(db, input)).map((linha) => [
      linha.item,
      linha.finalidade as FinalidadeAquisicao,
    ]),
  );
  const base = { modelo: row.modelo as Modelo, tipo: row.tipo, tpNF: row.tp_nf as '0' | '1' | null };
  const itens = lerItens(row.itens);
  const doTodo = informadas.get(DOCUMENTO_INTEIRO);
  const porEvento = await declaradasPara(db, { tipo: row.tipo, documentoId: input.documentoId });
  const escolher = (numero: number, cfop: string | null) => {
    const informada = informadas.get(numero) ?? doTodo;
    if (informada) return { finalidade_aquisicao: informada, origem: 'informada' as const };
    const declarada = porEvento.get(numero);
    return declarada
      ? { finalidade_aquisicao: declarada, origem: 'documento' as const }
      : suggestFinalidade({ ...base, cfop });
  };
  return {
    chave: row.chave,
    finalidade_documento: lerFinalidade(row),
    ...escolher(DOCUMENTO_INTEIRO, cfopPrincipal(itens)),
    itens: itens.map(({ numero, cfop, ncm }) => ({ numero, cfop, ncm, ...escolher(numero, cfop) })),
  };
}

const emLinha = ({ clienteId, documentoId }: { clienteId: number; documentoId: number }) => ({
  cliente_id: clienteId,
  documento_id: documentoId,
});

type Parte = Pick<queries.ParteDoCliente, 'cliente_id' | 'documento_id'>;

/** A part among others: `7/12345`. */
export const chaveDaParte = ({ cliente_id, documento_id }: Parte) => `${cliente_id}/${documento_id}`;

/**
 * Which of these parts are those of somebody who acquired something. Who gets the goods of a transport pays for it or not: only
 * for those the other parties are looked up.
 */
export async function adquiridas(
  db: Leitor,
  partes: readonly queries.ParteDoCliente[],
): Promise<ReadonlySet<string>> {
  const talvez = partes.filter(
    ({ modelo, papel }) => DE_TRANSPORTE.includes(modelo as Modelo) && papel === PAPEL.destinatario,
  );
  const tomadores = new Set(
    (await queries.findTomadores(db, [...new Set(talvez.map((parte) => parte.documento_id))])).map(
      chaveDaParte,
    ),
  );
  return new Set(
    partes
      .filter((parte) =>
        adquiriu({
          modelo: parte.modelo as Modelo,
          papel: parte.papel,
          tpNF: parte.tp_nf as '0' | '1' | null,
          finalidade: parte.finalidade_codigo,
          ehTomador: tomadores.has(chaveDaParte(parte)),
        }),
      )
      .map(chaveDaParte),
  );
}

/** Of these documents those by which a client acquired something. */
export async function adquiridosPor(
  db: Leitor,
  input: { clienteId: number; documentoIds: readonly number[] },
): Promise<ReadonlySet<number>> {
  const partes = await queries.findPartes(db, {
    contadorId: null,
    clienteIds: [input.clienteId],
    documentoIds: input.documentoIds,
  });
  const dele = await adquiridas(db, partes);
  return new Set(
    partes.filter((parte) => dele.has(chaveDaParte(parte))).map(({ documento_id }) => documento_id),
  );
}

/** Who of an office acquired something by these documents. @param input.clienteIds those that are looked at; null: all */
export async function adquirentes(
  db: Leitor,
  input: { contadorId: number; clienteIds: readonly number[] | null; documentoIds: readonly number[] },
): Promise<{ clienteId: number; documentoId: number }[]> {
  const partes = await queries.findPartes(db, input);
  const compras = await adquiridas(db, partes);
  return partes
    .filter((parte) => compras.has(chaveDaParte(parte)))
    .map(({ cliente_id, documento_id }) => ({ clienteId: cliente_id, documentoId: documento_id }));
}

export interface FinalidadeInformada {
  /** Documents, each as its client sees it. */
  alvos: readonly { clienteId: number; documentoId: number }[];
  /** For the whole of each. */
  finalidade?: FinalidadeAquisicao;
  itens?: readonly { numero: number; finalidade_aquisicao: FinalidadeAquisicao }[];
  agora: number;
  /** Who set it: a token's name or a user. */
  por: string;
}

/**
 * Sets the purpose of documents, of some of their items, or both; what is not named stays.
 * @throws RangeError for an item that is not numbered from 1: 0 is the whole document
 */
export async function informarFinalidade(trx: Trx, input: FinalidadeInformada): Promise<void> {
  const { alvos, agora, por } = input;
  const linhas = (input.itens ?? []).map(({ numero, finalidade_aquisicao }) => {
    if (!Number.isSafeInteger(numero) || numero < 1) throw new RangeError(`no number of an item: ${numero}`);
    return [numero, finalidade_aquisicao] as const;
  });
  const todas = input.finalidade ? [[DOCUMENTO_INTEIRO, input.finalidade] as const, ...linhas] : linhas;
  const unicas = [...new Map(todas)];
  const rows = alvos.flatMap(({ clienteId, documentoId }) =>
    unicas.map(([item, finalidade]) => ({
      cliente_id: clienteId,
      documento_id: documentoId,
      item,
      finalidade,
      informada_em: agora,
      informada_por: por,
    })),
  );
  if (rows.length > 0) await queries.upsertInformadas(trx, rows);
}
