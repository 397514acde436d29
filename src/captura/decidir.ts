/**
 * What may be asked of a service and when: pure functions of the state of one sequence and of the time. A sequence is a CNPJ
 * or CPF at one service; its row is `captura_estado`. Times are ms of the steady clock (`relogio.ts`), which nobody sets.
 *
 * The rules that keep a CNPJ from being blocked (cStat 656), @fonte NT 2014.002 §3.11.4:
 * 1. After "nothing", or an answer that reached the end, no distNSU for one hour.
 * 2. The next distNSU asks behind the number that was answered, never before it.
 * 3. Single numbers and single keys: 20 an hour together.
 * Whatever is not known counts as the worst that it can be: a call is written down, with its hour, before it is made, and
 * only its answer shortens that. So a process may die anywhere. Where an answer was lost the service may have given a page
 * that we do not have: asking for it again would go back (rule 2), so that its numbers are asked for one by one.
 */

import { hash } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { Servico, TabelaCapturaEstado } from '../banco/tabelas-captura.ts';
import type { LinhaDeEstado } from './queries.ts';
import { isDistribuicao } from './servicos.ts';

export const HORA_MS = 3_600_000;
/** Added to each hour: the service counts from its own clock, and from when it answered. */
export const FOLGA_MS = 60_000;
/** Clients are spread over so long behind their hour. */
const ESPALHAR_MS = 240_000;
/** Between two pages of one sequence, or two single documents. */
export const PAUSA_MS: Readonly<Record<Servico, number>> = {
  nfe: 2_000,
  cte: 2_000,
  nfse: 3_000,
  nfce: 1_500,
};
/** Single numbers and keys in an hour, and how many of them are kept for what people ask for. */
export const CONSULTAS_POR_HORA = 20;
export const RESERVA_DE_PESSOAS = 5;
/** A CNPJ that is blocked again and again is captured by another program: asked ever less often. */
export const BLOQUEIO_MAXIMO_MS = 12 * HORA_MS;
/** Nothing is ever put off for longer: a later instant was written by a clock that was wrong. */
export const ESPERA_MAXIMA_MS = BLOQUEIO_MAXIMO_MS + 2 * HORA_MS;

export type Mudanca = Updateable<TabelaCapturaEstado>;

/** What was asked, as a service counts it. */
export type Pergunta = { tipo: 'distNSU' } | { tipo: 'consNSU'; nsu: number } | { tipo: 'consChave' };

/** Why a sequence may not be called now. */
export type Motivo = 'aguarda' | 'bloqueada' | 'parada' | 'orcamento' | 'em_andamento' | 'recuperando';

/** Whether something may be asked now. `quando`: not before; null: not until something changes. */
type Permissao = { pode: true } | { pode: false; motivo: Motivo; quando: number | null };

const PODE: Permissao = { pode: true };

/** Whether the next page of a sequence may be asked for. */
export function podePagina(estado: LinhaDeEstado, agora: number): Permissao {
  const geral = podeQualquer(estado, agora);
  if (!geral.pode) return geral;
  if (estado.recuperar_ate !== null) return { pode: false, motivo: 'recuperando', quando: estado.chaves_em };
  if (estado.proxima_em === null) return { pode: false, motivo: 'parada', quando: null };
  if (estado.proxima_em > agora) return { pode: false, motivo: 'aguarda', quando: estado.proxima_em };
  return PODE;
}

/** Whether a single document may be asked for. People have the whole hour's number, everything else leaves some for them. */
export function podeConsulta(
  estado: LinhaDeEstado,
  { agora, porPessoa }: { agora: number; porPessoa: boolean },
): Permissao {
  const geral = podeQualquer(estado, agora);
  if (!geral.pode) return geral;
  if (estado.chaves_em !== null && estado.chaves_em > agora && !porPessoa)
    return { pode: false, motivo: 'aguarda', quando: estado.chaves_em };
  if (!isDistribuicao(estado.servico)) return PODE;
  const feitas = consultasDaHora(estado, agora);
  const most = porPessoa ? CONSULTAS_POR_HORA : CONSULTAS_POR_HORA - RESERVA_DE_PESSOAS;
  const primeira = feitas.at(-most);
  return primeira === undefined
    ? PODE
    : { pode: false, motivo: 'orcamento', quando: primeira + HORA_MS + FOLGA_MS };
}

function podeQualquer(estado: LinhaDeEstado, agora: number): Permissao {
  const { parada, bloqueada_ate, locada_ate } = estado;
  if (parada !== null) return { pode: false, motivo: 'parada', quando: null };
  if (bloqueada_ate !== null && bloqueada_ate > agora)
    return { pode: false, motivo: 'bloqueada', quando: bloqueada_ate };
  if (locada_ate !== null && locada_ate >= agora)
    return { pode: false, motivo: 'em_andamento', quando: locada_ate };
  return PODE;
}

