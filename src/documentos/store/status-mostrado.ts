/**
 * The status that a document shows, and how well that is proven. Evidence at least as strong as the served version changes the
 * status; weaker evidence changes it too, for it may be all that an office has, but what it changed is marked as declared
 * until something stronger comes. What a person set aside changes nothing.
 */

import { splitChave } from '../../fiscal/chave.ts';
import { ehDeOutro } from '../../fiscal/eventos/autores.ts';
import { TOLERANCIA_MS } from '../../fiscal/prova.ts';
import { effectiveStatus, type StatusEfetivo } from '../../fiscal/status.ts';
import { type Chave, type CpfCnpj, type EfeitoEvento, STATUS_DOCUMENTO } from '../../fiscal/tipos.ts';
import { writeProva } from '../lean/prova-guardada.ts';
import type { DaMesmaChave } from '../queries.ts';

export type DocumentoDoStatus = Pick<
  DaMesmaChave,
  | 'chave'
  | 'modelo'
  | 'emitido_em'
  | 'emitente'
  | 'destinatario'
  | 'tomador'
  | 'status_protocolo'
  | 'status_alegado'
  | 'status_gemea'
  | 'prova'
  | 'nprot'
> & {
  /** Its carriers, where they were looked up: only of a document with an event that they may write. */
  transportadores?: readonly CpfCnpj[] | null;
};
export type EventoDoStatus = Pick<
  DaMesmaChave,
  | 'emitido_em'
  | 'autor'
  | 'destinatario'
  | 'evento_codigo'
  | 'evento_sequencia'
  | 'evento_efeito'
  | 'evento_desfaz'
  | 'nprot'
  | 'prova'
  | 'afastado'
  | 'protocolo_da_nota'
>;

export interface StatusMostrado {
  status: string;
  cartaCorrecao: 0 | 1;
  manifestacao: string | null;
  /** Proof of the status, as rows keep it; null where it was not judged yet. */
  prova: number | null;
}

const DECLARADA = writeProva('declarada');
/** What is signed by who must sign is as good as what was fetched, where a status is to be changed. */
const ASSINADA = writeProva('assinada');

export function statusMostrado(
  documento: DocumentoDoStatus,
  eventos: readonly EventoDoStatus[],
): StatusMostrado {
  const porSi = statusPorSi(documento, eventos);
  // The other form of an NFS-e says that it was cancelled, and this one does not know of it.
  return documento.status_gemea === STATUS_DOCUMENTO.cancelada && porSi.status !== STATUS_DOCUMENTO.cancelada
    ? { ...porSi, status: STATUS_DOCUMENTO.cancelada, cartaCorrecao: 0, prova: DECLARADA }
    : porSi;
}

function statusPorSi(documento: DocumentoDoStatus, eventos: readonly EventoDoStatus[]): StatusMostrado {
  const valem = eventos.filter((evento) => evento.afastado !== 1 && !ehDeQuemNaoPode(evento, documento));
  const derived = effectiveStatus({
    statusProtocolo: (documento.status_alegado ?? documento.status_protocolo) as StatusEfetivo['status'],
    eventos: valem.map((evento) => ({
      codigo: evento.evento_codigo ?? '',
      sequencia: evento.evento_sequencia ?? 1,
      nProt: evento.nprot,
      efeito: (evento.evento_efeito ?? 'nenhum') as EfeitoEvento,
      desfaz: evento.evento_desfaz ? JSON.parse(evento.evento_desfaz) : null,
      forca: evento.prova ?? DECLARADA,
      autor: evento.autor,
    })),
  });
  const { status, cartaCorrecao, manifestacao } = derived;
  return {
    status,
    cartaCorrecao: cartaCorrecao ? 1 : 0,
    manifestacao,
    prova: provaDoStatus(documento, valem),
  };
}

type EventoEscrito = Pick<
  EventoDoStatus,
  'evento_codigo' | 'evento_efeito' | 'autor' | 'destinatario' | 'prova'
