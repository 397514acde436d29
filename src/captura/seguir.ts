/** What an answer, or its absence, makes of the state of a sequence: the other half of `decidir.ts`. Pure. */
import type { Servico } from '../banco/tabelas-captura.ts';
import {
  aRecuperar,
  BLOQUEIO_MAXIMO_MS,
  depoisDaHora,
  espalhamento,
  FOLGA_MS,
  HORA_MS,
  lacunasDe,
  type Mudanca,
  PAUSA_MS,
  type Pergunta,
  RECUPERAR_EM_MS,
} from './decidir.ts';
import type { LinhaDeEstado } from './queries.ts';
import { type Efeito, efeitoDe } from './respostas.ts';

/** After a failure without contact, and when a service says that it does not work: doubled each time, up to an hour. */
const SEM_CONTATO_MS = 300_000;
const FORA_DO_AR_MS = 900_000;
const DEVAGAR_MS = 60_000;
/** Refusals of the certificate in a row after which another one is waited for. */
const RECUSAS_DO_CERTIFICADO = 3;
/** Numbers between ours and what another program has reached that are still asked for. */
const LACUNA_MAXIMA = 2_000;
/** Answers that are not the service's own: it may have answered all the same. */
const PERDIDA = /^(?:prazo_de_resposta|interrompida|resposta_grande|redirecionamento|http_5\d\d)$/;

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
  const { pergunta, documentos } = desfecho;
  const sozinho = pergunta.tipo !== 'distNSU';
  const efeito = efeitoDo(estado, desfecho);
  const guardar = efeito === 'documentos' && documentos > 0;
  const set: Mudanca = {
    chamada_em: null,
    chamada_tipo: null,
    locatario: null,
    // The SAE counts by address, whoever calls: nobody does until its pause is over, or the hour of what it has refused to one.
    locada_ate:
      estado.servico === 'nfce'
        ? agora + (efeito === 'bloqueada' ? HORA_MS + FOLGA_MS : PAUSA_MS.nfce)
        : null,
    ...respostaDe(desfecho),
    ...(sozinho
      ? aposConsulta(estado, desfecho, { efeito, agora })
      : aposPagina(estado, desfecho, { efeito, agora })),
    ...aposQualquer(estado, desfecho, { efeito, agora, parede }),
    ...(guardar ? { ultimo_documento_em: parede, documentos: estado.documentos + documentos } : {}),
  };
  return { set, efeito, guardar };
}

/** What people are told of it: that a single number is not there yet is nothing new, and no fault of the sequence (589). */
function respostaDe({ pergunta, codigo, motivo }: Desfecho): Mudanca {
  const nada = pergunta.tipo === 'consNSU' && SEM_NUMERO.includes(codigo);
  return nada
    ? { ultima_resposta: '137', ultimo_motivo: '' }
    : { ultima_resposta: codigo, ultimo_motivo: motivo };
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
