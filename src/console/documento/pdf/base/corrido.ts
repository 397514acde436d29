/** A text as long as it is, in a frame as high as it needs, over as many pages as it takes. */
import { ENTRELINHA, quebrar } from './letras.ts';
import type { Papel } from './papel.ts';

const ACIMA = 9;
const ABAIXO = 3;

/** @param input.seguinte makes the next page and says where it is free. @returns where what follows begins */
export function corrido(
  papel: Papel,
  input: {
    y: number;
    rotulo: string;
    valor: string;
    tamanho?: number;
    /** Height of its frame at least. */
    minima?: number;
    seguinte: () => number;
  },
): number {
  const { rotulo, valor, tamanho = 7.5, minima = 22, seguinte } = input;
  const passo = tamanho * ENTRELINHA;
  const { familia, esquerda: x, largura } = papel;
  let resto = quebrar(valor, { fonte: { familia }, tamanho, largura: largura - 6 });
  let y = input.y;
  do {
    if (y + ACIMA + passo + ABAIXO > papel.fim) y = seguinte();
    const cabem = Math.floor((papel.fim - y - ACIMA - ABAIXO) / passo);
    const linhas = resto.slice(0, cabem);
    const altura = Math.min(papel.fim - y, Math.max(minima, ACIMA + linhas.length * passo + ABAIXO));
    papel.caixa({ x, y, largura, altura }, { rotulo, valor: '' });
    papel.linhas({ linhas, tamanho }, { x: x + 3, y: y + ACIMA, largura: largura - 6 });
    resto = resto.slice(cabem);
    y += altura;
  } while (resto.length > 0);
  return y;
}
