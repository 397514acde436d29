/**
 * Joins documents and their events, whichever came first: the status follows from the protocol and all registered
 * events, and an event reaches every client that takes part in its document (contract 4, domain 5.2 and 5.3).
 */
import type { TabelaParticipante } from '../banco/tabelas.ts';
import { effectiveStatus, type StatusEfetivo } from '../fiscal/status.ts';
import type { EfeitoEvento } from '../fiscal/tipos.ts';
import { aplicarContagens, type Delta } from './contagens.ts';
import { comPapelMaisForte } from './entregar.ts';
import { addParticipantes, findParticipantes } from './queries.ts';
import { findPapeisListados, findParticipacoes, upsertParticipacoes } from './queries-entradas.ts';
import {
  type DaMesmaChave,
  findPorChaves,
  type NovoStatus,
  updateStatus,
  updateStatusDasParticipacoes,
} from './queries-eventos.ts';
import type { Trx } from './tipos.ts';

interface Grupo {
  documento: DaMesmaChave;
  eventos: readonly DaMesmaChave[];
}

/**
 * @param input.chaves keys of everything that is new or changed in this transaction
 * @param input.trocados documents whose served version has changed: their status is derived even without events
 * @returns ids of the documents whose status was derived anew, and of their events, whose parties may have grown
 */
export async function aplicarEventos(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[]; trocados: ReadonlySet<number> },
): Promise<{ documentos: number[]; eventos: number[] }> {
  const { contadorId, chaves, trocados } = input;
  const eventos = await findPorChaves(trx, { contadorId, chaves, classe: 'evento' });
  // Most documents have no event: only those are looked at that have one, or another version.
  const comMotivo = trocados.size > 0 ? chaves : [...new Set(eventos.map((evento) => evento.chave))];
  const documentos = await findPorChaves(trx, { contadorId, chaves: comMotivo, classe: 'documento' });
  const grupos = agrupar({ documentos, eventos, trocados });
  await estenderParticipantes(trx, grupos);
  await derivarStatus(trx, grupos);
  return {
    documentos: grupos.map(({ documento }) => documento.id),
    eventos: grupos.flatMap(({ eventos: todos }) => todos.map((evento) => evento.id)),
  };
}

/** Documents that have events, or another version; the others need nothing. */
function agrupar(input: {
  documentos: readonly DaMesmaChave[];
  eventos: readonly DaMesmaChave[];
  trocados: ReadonlySet<number>;
}): Grupo[] {
  const scopeOf = (row: DaMesmaChave) => `${row.ambiente}/${row.chave}`;
  const eventos = Map.groupBy(input.eventos, scopeOf);
  return input.documentos
    .map((documento) => ({ documento, eventos: eventos.get(scopeOf(documento)) ?? [] }))
    .filter((grupo) => grupo.eventos.length > 0 || input.trocados.has(grupo.documento.id));
}

async function estenderParticipantes(trx: Trx, grupos: readonly Grupo[]): Promise<void> {
  if (grupos.length === 0) return;
  const dosDocumentos = await findParticipantes(
    trx,
    grupos.map((grupo) => grupo.documento.id),
  );
  const porDocumento = Map.groupBy(dosDocumentos, (row) => row.documento_id);
  const rows: TabelaParticipante[] = grupos.flatMap((grupo) =>
    grupo.eventos.flatMap((evento) =>
      (porDocumento.get(grupo.documento.id) ?? []).map((parte) => ({ ...parte, documento_id: evento.id })),
    ),
  );
  if (rows.length === 0) return;
  await addParticipantes(trx, rows);
  await fortalecerPapeis(trx, [...new Set(rows.map((row) => row.documento_id))]);
}

/** With its document there, a client may play a stronger part in an event than that of its author or recipient. */
async function fortalecerPapeis(trx: Trx, eventoIds: readonly number[]): Promise<void> {
  const fortes = new Map(
    comPapelMaisForte(await findPapeisListados(trx, eventoIds)).map((row) => [
      `${row.cliente_id}/${row.documento_id}`,
      row,
    ]),
  );
  const mudadas = (await findParticipacoes(trx, eventoIds)).flatMap((linha) => {
    const forte = fortes.get(`${linha.cliente_id}/${linha.documento_id}`);
    return forte && forte.papel !== linha.papel ? [{ ...linha, papel: forte.papel, tipo: forte.tipo }] : [];
  });
  await upsertParticipacoes(trx, mudadas);
}

async function derivarStatus(trx: Trx, grupos: readonly Grupo[]): Promise<void> {
  const mudancas = grupos.flatMap(({ documento, eventos }) => {
    const novo = statusCom(documento, eventos);
    const same =
      novo.status === documento.status &&
      novo.cartaCorrecao === documento.carta_correcao &&
      novo.manifestacao === documento.manifestacao;
    return same ? [] : [{ id: documento.id, novo }];
  });
  for (const iguais of Map.groupBy(mudancas, ({ novo }) => JSON.stringify(novo)).values()) {
    const [primeira] = iguais;
    const ids = iguais.map(({ id }) => id);
    if (primeira) await mudarStatus(trx, ids, primeira.novo);
  }
}

/** The effective status of a document's row with the rows of its events. */
export function statusCom(
  documento: Pick<DaMesmaChave, 'status_protocolo'>,
  eventos: readonly Pick<
    DaMesmaChave,
    'evento_codigo' | 'evento_sequencia' | 'evento_efeito' | 'evento_desfaz' | 'nprot'
  >[],
): NovoStatus {
  const derived = effectiveStatus({
    statusProtocolo: documento.status_protocolo as StatusEfetivo['status'],
    eventos: eventos.map((evento) => ({
      codigo: evento.evento_codigo ?? '',
      sequencia: evento.evento_sequencia ?? 1,
      nProt: evento.nprot,
      efeito: (evento.evento_efeito ?? 'nenhum') as EfeitoEvento,
      desfaz: evento.evento_desfaz ? JSON.parse(evento.evento_desfaz) : null,
    })),
  });
  const { status, cartaCorrecao, manifestacao } = derived;
  return { status, cartaCorrecao: cartaCorrecao ? 1 : 0, manifestacao };
}

/** The documents, their listing rows and the daily counts change together. */
async function mudarStatus(trx: Trx, documentoIds: readonly number[], novo: NovoStatus): Promise<void> {
  await updateStatus(trx, documentoIds, novo);
  const listadas = await findParticipacoes(trx, documentoIds);
  await updateStatusDasParticipacoes(trx, documentoIds, novo);
  const deltas: Delta[] = listadas.flatMap((linha) => [
    { linha, quantidade: -1 },
    { linha: { ...linha, status: novo.status, carta_correcao: novo.cartaCorrecao }, quantidade: 1 },
  ]);
  await aplicarContagens(trx, deltas);
}
