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
}: Omit<ContextoDoPdf, 'titulo' | 'chave' | 'especie'>): Marca[] {
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
