/** Proofs and their shortcomings as rows keep them: a place in the list of words, and one bit for each shortcoming. */
import { FALHA_DE_PROVA, type FalhaDeProva, PROVAS, type Prova } from '../../fiscal/tipos.ts';

/** Each at its bit; only append. */
const FALHAS: readonly FalhaDeProva[] = Object.values(FALHA_DE_PROVA);

export function writeProva(prova: Prova): number {
  return PROVAS.indexOf(prova);
}

/** What was not judged yet is worth no more than what it says. */
export function readProva(guardada: number | null): Prova {
  return PROVAS[guardada ?? 0] ?? 'declarada';
}

export function writeFalhas(falhas: readonly FalhaDeProva[]): number {
  return falhas.reduce((bits, falha) => bits | (1 << FALHAS.indexOf(falha)), 0);
}

/** In the order of the list. */
export function readFalhas(bits: number): FalhaDeProva[] {
  return FALHAS.filter((_, at) => (bits & (1 << at)) !== 0);
}
