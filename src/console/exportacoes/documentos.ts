/** Walks all documents of a filter, page by page, for an export; without a bound in time, and with one in number. */
import type { Db } from '../../banco/tabelas.ts';
import { type Documento, presentDocumento } from '../documentos/apresentar.ts';
import type { Cursor } from '../documentos/cursor.ts';
import type { FiltroDeDocumentos } from '../documentos/filtro.ts';
import { type Passa, paginaDaLista } from '../documentos/lista.ts';

/** A row of an export is of one client: who else has the document is not looked up. */
const NINGUEM: readonly number[] = [];

const PAGINA = 500;

/** A filter too wide for one file; the message is for people. */
export class ExportacaoGrandeDemais extends Error {
  /** @param limite documents; absent: it is the file that grew too large */
  constructor(limite?: number) {
    const demais =
      limite === undefined
        ? 'O arquivo passa de 10 GB.'
        : `O filtro encontra mais de ${limite.toLocaleString('pt-BR')} documentos.`;
    super(`${demais} Divida o período e exporte em partes.`);
    this.name = 'ExportacaoGrandeDemais';
  }
}

/**
 * @throws ExportacaoGrandeDemais; the signal's reason when it is aborted
 */
export async function* paginasDeDocumentos(
  db: Db,
  input: { filtro: FiltroDeDocumentos; passa: Passa | null; limite: number; signal: AbortSignal },
): AsyncGenerator<Documento[]> {
  const { filtro, passa, signal } = input;
  let depois: Cursor | null = null;
  let total = 0;
  do {
    signal.throwIfAborted();
    const { linhas, proximo } = await paginaDaLista(db, {
      filtro,
      depois,
      tamanho: PAGINA,
      ...(passa ? { passa } : {}),
    });
    total += linhas.length;
    if (total > input.limite) throw new ExportacaoGrandeDemais(input.limite);
    if (linhas.length > 0)
      yield await presentDocumento(db, { contadorId: filtro.contadorId, linhas, alcance: NINGUEM });
    depois = proximo;
  } while (depois !== null);
}
