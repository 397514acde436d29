/** The checks of documents: one version served, the status that protocol and events make, delivery to each party. */
import { ATOR_INTERESSADO } from '../../fiscal/eventos/tabela.ts';
import { statusDoEvento } from '../../fiscal/status.ts';
import type { EfeitoEvento } from '../../fiscal/tipos.ts';
import { readProva } from '../lean/prova-guardada.ts';
import type { Leitor } from '../queries-leitura.ts';
import { transportadoresDe } from '../store/aplicar-eventos.ts';
import { comPapelMaisForte } from '../store/entregar.ts';
import { findParticipacoesEmFalta } from '../store/queries-entradas.ts';
import { provaDoEvento, type StatusMostrado, statusMostrado } from '../store/status-mostrado.ts';
import type { Trx } from '../tipos.ts';
import { type Achado, emPaginas, type Linha } from './achados.ts';
import * as queries from './queries-verificar.ts';

/**
 * One version of each document is served, its status is what protocol and events make of it, and every client that is
 * a party of it has an entry.
 * @param input.ambientes `tpAmb` of the documents that are delivered
 */
export function verifyDocumentos(
  db: Leitor,
  { tamanho, ambientes }: { tamanho: number; ambientes: readonly number[] },
): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: (row) => row.id,
    ler: queries.findDocumentosComTudo,
    achar: async (trx, rows) => [
      ...rows.filter((row) => Number(row.servidas) !== 1).map(semVersaoUnica),
      ...rows.flatMap(findNasDatas),
      ...(await statusErrados(trx, rows)),
      ...(await naoEntregues(trx, { rows, ambientes })),
    ],
  });
}

type Documento = Linha<typeof queries.findDocumentosComTudo>;

function semVersaoUnica(row: Documento): Achado {
  return {
    codigo: 'versao_servida',
    mensagem: `O documento tem ${row.servidas} versões servidas; deve ter exatamente uma.`,
    alvo: alvoDoDocumento(row),
    ref: { documentoId: row.id },
  };
}

/** When it came and when it was deleted, as its versions tell it. */
function findNasDatas(row: Documento): Achado[] {
  const achado = (codigo: string, mensagem: string): Achado[] => [
    { codigo, mensagem, alvo: alvoDoDocumento(row), ref: { documentoId: row.id } },
  ];
  const vazias = Number(row.vazias ?? 0);
  if (row.excluido_em !== null && vazias === 0) {
    return achado('excluido_com_bytes', 'O documento consta como excluído, mas as suas versões não.');
  }
  if (row.excluido_em === null && vazias === 0 && row.chegou === null) {
    return achado('data_de_chegada_errada', 'Nenhuma versão do documento chegou quando ele diz ter chegado.');
  }
  return [];
}

async function statusErrados(trx: Leitor, rows: readonly Documento[]): Promise<Achado[]> {
  const certos = await statusCertos(trx, rows);
  return rows.flatMap((row) => {
    const certo = certos(row);
    const equal =
      certo.status === row.status &&
      certo.cartaCorrecao === row.carta_correcao &&
      certo.manifestacao === row.manifestacao &&
      // Nothing is written down where proof was not judged yet; it counts as declared.
      readProva(certo.prova) === readProva(row.status_prova);
    if (equal) return [];
    const mensagem = `O status guardado é ${comProva(row.status, row.status_prova)}, mas do protocolo e dos eventos resulta ${comProva(certo.status, certo.prova)}.`;
    return [{ codigo: 'status_errado', mensagem, alvo: alvoDoDocumento(row), ref: { documentoId: row.id } }];
  });
}

function comProva(status: string, prova: number | null): string {
  return prova === null ? status : `${status} (prova ${readProva(prova)})`;
}

/** @returns what the status of each of some rows follows to be */
async function statusCertos(
  trx: Leitor,
  rows: readonly Documento[],
): Promise<(row: Documento) => StatusMostrado> {
  const idsDe = (classe: Documento['classe']) =>
    rows.filter((row) => row.classe === classe).map(({ id }) => id);
  const dosDocumentos = await queries.findEventosDosDocumentos(trx, idsDe('documento'));
  const eventos = Map.groupBy(dosDocumentos, (row) => row.documento_id);
  const notas = new Map(
    (await queries.findNotasDeEventos(trx, idsDe('evento'))).map((nota) => [nota.evento_id, nota]),
  );
  const comAtor = rows.filter(({ evento_codigo }) => evento_codigo === ATOR_INTERESSADO);
  const transportadores = await transportadoresDe(
    trx as Trx,
    comAtor.flatMap(({ id }) => notas.get(id)?.id ?? []),
  );
  const provaDe = (row: Documento) => {
    const nota = notas.get(row.id);
    return nota
      ? provaDoEvento(row, { ...nota, transportadores: transportadores.get(nota.id) ?? null })
      : row.prova;
  };
  const semEventos = { cartaCorrecao: 0, manifestacao: null } as const;
  return (row) => {
    if (row.classe === 'documento') return statusMostrado(row, eventos.get(row.id) ?? []);
    if (row.classe === 'inutilizacao') return { status: 'Inutilizada', prova: row.prova, ...semEventos };
    const status = statusDoEvento({ efeito: (row.evento_efeito ?? 'nenhum') as EfeitoEvento });
    return { status, prova: provaDe(row), ...semEventos };
  };
}

/** What a document's status follows to be just now; null when it has the right one, or there is no such document. */
export async function statusQueFalta(
  trx: Leitor,
  documentoId: number,
): Promise<{ classe: Documento['classe']; status: StatusMostrado; foiMostrado: boolean } | null> {
  const [row] = await queries.findDocumentosComTudo(trx, { depoisDe: documentoId - 1, limite: 1 });
  if (row?.id !== documentoId || (await statusErrados(trx, [row])).length === 0) return null;
  const status = (await statusCertos(trx, [row]))(row);
  // Of what is derived a record of a feed shows these two.
  const foiMostrado = status.status !== row.status || status.prova !== row.status_prova;
  return { classe: row.classe, status, foiMostrado };
}

async function naoEntregues(
  trx: Leitor,
  { rows, ambientes }: { rows: readonly Documento[]; ambientes: readonly number[] },
): Promise<Achado[]> {
  const porId = new Map(rows.map((row) => [row.id, row]));
  const faltam = await findParticipacoesEmFalta(trx, [...porId.keys()]);
  return comPapelMaisForte(faltam.filter((falta) => ambientes.includes(falta.ambiente))).map(
    ({ cliente_id, documento_id }) => ({
      codigo: 'documento_nao_entregue',
      mensagem: `O cliente ${cliente_id} é parte do documento e não tem entrada dele.`,
      alvo: `documento ${porId.get(documento_id)?.chave ?? documento_id}`,
      ref: { clienteId: cliente_id, documentoId: documento_id },
    }),
  );
}

/** No key is still waited for that is there. */
export function verifyEsperados(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { contador_id: 0, chave: '' },
    tamanho,
    keyOf: ({ contador_id, chave }) => ({ contador_id, chave }),
    ler: queries.findEsperadosPresentes,
    achar: (_trx, rows) =>
      rows.map(({ contador_id: contadorId, chave }) => ({
        codigo: 'esperado_ja_presente',
        mensagem: 'A chave consta como esperada, mas o documento já está guardado.',
        alvo: `chave ${chave}`,
        ref: { contadorId, chave },
      })),
  });
}

function alvoDoDocumento(row: Documento): string {
  return row.classe === 'evento' ? `evento ${row.id} da chave ${row.chave}` : `documento ${row.chave}`;
}
