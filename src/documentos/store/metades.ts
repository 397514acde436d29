/**
 * Halves of events: a request that came in one file while SEFAZ's answer to it came in another, before or after. They wait
 * here for each other.
 */
import type { TabelaMetadeDeEvento } from '../../banco/tabelas.ts';
import { FALHA_DE_PROVA, type MetadeDeEvento } from '../../fiscal/tipos.ts';
import { sha256De } from '../bytes/conteudo.ts';
import { findPorChaves, findVersoes } from '../queries.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-metades.ts';
import { versaoDaLinha } from './versoes.ts';

/** Halves of one side that wait for one event: each batch with one of its key reads all of them. */
const ESPERAM_MAX = 10;

export interface MetadeQueChegou {
  metade: MetadeDeEvento;
  /** The upload and the item that it came in. */
  arquivoNumero: number;
  itemOrdem: number;
}

/** A request and its answer. */
export interface ParDeMetades {
  pedido: TabelaMetadeDeEvento;
  resposta: TabelaMetadeDeEvento;
}

/** What became of a half that came: kept for the other one, too many wait, or the event is there. */
export type DestinoDaMetade =
  | { kind: 'espera' }
  | { kind: 'demais' }
  | { kind: 'presente'; documentoId: number };

export interface Encontradas {
  pares: ParDeMetades[];
  /** By {@link nomeDaMetade}, of those that came and found no other half. */
  destinos: ReadonlyMap<string, DestinoDaMetade>;
}

/** Names a half among those of its office: the same bytes are the same half. */
export function nomeDaMetade({ ambiente, chave, identidade, lado, digest }: NomeDaMetade): string {
  return `${ambiente}|${chave}|${identidade}|${lado}|${digest}`;
}
type NomeDaMetade = Pick<TabelaMetadeDeEvento, 'ambiente' | 'chave' | 'identidade' | 'lado' | 'digest'>;

/** The row of a half that came. */
export function linhaDaMetade(
  { metade, arquivoNumero, itemOrdem }: MetadeQueChegou,
  input: { contadorId: number; agora: number },
): TabelaMetadeDeEvento {
  const { chave, ambiente, identidade, lado, bytes } = metade;
  return {
    contador_id: input.contadorId,
    chave,
    ambiente,
    identidade,
    lado,
    digest: sha256De(bytes),
    bytes,
    arquivo_numero: arquivoNumero,
    item_ordem: itemOrdem,
    criado_em: input.agora,
  };
}

/** Keeps the halves that came, and finds those that make events. */
export async function keepMetades(
  trx: Trx,
  input: { contadorId: number; chegadas: readonly TabelaMetadeDeEvento[] },
): Promise<Encontradas> {
  const { contadorId, chegadas } = input;
  const chaves = [...new Set(chegadas.map(({ chave }) => chave))];
  const todas = new Map(
    (await queries.findMetades(trx, { contadorId, chaves })).map((row) => [nomeDaMetade(row), row]),
  );
  const presentes = await eventosPresentes(trx, { contadorId, chaves });
  const destinos = new Map<string, DestinoDaMetade>();
  const novas: TabelaMetadeDeEvento[] = [];
  for (const row of chegadas) {
    const nome = nomeDaMetade(row);
    const documentoId = presentes.get(nomeDoEvento(row));
    if (documentoId !== undefined) destinos.set(nome, { kind: 'presente', documentoId });
    else if (todas.has(nome)) destinos.set(nome, { kind: 'espera' });
    else if (doMesmoLado(todas, row) >= ESPERAM_MAX) destinos.set(nome, { kind: 'demais' });
    else {
      destinos.set(nome, { kind: 'espera' });
      todas.set(nome, row);
      novas.push(row);
    }
  }
  await queries.insertMetades(trx, novas);
  return { pares: paresDe([...todas.values()]), destinos };
}

/** The halves of these keys whose event is there as a whole: nothing is waited for any more. */
export async function findAtendidas(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<TabelaMetadeDeEvento[]> {
  const metades = await queries.findMetades(trx, input);
  if (metades.length === 0) return [];
  const presentes = await eventosPresentes(trx, input);
  return metades.filter((row) => presentes.has(nomeDoEvento(row)));
}

/** The halves of events that are there now. */
export async function esquecerMetades(trx: Trx, metades: readonly TabelaMetadeDeEvento[]): Promise<void> {
  for (const metade of metades) await queries.deleteMetades(trx, metade);
}

function nomeDoEvento({ ambiente, chave, identidade }: Omit<NomeDaMetade, 'lado' | 'digest'>): string {
  return `${ambiente}|${chave}|${identidade}`;
}

/** Events of these keys that are there with what was asked for; of some only an answer is. */
async function eventosPresentes(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<Map<string, number>> {
  const eventos = new Map(
    (await findPorChaves(trx, input)).filter(({ classe }) => classe === 'evento').map((row) => [row.id, row]),
  );
  const presentes = new Map<string, number>();
  for (const row of await findVersoes(trx, [...eventos.keys()])) {
    const evento = eventos.get(row.documento_id);
    if (!evento || row.sha256 === '') continue;
    const { falhas } = versaoDaLinha(row, evento);
    if (!falhas.includes(FALHA_DE_PROVA.soResposta)) presentes.set(nomeDoEvento(evento), evento.id);
  }
  return presentes;
}

function doMesmoLado(todas: ReadonlyMap<string, TabelaMetadeDeEvento>, row: TabelaMetadeDeEvento): number {
  let count = 0;
  for (const one of todas.values())
    if (one.lado === row.lado && nomeDoEvento(one) === nomeDoEvento(row)) count++;
  return count;
}

/** Each request with the answer to it; of several answers with any, in an order that does not depend on their arrival. */
function paresDe(todas: readonly TabelaMetadeDeEvento[]): ParDeMetades[] {
  const pares: ParDeMetades[] = [];
  for (const rows of Map.groupBy(todas, nomeDoEvento).values()) {
    const [resposta] = rows
      .filter(({ lado }) => lado === 'resposta')
      .toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
    if (!resposta) continue;
    for (const pedido of rows) if (pedido.lado === 'pedido') pares.push({ pedido, resposta });
  }
  return pares;
}
