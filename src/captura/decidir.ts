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
import { type Efeito, efeitoDe } from './respostas.ts';

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
export type Motivo = 'aguarda' | 'bloqueada' | 'parada' | 'orcamento' | 'em_andamento' | 'recuperando';

/** Whether something may be asked now. `quando`: not before; null: not until something changes. */
export type Permissao = { pode: true } | { pode: false; motivo: Motivo; quando: number | null };

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
  if (!temSequencia(estado.servico)) return PODE;
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

/** Stands for the answer of a call whose process died. */
const SEM_DESFECHO = 'sem_desfecho';
/** Answers that are not the service's own: it may have answered all the same. */
const PERDIDA = /^(?:prazo_de_resposta|interrompida|resposta_grande|redirecionamento|http_5\d\d)$/;
/** Documents of a page. @fonte NT 2014.002 §3.11 */
const LOTE_MAXIMO = 50;
/** After a lost answer, and behind the end of the lease of a call that nobody has seen the end of. */
const RECUPERAR_EM_MS = 310_000;

/** Whether it has numbers that must not go back, and counts single documents by the hour: the ADN and the SAE do neither. */
function temSequencia(servico: Servico): boolean {
  return servico === 'nfe' || servico === 'cte';
}

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

function aRecuperar({ servico, ult_nsu }: LinhaDeEstado, em: number): Mudanca {
  return temSequencia(servico) ? { recuperar_ate: ult_nsu + LOTE_MAXIMO, chaves_em: em } : {};
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
  const ha = desfecho.maisChaves || lacunasDe(estado).length > 0;
  const comum = { ...cursor, chaves_em: ha ? agora + PAUSA_MS[estado.servico] : null };
  if (efeito === 'documentos')
    return {
      ...comum,
      proxima_em: temMais(estado.servico, cursor) ? agora + PAUSA_MS[estado.servico] : hora,
    };
  const perdida = desfecho.enviado && PERDIDA.test(desfecho.codigo);
  return {
    ...comum,
    proxima_em: efeitoEspera(estado, desfecho, efeito, agora) ?? hora,
    ...(perdida ? aRecuperar(estado, agora + RECUPERAR_EM_MS) : {}),
  };
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
  const numerada = respondida && pergunta.tipo === 'consNSU';
  const recuperada = numerada ? aposNumero(estado, pergunta.nsu, desfecho.codigo) : {};
  const lacunas = numerada ? semNumero(lacunasDe(estado), pergunta.nsu) : lacunasDe(estado);
  const { recuperar_ate = estado.recuperar_ate } = recuperada;
  const ha = maisChaves || lacunas.length > 0 || recuperar_ate !== null;
  const espera = respondida
    ? agora + PAUSA_MS[estado.servico]
    : (efeitoEspera(estado, desfecho, efeito, agora) ?? agora + HORA_MS + FOLGA_MS);
  return { ...recuperada, lacunas: JSON.stringify(lacunas), chaves_em: ha ? espera : null };
}

/** There is no such number, yet or at all. */
const SEM_NUMERO = ['137', '589'];

/** One step of what is recovered: the cursor follows the numbers that were answered, up to the first that is not there. */
function aposNumero(
  { recuperar_ate, ult_nsu, max_nsu }: LinhaDeEstado,
  nsu: number,
  codigo: string,
): { recuperar_ate?: number | null; ult_nsu?: number; max_nsu?: number } {
  if (recuperar_ate === null || nsu !== ult_nsu + 1) return {};
  if (SEM_NUMERO.includes(codigo)) return { recuperar_ate: null };
  return {
    ult_nsu: nsu,
    max_nsu: Math.max(max_nsu, nsu),
    recuperar_ate: nsu >= recuperar_ate ? null : recuperar_ate,
  };
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
 * We keep the hour and never go back, so a block is another program's doing: it has asked in between, and where the number
 * that comes back is ahead of ours it has taken what lies between, which is then asked for one by one.
 */
function aposBloqueio(
  estado: LinhaDeEstado,
  { pergunta, ultNsu }: Desfecho,
  { agora, parede }: { agora: number; parede: number },
): Mudanca {
  const vezes = estado.ultima_resposta === '656' ? Math.min(10, estado.erros_seguidos) : 0;
  const ate = agora + Math.min(BLOQUEIO_MAXIMO_MS, HORA_MS * 2 ** vezes) + FOLGA_MS;
  const naFrente = pergunta.tipo === 'distNSU' && ultNsu !== null && ultNsu > estado.ult_nsu;
  // What was there before the first call of all is another program's, and comes in by import.
  const primeira = estado.primeira_em === estado.ultima_em;
  const lacunas = lacunasDe(estado);
  if (naFrente && !primeira) lacunas.push([Math.max(estado.ult_nsu + 1, ultNsu - LACUNA_MAXIMA + 1), ultNsu]);
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
