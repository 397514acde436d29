import type { Papel } from '../../banco/tabelas-console.ts';
import type { Alcance } from '../acesso.ts';

/** Somebody who is logged in. */
export interface Sessao {
  id: number;
  usuario: { id: number; nome: string; email: string; papel: Papel };
  /** The office; every statement of a console route has it as its first column. */
  contadorId: number;
  codigoCrm: string;
  escritorio: string;
  /** Whom papel `cliente`, and an operator with a portfolio, sees; every other statement of a route is bounded by it. */
  alcance: Alcance;
  /** Milliseconds UTC; idle sessions end earlier. */
  expiraEm: number;
  /** What `X-CSRF-Token` must say. */
  csrf: string;
}
