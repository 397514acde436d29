/** Runs mutants through both tiers and counts. */
import type { PacoteDeEsquemas } from '../../src/fiscal/esquemas/pacote.ts';
import type { Semente } from '../sementes/todas.ts';
import { Comparador } from './comparar.ts';
import { mutante } from './mutantes.ts';

export interface Falta {
  n: number;
  familia: string;
  feito: string[];
  detalhe: string;
}

export interface Contagem {
  mutantes: number;
  /** Taken by the fast tier. */
  aceitos: number;
  /** Documents in them that are valid by their schema, in both. */
  validos: number;
  /** Intact signatures that libxml2 and OpenSSL confirmed. */
  confirmadas: number;
  /** By change: mutants, and how many of them were taken. */
  porMudanca: Record<string, { mutantes: number; aceitos: number }>;
  faltas: Falta[];
}

/** Faults that are kept: the first say enough. */
const MAX_FAULTS = 50;

export function vazia(): Contagem {
  return { mutantes: 0, aceitos: 0, validos: 0, confirmadas: 0, porMudanca: {}, faltas: [] };
}

function countsOf(total: Contagem, change: string): { mutantes: number; aceitos: number } {
  const counts = total.porMudanca[change] ?? { mutantes: 0, aceitos: 0 };
  total.porMudanca[change] = counts;
  return counts;
}

export function somar(total: Contagem, parte: Contagem): void {
  total.mutantes += parte.mutantes;
  total.aceitos += parte.aceitos;
  total.validos += parte.validos;
  total.confirmadas += parte.confirmadas;
  total.faltas.push(...parte.faltas);
  for (const [name, counts] of Object.entries(parte.porMudanca)) {
    const sum = countsOf(total, name);
    sum.mutantes += counts.mutantes;
    sum.aceitos += counts.aceitos;
  }
}

/**
 * Mutants `de` up to but without `ate`.
 *
 * @param input.confirmarCada every n-th is also checked by programs that are not ours
 */
export function correr(input: {
  semente: string;
  de: number;
  ate: number;
  sementes: readonly Semente[];
  pacotes: readonly PacoteDeEsquemas[];
  confirmarCada: number;
  /** Ends after this time, however many are left. */
  minutos?: number;
  onProgress?: (parte: Contagem) => void;
}): Contagem {
  const comparador = new Comparador(input.pacotes);
  const total = vazia();
  const until = performance.now() + (input.minutos ?? Number.POSITIVE_INFINITY) * 60_000;
  comparador.aquecer(input.sementes);
  try {
    for (let n = input.de; n < input.ate && performance.now() < until; n++) {
      const { nome, familia, bytes, feito } = mutante({ ...input, n });
      const found = comparador.comparar({ bytes, nome }, { confirmar: n % input.confirmarCada === 0 });
      total.mutantes++;
      if (found.aceito) total.aceitos++;
      total.validos += found.validos;
      total.confirmadas += found.confirmadas;
      for (const change of feito) {
        const counts = countsOf(total, change);
        counts.mutantes++;
        if (found.aceito) counts.aceitos++;
      }
      if (found.falta !== null && total.faltas.length < MAX_FAULTS)
        total.faltas.push({ n, familia, feito, detalhe: found.falta });
      input.onProgress?.(total);
    }
  } finally {
    comparador.dispose();
  }
  return total;
}
