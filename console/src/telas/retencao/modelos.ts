import { nomeDoModelo } from '../../partes/nomes.ts';

/** Models with a term of their own. */
export const MODELOS = ['55', '65', '57', '67', '64', '59', 'NFSe', '62', '66', '75', '76', '77'];

/** With the number by which rules and terms call it; `*` stands for the rest. */
export function modeloPorExtenso(modelo: string): string {
  if (modelo === '*') return 'Todos os outros';
  return /^\d+$/.test(modelo) ? `${nomeDoModelo(modelo)} (${modelo})` : nomeDoModelo(modelo);
}
