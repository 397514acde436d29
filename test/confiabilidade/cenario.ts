/** What a scenario is: one row of the reliability plan, in a short form for every change and a long one for releases. */
import type { Violacao } from './julgar.ts';
import type { NomeDoMotor } from './motores.ts';

export interface Contexto {
  motor: NomeDoMotor;
  /** For `npm test`. */
  curta: boolean;
  semente: string;
  /** Kills in the long form, where the scenario counts in them. */
  quedas: number;
  aoAvancar(text: string): void;
}

export interface Relato {
  /** pt-BR: what was done how many times. */
  feito: string;
  /** pt-BR: what was measured. */
  medido: string;
  violacoes: Violacao[];
}

/** A scenario that this machine cannot run. The reason is shown (pt-BR). */
export class Pulado extends Error {}

export interface Cenario {
  /** Number in the plan, such as `R01`. */
  id: string;
  /** pt-BR, one line. */
  titulo: string;
  motores: readonly NomeDoMotor[];
  /** Engines of the short form, where the others say nothing that another test has not said. Default: all. */
  motoresCurtos?: readonly NomeDoMotor[];
  /** @throws Pulado where it cannot run */
  rodar(contexto: Contexto): Promise<Relato>;
}

/** Short or long, whichever is running. */
export function quanto(contexto: Pick<Contexto, 'curta'>, curta: number, longa: number): number {
  return contexto.curta ? curta : longa;
}

export function segundos(ms: number): string {
  return `${(ms / 1000).toFixed(1).replace('.', ',')} s`;
}
