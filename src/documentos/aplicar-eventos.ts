/**
 * Joins documents and their events, whichever came first: the status follows from the protocol and all registered
 * events, and an event reaches every client that takes part in its document (contract 4, domain 5.2 and 5.3).
 */
import type { TabelaParticipante } from '../banco/tabelas.ts';
import { effectiveStatus } from '../fiscal/status.ts';
import type { EfeitoEvento } from '../fiscal/tipos.ts';
import { aplicarContagens, type Delta } from './contagens.ts';
import * as queries from './queries.ts';
import type { Trx } from './tipos.ts';

interface Grupo {
  documento: queries.DaMesmaChave;
  eventos: queries.DaMesmaChave[];
}

/**
 * @param input.chaves keys of everything that is new or changed in this transaction
 * @param input.trocados documents whose served version has changed: their status is derived even without events
 * @returns ids of the events whose parties may have grown
 */
export async function aplicarEventos(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[]; trocados: ReadonlySet<number> },
): Promise<number[]> {
  const grupos = agrupar(await queries.findPorChaves(trx, input), input.trocados);
  await estenderParticipantes(trx, { contadorId: input.contadorId, grupos });
  await derivarStatus(trx, grupos);
  return grupos.flatMap((grupo) => grupo.eventos.map((evento) => evento.id));
}

/** Documents that have events, or another version; the others need nothing. */
function agrupar(rows: readonly queries.DaMesmaChave[], trocados: ReadonlySet<number>): Grupo[] {
  const eventos = new Map<string, queries.DaMesmaChave[]>();
  for (const row of rows) {
    if (row.classe !== 'evento') continue;
    const key = `${row.ambiente}/${row.chave}`;
    const known = eventos.get(key);
    if (known) known.push(row);
    else eventos.set(key, [row]);
  }
  return rows
    .filter(
      (row) =>
        row.classe === 'documento' && (trocados.has(row.id) || eventos.has(`${row.ambiente}/${row.chave}`)),
    )
    .map((documento) => ({
      documento,
      eventos: eventos.get(`${documento.ambiente}/${documento.chave}`) ?? [],
    }));
}

async function estenderParticipantes(
  trx: Trx,
  input: { contadorId: number; grupos: readonly Grupo[] },
): Promise<void> {
  if (input.grupos.length === 0) return;
  const dosDocumentos = await queries.findParticipantes(
    trx,
    input.grupos.map((grupo) => grupo.documento.id),
  );
  const porDocumento = Map.groupBy(dosDocumentos, (row) => row.documento_id);
  const rows: TabelaParticipante[] = input.grupos.flatMap((grupo) =>
    grupo.eventos.flatMap((evento) =>
      (porDocumento.get(grupo.documento.id) ?? []).map((parte) => ({ ...parte, documento_id: evento.id })),
    ),
  );
  if (rows.length > 0) await queries.insertParticipantes(trx, rows);
}

async function derivarStatus(trx: Trx, grupos: readonly Grupo[]): Promise<void> {
  for (const { documento, eventos } of grupos) {
    const derived = effectiveStatus({
      statusProtocolo: documento.status_protocolo as Parameters<typeof effectiveStatus>[0]['statusProtocolo'],
      eventos: eventos.map((evento) => ({
        codigo: evento.evento_codigo ?? '',
        sequencia: evento.evento_sequencia ?? 1,
        nProt: evento.nprot,
        efeito: (evento.evento_efeito ?? 'nenhum') as EfeitoEvento,
        desfaz: evento.evento_desfaz ? JSON.parse(evento.evento_desfaz) : null,
      })),
    });
    const mudanca: queries.MudancaDeStatus = {
      documentoId: documento.id,
      status: derived.status,
      cartaCorrecao: derived.cartaCorrecao ? 1 : 0,
      manifestacao: derived.manifestacao,
    };
    const changed =
      mudanca.status !== documento.status ||
      mudanca.cartaCorrecao !== documento.carta_correcao ||
      mudanca.manifestacao !== documento.manifestacao;
    if (changed) await mudarStatus(trx, mudanca);
  }
}

/** The document, its listing rows and the daily counts change together. */
export async function mudarStatus(trx: Trx, mudanca: queries.MudancaDeStatus): Promise<void> {
  await queries.updateStatus(trx, mudanca);
  const listadas = await queries.findParticipacoes(trx, [mudanca.documentoId]);
  await queries.updateStatusDasParticipacoes(trx, mudanca);
  const deltas: Delta[] = listadas.flatMap((linha) => [
    { linha, quantidade: -1 },
    { linha: { ...linha, status: mudanca.status, carta_correcao: mudanca.cartaCorrecao }, quantidade: 1 },
  ]);
  await aplicarContagens(trx, deltas);
}
