import type { Modelo, Papel } from './tipos.ts';

export const DIRECOES = ['Entrada', 'Saida'] as const;
/** Whether goods or services come to somebody or leave them. */
export type Direcao = (typeof DIRECOES)[number];

/** In a transport document only these buy or sell the service; the others' goods are carried. */
const DE_TRANSPORTE: ReadonlySet<Modelo> = new Set(['57', '64', '67']);
const DE_QUEM_EMITE: ReadonlySet<Papel> = new Set(['emitente', 'prestador']);

/**
 * Which way a document goes for one who takes part in it. A note of entry (`tpNF` 0) is written by who receives: it is an
 * entry of its issuer, and what the other party sent.
 * @returns null for who neither gives nor receives: a carrier of goods, an intermediary, somebody who may only read
 * @fonte MOC 7.0 Anexo I, campo tpNF
 */
export function direcaoDe(input: { modelo: Modelo; papel: Papel; tpNF: string | null }): Direcao | null {
  const deEntrada = input.tpNF === '0';
  if (DE_QUEM_EMITE.has(input.papel)) return deEntrada ? 'Entrada' : 'Saida';
  const recebe =
    input.papel === 'tomador' || (input.papel === 'destinatario' && !DE_TRANSPORTE.has(input.modelo));
  if (!recebe) return null;
  return deEntrada ? 'Saida' : 'Entrada';
}
