/** What an attack is: what one file, one token or one stranger does to a running service, while others go on with their work. */
import type { NomeDoMotor } from '../confiabilidade/motores.ts';
import type { Campo } from './campo.ts';

/** What an attack has found. */
export interface Achado {
  /** pt-BR: what was done, how many times. */
  feito: string;
  /** pt-BR: what was measured. */
  medido: string;
  /** pt-BR: what of the attack's own rules did not hold. */
  faltas: string[];
  /** Genuine documents in whose place another is served, or whose status a forgery changed without a mark. Default 0. */
  substituidas?: number;
}

export interface Ataque {
  /** As `--so` takes it. */
  nome: string;
  /** pt-BR, one line. */
  titulo: string;
  motores: readonly NomeDoMotor[];
  /** Engines of the short form, where the others say nothing new. Default: all. */
  motoresCurtos?: readonly NomeDoMotor[];
  /** It has a PostgreSQL server of its own, which it may stop. */
  comServidorProprio?: true;
  /**
   * Makes what is sent, and puts into the vault what has to be there. What others wait for is measured from then on.
   * @returns the attack itself, bounded in requests and in time
   */
  preparar(campo: Campo): Promise<() => Promise<Achado>>;
}

const UNIDADE = 1_000_000;

export function megabytes(bytes: number): string {
  return `${(bytes / UNIDADE).toFixed(bytes < UNIDADE * 10 ? 1 : 0).replace('.', ',')} MB`;
}
