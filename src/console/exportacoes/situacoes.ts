/** Where a document stands, seen by who books it: what is valid, and what must not be taken for it. */
import { tabela } from '../../fiscal/tabela.ts';
import { STATUS_DOCUMENTO } from '../../fiscal/tipos.ts';
import type { Documento } from '../documentos/apresentar.ts';

/** Folder inside a ZIP, and what lies in it, in words (one, many). */
export interface Situacao {
  /** `` for what is valid: it lies where the pattern says. */
  pasta: string;
  um: string;
  muitos: string;
}

const VALIDA: Situacao = { pasta: '', um: 'documento autorizado', muitos: 'documentos autorizados' };

const OUTRAS: Readonly<Record<string, Situacao>> = tabela({
  Cancelada: { pasta: 'Canceladas', um: 'documento cancelado', muitos: 'documentos cancelados' },
  Denegada: { pasta: 'Denegadas', um: 'documento denegado', muitos: 'documentos denegados' },
  Pendente: {
    pasta: 'Sem protocolo',
    um: 'documento sem protocolo de autorização',
    muitos: 'documentos sem protocolo de autorização',
  },
  Inutilizada: {
    pasta: 'Inutilizadas',
    um: 'inutilização de numeração',
    muitos: 'inutilizações de numeração',
  },
});

const DE_TESTE: Situacao = {
  pasta: 'Homologacao',
  um: 'documento de homologação, sem valor fiscal',
  muitos: 'documentos de homologação, sem valor fiscal',
};

const DE_OUTRO_STATUS: Situacao = {
  pasta: 'Outras',
  um: 'documento de outra situação',
  muitos: 'documentos de outra situação',
};

/** In the order in which they are told; the valid ones first. */
export const SITUACOES: readonly Situacao[] = [VALIDA, ...Object.values(OUTRAS), DE_TESTE, DE_OUTRO_STATUS];

/** A status that is not known is none of the valid ones. */
export function situacaoDe({ status, homologacao }: Pick<Documento, 'status' | 'homologacao'>): Situacao {
  if (homologacao) return DE_TESTE;
  return status === STATUS_DOCUMENTO.autorizada ? VALIDA : (OUTRAS[status] ?? DE_OUTRO_STATUS);
}

export const ehValida = (situacao: Situacao) => situacao.pasta === '';
