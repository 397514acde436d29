/** What no one may overlook on a sheet, written across each of its pages. */
import type { Marca } from './base/papel.ts';

export interface ContextoDoPdf {
  especie: string;
  /** `Autorizada`, `Cancelada`, `Denegada`, `Pendente` … */
  status: string;
  homologacao: boolean;
  /** Nothing proves that the status is true. */
  naoProvado: boolean;
  titulo: string;
  chave: string;
  /** What a plain sheet says first; null for what is no document (events, numbers given up). */
  resumo: ResumoDoPdf | null;
}

/** As the readers of the vault understood the document when it came. */
export interface ResumoDoPdf {
  numero: string | null;
  serie: string | null;
  /** ISO 8601. */
  emissao: string;
  /** Decimal text with a point. */
  valor: string | null;
  partes: { rotulo: string; nome: string | null; cpfCnpj: string | null }[];
}

const VERMELHO = '#c00000';
const CINZA = '#606060';

const DO_STATUS: Readonly<Record<string, string>> = {
  Cancelada: 'CANCELADA',
  Denegada: 'DENEGADA',
  Inutilizada: 'INUTILIZADA',
  Pendente: 'SEM AUTORIZAÇÃO',
};

/** Marks of a document, from top to bottom. */
export function marcasDe({
  status,
  homologacao,
  naoProvado,
}: Pick<ContextoDoPdf, 'status' | 'homologacao' | 'naoProvado'>): Marca[] {
  const doStatus = DO_STATUS[status];
  return [
    ...(homologacao ? [{ texto: 'SEM VALOR FISCAL', cor: CINZA, tamanho: 64 }] : []),
    ...(doStatus ? [{ texto: doStatus, cor: VERMELHO, tamanho: 90 }] : []),
    // Without any answer of the authority there is nothing to be proven.
    ...(naoProvado && status !== 'Pendente'
      ? [{ texto: 'STATUS NÃO PROVADO', cor: CINZA, tamanho: 36 }]
      : []),
  ];
}