/** When single documents were asked for within the last hour, the oldest first. */
export function consultasDaHora({ consultas }: Pick<LinhaDeEstado, 'consultas'>, agora: number): number[] {
  return (JSON.parse(consultas) as number[])
    .filter((em) => em > agora - HORA_MS - FOLGA_MS)
    .sort((a, b) => a - b);
}

/** Ranges of numbers that another program fetched, first and last. */
export function lacunasDe({ lacunas }: Pick<LinhaDeEstado, 'lacunas'>): [number, number][] {
  return JSON.parse(lacunas) as [number, number][];
}

/** When the hour of a sequence that asks now is over, clients spread behind it. */
export function depoisDaHora(
  { cpf_cnpj, servico }: Pick<LinhaDeEstado, 'cpf_cnpj' | 'servico'>,
  agora: number,
): number {
  return agora + HORA_MS + FOLGA_MS + espalhamento(`${servico} ${cpf_cnpj}`);
}

/** The same for each client at all times, and evenly spread over all. */
export function espalhamento(nome: string): number {
  return Math.floor((Number.parseInt(hash('sha256', nome).slice(0, 8), 16) / 2 ** 32) * ESPALHAR_MS);
}

/** Stands for the answer of a call whose process died. */
const SEM_DESFECHO = 'sem_desfecho';
/** Documents of a page. @fonte NT 2014.002 §3.11 */
const LOTE_MAXIMO = 50;
/** After a lost answer, and behind the end of the lease of a call that nobody has seen the end of. */
export const RECUPERAR_EM_MS = 310_000;

/**
 * What a call whose process died makes of the state: as if its answer had been lost.
 * @returns null where there is none
 */
export function aposQueda(estado: LinhaDeEstado, agora: number): Mudanca | null {
  const { chamada_em, chamada_tipo, locada_ate } = estado;
  if (chamada_em === null || (locada_ate !== null && locada_ate >= agora)) return null;
  return {
    ...{ chamada_em: null, chamada_tipo: null, locatario: null, locada_ate: null },
    ...{ ultima_resposta: SEM_DESFECHO, ultimo_motivo: null },
    ...(chamada_tipo === 'distNSU' ? aRecuperar(estado, agora) : {}),
  };
}

export function aRecuperar({ servico, ult_nsu }: LinhaDeEstado, em: number): Mudanca {
  return isDistribuicao(servico) ? { recuperar_ate: ult_nsu + LOTE_MAXIMO, chaves_em: em } : {};
}

/** What is written before a call: as if it were going to be answered with "nothing", and the process to die. */
export function aoChamar(
  estado: LinhaDeEstado,
  { agora, parede, pergunta }: { agora: number; parede: number; pergunta: Pergunta },
): Mudanca {
  const comum = {
    chamada_em: agora,
    chamada_tipo: pergunta.tipo,
    primeira_em: estado.primeira_em ?? parede,
    ultima_em: parede,
    // Whatever becomes of it is looked at then.
    chaves_em: agora + RECUPERAR_EM_MS,
  } as const;
  if (pergunta.tipo === 'distNSU') return { ...comum, proxima_em: depoisDaHora(estado, agora) };
  return { ...comum, consultas: JSON.stringify([...consultasDaHora(estado, agora), agora]) };
}

/**
 * Instants that lie farther ahead than anything is put off were written by a clock that was wrong: they become the longest
 * wait from now that a call can ask for.
 * @returns null where nothing is wrong
 */
export function corrigirFuturo(estado: LinhaDeEstado, agora: number): Mudanca | null {
  const late = agora + ESPERA_MAXIMA_MS;
  const wrong = [estado.proxima_em, estado.chaves_em, estado.bloqueada_ate, estado.locada_ate].some(
    (em) => em !== null && em > late,
  );
  const consultas = (JSON.parse(estado.consultas) as number[]).filter((em) => em > agora);
  if (!wrong && consultas.length === 0) return null;
  const hora = agora + HORA_MS + FOLGA_MS;
  const sane = (em: number | null) => (em !== null && em > late ? hora : em);
  return {
    proxima_em: sane(estado.proxima_em),
    chaves_em: sane(estado.chaves_em),
    bloqueada_ate: sane(estado.bloqueada_ate),
    locada_ate: estado.locada_ate !== null && estado.locada_ate > late ? null : estado.locada_ate,
    consultas: JSON.stringify((JSON.parse(estado.consultas) as number[]).map((em) => Math.min(em, agora))),
  };
}
