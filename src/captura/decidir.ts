/**
 * What may be asked of a service and when: pure functions of the state of one sequence and of the time. A sequence is a CNPJ
 * or CPF at one service; its row is `captura_estado`. Times are ms of the steady clock (`relogio.ts`), which nobody sets.
 *
 * The rules that keep a CNPJ from being blocked (cStat 656), @fonte NT 2014.002 §3.11.4:
 * 1. After "nothing", or an answer that reached the end, no distNSU for one hour.
 * 2. The next distNSU asks behind the number that was answered, never before it.
 * 3. Single numbers and single keys: 20 an hour together.
 * Whatever is not known counts as the worst that it can be: a call is written down, with its hour, before it is made, and
 * only its answer shortens that. So a process may die anywhere.
 */
import { hash } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { Servico, TabelaCapturaEstado } from '../banco/tabelas-captura.ts';
import type { LinhaDeEstado } from './queries.ts';
import { type Efeito, efeitoDe } from './respostas.ts';

export const HORA_MS = 3_600_000;
/** Added to each hour: the service counts from its own clock, and from when it answered. */
export const FOLGA_MS = 60_000;
/** Clients are spread over so long behind their hour. */
const ESPALHAR_MS = 240_000;
/** Between two pages of one sequence, or two single documents. */
const PAUSA_MS: Readonly<Record<Servico, number>> = { nfe: 2_000, cte: 2_000, nfse: 3_000, nfce: 1_500 };
/** Single numbers and keys in an hour, and how many of them are kept for what people ask for. */
export const CONSULTAS_POR_HORA = 20;
export const RESERVA_DE_PESSOAS = 5;
/** After a failure without contact, and when a service says that it does not work: doubled each time, up to an hour. */
const SEM_CONTATO_MS = 300_000;
const FORA_DO_AR_MS = 900_000;
const DEVAGAR_MS = 60_000;
/** A CNPJ that is blocked again and again is captured by another program: asked ever less often. */
const BLOQUEIO_MAXIMO_MS = 12 * HORA_MS;
/** Refusals of the certificate in a row after which another one is waited for. */
const RECUSAS_DO_CERTIFICADO = 3;
/** Nothing is ever put off for longer: a later instant was written by a clock that was wrong. */
export const ESPERA_MAXIMA_MS = BLOQUEIO_MAXIMO_MS + 2 * HORA_MS;
/** Numbers between ours and what another program has reached that are still asked for. */
const LACUNA_MAXIMA = 2_000;

export type Mudanca = Updateable<TabelaCapturaEstado>;

/** What was asked, as a service counts it. */
export type Pergunta = { tipo: 'distNSU' } | { tipo: 'consNSU'; nsu: number } | { tipo: 'consChave' };

/** Why a sequence may not be called now. */
export type Motivo = 'aguarda' | 'bloqueada' | 'parada' | 'orcamento' | 'em_andamento';

/** Whether something may be asked now. `quando`: not before; null: not until something changes. */
export type Permissao = { pode: true } | { pode: false; motivo: Motivo; quando: number | null };

const PODE: Permissao = { pode: true };

