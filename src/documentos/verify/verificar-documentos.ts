/** The checks of documents: one version served, the status that protocol and events make, delivery to each party. */
import { statusDoEvento } from '../../fiscal/status.ts';
import type { EfeitoEvento } from '../../fiscal/tipos.ts';
import { readProva } from '../lean/prova-guardada.ts';
import type { Leitor } from '../queries-leitura.ts';
import { comPapelMaisForte } from '../store/entregar.ts';
import { findParticipacoesEmFalta } from '../store/queries-entradas.ts';
import { type EventoDoStatus, type StatusMostrado, statusMostrado } from '../store/status-mostrado.ts';
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
  const ids = rows.filter((row) => row.classe === 'documento').map((row) => row.id);
  const eventos = Map.groupBy(await queries.findEventosDosDocumentos(trx, ids), (row) => row.documento_id);
  return rows.flatMap((row) => {
    const certo = statusCerto(row, eventos.get(row.id) ?? []);
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

function statusCerto(row: Documento, eventos: readonly EventoDoStatus[]): StatusMostrado {
  if (row.classe === 'documento') return statusMostrado(row, eventos);
  const status =
    row.classe === 'evento'
      ? statusDoEvento({ efeito: (row.evento_efeito ?? 'nenhum') as EfeitoEvento })
      : 'Inutilizada';
  return { status, cartaCorrecao: 0, manifestacao: null, prova: row.prova };
}

/** What a document's status follows to be just now; null when it has the right one, or there is no such document. */
export async function statusQueFalta(
  trx: Leitor,
  documentoId: number,
): Promise<{ classe: Documento['classe']; status: StatusMostrado; foiMostrado: boolean } | null> {
  const [row] = await queries.findDocumentosComTudo(trx, { depoisDe: documentoId - 1, limite: 1 });
  if (row?.id !== documentoId || (await statusErrados(trx, [row])).length === 0) return null;
  const eventos = await queries.findEventosDosDocumentos(trx, [row.id]);
  const status = statusCerto(row, eventos);
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