>;
export type NotaDoEvento = Pick<
  DocumentoDoStatus,
  'chave' | 'modelo' | 'emitente' | 'destinatario' | 'tomador' | 'transportadores'
>;

/** Whether an event is of somebody who may not write it: anybody with a certificate can sign that he knows nothing of a document. */
export function ehDeQuemNaoPode(
  { evento_codigo, evento_efeito, autor, destinatario, prova }: EventoEscrito,
  { modelo, chave, emitente, destinatario: recebe, tomador, transportadores }: NotaDoEvento,
): boolean {
  const os = (...quem: (string | null)[]) => {
    const ditos = quem.filter((um) => um !== null) as CpfCnpj[];
    return ditos.length === 0 ? null : ditos;
  };
  return ehDeOutro(
    {
      modelo,
      codigo: evento_codigo ?? '',
      conferido: modelo === 'NFSe' && (prova ?? DECLARADA) > DECLARADA,
      // The row of a manifestation has its author as the recipient, and those of former versions only there.
      autor: autor ?? (evento_efeito === 'manifestacao' ? destinatario : null),
    },
    {
      emitente: os(emitente, splitChave(chave as Chave).emitente),
      prestador: os(emitente),
      destinatario: os(recebe),
      // The row of an NFS-e has it as the recipient.
      tomador: os(modelo === 'NFSe' ? recebe : tomador),
      transportador: transportadores ?? null,
    },
  );
}

/** How well an event is proven, as far as its document tells: of somebody who may not write it, it is only declared. */
export function provaDoEvento(evento: EventoEscrito, documento: NotaDoEvento): number | null {
  return evento.prova !== null && ehDeQuemNaoPode(evento, documento) ? DECLARADA : evento.prova;
}

function provaDoStatus(documento: DocumentoDoStatus, eventos: readonly EventoDoStatus[]): number | null {
  const cancelamentos = eventos.filter(({ evento_efeito }) => evento_efeito === 'cancela');
  if (cancelamentos.length > 0) {
    const forca = Math.max(...cancelamentos.map((evento) => forcaDoCancelamento(evento, documento)));
    return ehFraca(forca, documento) ? DECLARADA : forca;
  }
  if (documento.status_alegado !== null) return DECLARADA;
  // An answer that says so is signed by nobody, whatever it stands beside.
  const semEvento = documento.status_protocolo === STATUS_DOCUMENTO.cancelada;
  return semEvento && (documento.prova ?? DECLARADA) <= ASSINADA ? DECLARADA : documento.prova;
}

/** Whether evidence is weaker than the version that it speaks of. */
export function ehFraca(forca: number, { prova }: Pick<DocumentoDoStatus, 'prova'>): boolean {
  return forca < Math.min(prova ?? DECLARADA, ASSINADA);
}

/**
 * A cancellation that names another protocol, or was made before there was anything to cancel, was not made for this document.
 * @fonte NT 2011.006, evento 110111, campo nProt; MOC 7.0, rejeição 577 (data do evento menor que a da emissão)
 */
export function forcaDoCancelamento(
  {
    prova,
    protocolo_da_nota,
    emitido_em,
  }: Pick<EventoDoStatus, 'prova' | 'protocolo_da_nota' | 'emitido_em'>,
  nota: Pick<DocumentoDoStatus, 'chave' | 'nprot' | 'emitido_em'> | undefined,
): number {
  const nprot = nota?.nprot ?? null;
  const deOutra = protocolo_da_nota !== null && nprot !== null && protocolo_da_nota !== nprot;
  const antes = nota?.chave.length === CHAVE_DA_SEFAZ && emitido_em < nota.emitido_em - TOLERANCIA_MS;
  return deOutra || antes ? DECLARADA : (prova ?? DECLARADA);
}
const CHAVE_DA_SEFAZ = 44;
