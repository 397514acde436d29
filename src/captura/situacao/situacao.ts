/** What is known of a client's capture; every instant is of the wall clock, ms UTC. */
import type { Servico } from '../../banco/tabelas-captura.ts';

/** What is known of one client at one service. */
export interface Situacao {
  servico: Servico;
  agora: number;
  /** What the office said; null: nothing yet. */
  consentimento: { ligada: boolean; passiva: boolean; mudadaEm: number } | null;
  /** The certificate that calls are made with; null: none is kept. */
  certificado: { validoDe: number; validoAte: number; impressao: string; doCliente: boolean } | null;
  /** Two letters; null: not known. */
  uf: string | null;
  estado: EstadoDaSequencia | null;
  /** Until when the service rests for all clients of this installation, since it has refused one of them; null: it does not. */
  descansoAte: number | null;
  /** The client's city, as the national environment answered today; null: not asked, or not known. */
  municipio: { nome: string; compartilha: boolean } | null;
  /** Days without a document, and how many of them are usual; null: no habit, or within it. */
  silencio: { dias: number; habitoDias: number } | null;
}

export interface EstadoDaSequencia {
  ultNsu: number;
  maxNsu: number;
  proximaEm: number | null;
  /** When what a lost answer may have brought is asked for, before the next page; null: nothing was lost. */
  recuperaEm: number | null;
  bloqueadaAte: number | null;
  /** Code that stopped it until a person does something. */
  parada: string | null;
  /** Fingerprint of the certificate that it stopped with; null: the certificate is not the reason. */
  paradaCertificado: string | null;
  errosSeguidos: number;
  primeiraEm: number | null;
  ultimaEm: number | null;
  ultimaOkEm: number | null;
  ultimaVaziaEm: number | null;
  ultimoDocumentoEm: number | null;
  ultimaResposta: string | null;
  ultimoMotivo: string | null;
  outroProgramaEm: number | null;
  bloqueios: number;
  documentos: number;
}
