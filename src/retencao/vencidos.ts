/** Which documents of an office have lived their term, and which of them a hold keeps. */

import type { Db } from '../banco/tabelas.ts';
import { diaDe, inicioDoDia } from '../fiscal/dia.ts';
import { guardaQueCobre } from './guardas.ts';
import { CARENCIA_MS, type Cortes } from './prazos.ts';
import * as queries from './queries-documentos.ts';
import { findGuardasEmVigor } from './queries-regras.ts';

interface Vencido {
  documento: queries.Candidato;
  /** Id of the hold that keeps it, null when nothing does. */
  guardaId: number | null;
}

/** Rows looked at in one step; each step is short, so that others get their turn. */
const PAGINA = 500;

/** Day on which something happened in the zone of the documents. */
export function hojeEm(agora: number): string {
  return diaDe(agora);
}

/**
 * All documents whose term is over at these limits, oldest first, page by page. An event goes with its document: it
 * stays as long as that stays. What arrived lately is kept for `CARENCIA_MS`, whatever its age.
 */
export async function* vencidosDe(
  db: Db,
  input: { contadorId: number; cortes: Cortes; agora: number },
): AsyncGenerator<Vencido[]> {
  const guardas = await findGuardasEmVigor(db, input.contadorId);
  const ultimoCorte = Object.values(input.cortes).sort().at(-1);
  if (ultimoCorte === undefined) return;
  let depois = { emitidoEm: Number.MIN_SAFE_INTEGER, id: 0 };
  for (;;) {
    const page = await queries.findEmitidosAntesDe(db, {
      contadorId: input.contadorId,
      antesDe: inicioDoDia(ultimoCorte),
      depois,
      limite: PAGINA,
    });
    const due = await dueOf(db, { ...input, page });
    if (due.length > 0) yield await comGuarda(db, due, guardas);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGINA) return;
    depois = { emitidoEm: last.emitido_em, id: last.id };
  }
}

async function dueOf(
  db: Db,
  input: { contadorId: number; cortes: Cortes; agora: number; page: readonly queries.Candidato[] },
): Promise<queries.Candidato[]> {
  const { contadorId, cortes, agora, page } = input;
  const isDue = (row: { modelo: string; dia: string; importado_em: number }) =>
    row.dia < (cortes[row.modelo] ?? '') && row.importado_em <= agora - CARENCIA_MS;
  const due = page.filter(isDue);
  const chaves = [...new Set(due.filter(({ classe }) => classe === 'evento').map(({ chave }) => chave))];
  const documentos = await queries.findDocumentosDasChaves(db, { contadorId, chaves });
  const stays = new Set(documentos.filter((row) => !isDue(row)).map(({ chave }) => chave));
  return due.filter(({ classe, chave }) => classe !== 'evento' || !stays.has(chave));
}

type GuardaEmVigor = Awaited<ReturnType<typeof findGuardasEmVigor>>[number];

/** @param documentos rows with key, kind and day */
export async function comGuarda<T extends { id: number; chave: string; modelo: string; dia: string }>(
  db: Db,
  documentos: readonly T[],
  guardas: readonly GuardaEmVigor[],
): Promise<{ documento: T; guardaId: number | null }[]> {
  if (guardas.length === 0) return documentos.map((documento) => ({ documento, guardaId: null }));
  const clientes = Map.groupBy(
    await queries.findClientesDe(
      db,
      documentos.map(({ id }) => id),
    ),
    (row) => row.documento_id,
  );
  return documentos.map((documento) => {
    const ids = (clientes.get(documento.id) ?? []).map((row) => row.cliente_id);
    const at = guardaQueCobre({ ...documento, clientes: ids }, guardas);
    return { documento, guardaId: at === null ? null : (guardas[at]?.id ?? null) };
  });
}
