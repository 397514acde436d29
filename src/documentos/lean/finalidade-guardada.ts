/** What a document says it is for, in the form in which its row keeps it: the text only where the code does not tell it. */
import { textoDeFinNFe } from '../../fiscal/nfe/finalidade-nfe.ts';
import type { Documento } from '../../fiscal/tipos.ts';

export interface FinalidadeGuardada {
  finalidade_codigo: string | null;
  /** null: that of finNFe with the same code. */
  finalidade_descricao: string | null;
}

/** For the columns of a row. */
export function writeFinalidade(finalidade: Documento['finalidade']): FinalidadeGuardada {
  if (finalidade === null) return { finalidade_codigo: null, finalidade_descricao: null };
  const { codigo, descricao } = finalidade;
  return {
    finalidade_codigo: codigo,
    finalidade_descricao: descricao === textoDeFinNFe(codigo) ? null : descricao,
  };
}

/** Reads also what was written before: every row with its text. */
export function lerFinalidade(row: FinalidadeGuardada): Documento['finalidade'] {
  const { finalidade_codigo: codigo, finalidade_descricao: descricao } = row;
  return codigo ? { codigo, descricao: descricao ?? textoDeFinNFe(codigo) ?? '' } : null;
}