/** Whether the next page of a sequence may be asked for. */
export function podePagina(estado: LinhaDeEstado, agora: number): Permissao {
  const geral = podeQualquer(estado, agora);
  if (!geral.pode) return geral;
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
  if (!temOrcamento(estado.servico)) return PODE;
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

/** Single documents of the ADN and the SAE are not counted by the hour. */
function temOrcamento(servico: Servico): boolean {
  return servico === 'nfe' || servico === 'cte';
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
function depoisDaHora(
  { cpf_cnpj, servico }: Pick<LinhaDeEstado, 'cpf_cnpj' | 'servico'>,
  agora: number,
): number {
  return agora + HORA_MS + FOLGA_MS + espalhamento(`${servico} ${cpf_cnpj}`);
}

/** The same for each client at all times, and evenly spread over all. */
export function espalhamento(nome: string): number {
  return Math.floor((Number.parseInt(hash('sha256', nome).slice(0, 8), 16) / 2 ** 32) * ESPALHAR_MS);
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
  } as const;
  const hora = depoisDaHora(estado, agora);
  if (pergunta.tipo === 'distNSU') return { ...comum, proxima_em: hora };
  return {
    ...comum,
    consultas: JSON.stringify([...consultasDaHora(estado, agora), agora]),
    chaves_em: agora + FORA_DO_AR_MS,
  };
}

/** What came of a call. */
export interface Desfecho {
  pergunta: Pergunta;
  /** As `Resposta.codigo`, or the code of a failure. */
  codigo: string;
  motivo: string;
  /** Null where the answer has none. */
  ultNsu: number | null;
  maxNsu: number | null;
  documentos: number;
  /** Cursor of a service without numbers. */
  marco?: string | null;
  esperarSegundos: number | null;
  /** Whether the service may have got the request. */
  enviado: boolean;
  /** SHA-256 of the certificate that was shown. */
  impressao: string;
  /** There is more to ask for one by one. */
  maisChaves: boolean;
}

export interface Consequencia {
  set: Mudanca;
  efeito: Efeito;
  /** The lot is to be kept. */
  guardar: boolean;
}

/** What an answer makes of the state. */
export function aoResponder(
  estado: LinhaDeEstado,
  desfecho: Desfecho,
  { agora, parede }: { agora: number; parede: number },
): Consequencia {
  const { pergunta, codigo, motivo, documentos } = desfecho;
  const sozinho = pergunta.tipo !== 'distNSU';
  const efeito = efeitoDo(estado, desfecho);
  const guardar = efeito === 'documentos' && documentos > 0;
  const set: Mudanca = {
    chamada_em: null,
    chamada_tipo: null,
    locatario: null,
    // The SAE counts by address, whoever calls: nobody does until its pause is over.
    locada_ate: estado.servico === 'nfce' ? agora + PAUSA_MS.nfce : null,
    ultima_resposta: codigo,
    ultimo_motivo: motivo,
    ...(sozinho
      ? aposConsulta(estado, desfecho, { efeito, agora })
      : aposPagina(estado, desfecho, { efeito, agora })),
    ...aposQualquer(estado, desfecho, { efeito, agora, parede }),
    ...(guardar ? { ultimo_documento_em: parede, documentos: estado.documentos + documentos } : {}),
  };
  return { set, efeito, guardar };
}

/** A page that does not bring the sequence on is none: asking for it again would never end. */
function efeitoDo(estado: LinhaDeEstado, { pergunta, codigo, ultNsu, marco }: Desfecho): Efeito {
  const efeito = efeitoDe(codigo, { servico: estado.servico, sozinho: pergunta.tipo !== 'distNSU' });
  if (efeito !== 'documentos' || pergunta.tipo !== 'distNSU') return efeito;
  const avanca =
    estado.servico === 'nfce' ? marco != null && marco !== estado.marco : (ultNsu ?? 0) > estado.ult_nsu;
  return avanca ? efeito : 'incerta';
}

interface Instante {
  efeito: Efeito;
  agora: number;
}

function aposPagina(estado: LinhaDeEstado, desfecho: Desfecho, { efeito, agora }: Instante): Mudanca {
  const hora = depoisDaHora(estado, agora);
  const cursor = cursorApos(estado, desfecho, efeito);
  if (efeito === 'documentos')
    return {
      ...cursor,
      proxima_em: temMais(estado.servico, cursor) ? agora + PAUSA_MS[estado.servico] : hora,
    };
  return { ...cursor, proxima_em: efeitoEspera(estado, desfecho, efeito, agora) ?? hora };
}

/** The ADN does not say where its end is: one asks until there is nothing. */
function temMais(servico: Servico, { ult_nsu = 0, max_nsu = 0 }: Cursor): boolean {
  return servico === 'nfse' || ult_nsu < max_nsu;
}

interface Cursor {
  ult_nsu?: number;
  max_nsu?: number;
  marco?: string | null;
}

/** Never backwards. The SAE has no numbers: one more than ours stands for a list that goes on. */
function cursorApos(estado: LinhaDeEstado, desfecho: Desfecho, efeito: Efeito): Cursor {
  if (estado.servico === 'nfce') {
    if (efeito !== 'documentos' && efeito !== 'vazia') return {};
    return { ult_nsu: 0, max_nsu: efeito === 'documentos' ? 1 : 0, marco: desfecho.marco ?? estado.marco };
  }
  const acreditada = efeito === 'documentos' || efeito === 'vazia' || efeito === 'bloqueada';
  if (!acreditada) return {};
  const ult_nsu = Math.max(estado.ult_nsu, desfecho.ultNsu ?? 0);
  return { ult_nsu, max_nsu: Math.max(ult_nsu, estado.max_nsu, desfecho.maxNsu ?? 0) };
}

function aposConsulta(estado: LinhaDeEstado, desfecho: Desfecho, { efeito, agora }: Instante): Mudanca {
  const { pergunta, maisChaves } = desfecho;
  const respondida = efeito === 'documentos' || efeito === 'vazia' || efeito === 'impossivel';
  const lacunas =
    pergunta.tipo === 'consNSU' && respondida
      ? semNumero(lacunasDe(estado), pergunta.nsu)
      : lacunasDe(estado);
  const ha = maisChaves || lacunas.length > 0;
  const espera = respondida
    ? agora + PAUSA_MS[estado.servico]
    : (efeitoEspera(estado, desfecho, efeito, agora) ?? agora + HORA_MS + FOLGA_MS);
  return { lacunas: JSON.stringify(lacunas), chaves_em: ha ? espera : null };
}

function semNumero(lacunas: readonly [number, number][], nsu: number): [number, number][] {
  return lacunas.flatMap(([de, ate]) => {
    if (nsu < de || nsu > ate) return [[de, ate] as [number, number]];
    const partes: [number, number][] = [
      [de, nsu - 1],
      [nsu + 1, ate],
    ];
    return partes.filter(([from, to]) => from <= to);
  });
}

/** When to ask again after what is neither documents nor nothing; null: after the hour. */
function efeitoEspera(
  estado: LinhaDeEstado,
  desfecho: Desfecho,
  efeito: Efeito,
  agora: number,
): number | null {
  const doubled = (from: number) =>
    agora + Math.min(HORA_MS, from * 2 ** Math.min(10, estado.erros_seguidos));
  if (efeito === 'sem_contato' && !desfecho.enviado) return doubled(SEM_CONTATO_MS);
  if (efeito === 'fora_do_ar') return doubled(FORA_DO_AR_MS);
  if (efeito !== 'devagar') return null;
  const { esperarSegundos } = desfecho;
  return esperarSegundos === null
    ? doubled(DEVAGAR_MS)
    : agora + Math.min(HORA_MS, Math.max(DEVAGAR_MS, esperarSegundos * 1_000));
}

function aposQualquer(
  estado: LinhaDeEstado,
  desfecho: Desfecho,
  { efeito, agora, parede }: Instante & { parede: number },
): Mudanca {
  switch (efeito) {
    case 'documentos':
    case 'vazia':
    case 'impossivel': {
      const vazia =
        efeito === 'vazia' && desfecho.pergunta.tipo === 'distNSU' ? { ultima_vazia_em: parede } : {};
      return { erros_seguidos: 0, bloqueada_ate: null, ultima_ok_em: parede, ...vazia };
    }
    case 'bloqueada':
      return aposBloqueio(estado, desfecho, { agora, parede });
    case 'parada':
      return parar(estado, desfecho.codigo, null);
    case 'certificado':
      return parar(estado, desfecho.codigo, desfecho.impressao);
    default:
      return recusaOCertificado(desfecho.codigo) && estado.erros_seguidos + 1 >= RECUSAS_DO_CERTIFICADO
        ? parar(estado, desfecho.codigo, desfecho.impressao)
        : { erros_seguidos: estado.erros_seguidos + 1 };
  }
}

function recusaOCertificado(codigo: string): boolean {
  return codigo === 'certificado_recusado' || codigo === 'certificado_nao_apresentado';
}

function parar(estado: LinhaDeEstado, parada: string, certificado: string | null): Mudanca {
  return { parada, parada_certificado: certificado, erros_seguidos: estado.erros_seguidos + 1 };
}

/**
 * We keep the hour, so a block is another program's doing: it has asked, and where the number that comes back is ahead of
 * ours it has taken what lies between, which is then asked for one by one.
 */
function aposBloqueio(
  estado: LinhaDeEstado,
  { pergunta, ultNsu }: Desfecho,
  { agora, parede }: { agora: number; parede: number },
): Mudanca {
  const vezes = Math.min(10, estado.erros_seguidos);
  const ate = agora + Math.min(BLOQUEIO_MAXIMO_MS, HORA_MS * 2 ** vezes) + FOLGA_MS;
  const naFrente = pergunta.tipo === 'distNSU' && ultNsu !== null && ultNsu > estado.ult_nsu;
  const de = Math.max(estado.ult_nsu + 1, (ultNsu ?? 0) - LACUNA_MAXIMA + 1);
  const lacuna = naFrente && estado.ult_nsu > 0 && ultNsu !== null;
  const lacunas = lacuna ? [...lacunasDe(estado), [de, ultNsu]] : lacunasDe(estado);
  return {
    bloqueada_ate: ate,
    bloqueios: estado.bloqueios + 1,
    erros_seguidos: estado.erros_seguidos + 1,
    ...(estado.proxima_em === null ? {} : { proxima_em: ate + espalhamento(estado.cpf_cnpj) }),
    lacunas: JSON.stringify(lacunas),
    ...(lacunas.length > 0 || estado.chaves_em !== null ? { chaves_em: ate } : {}),
    ...(naFrente ? { outro_programa_em: parede } : {}),
  };
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
