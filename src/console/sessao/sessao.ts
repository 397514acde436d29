import type { Papel } from '../../banco/tabelas-console.ts';

/** Somebody who is logged in. */
export interface Sessao {
  id: number;
  usuario: { id: number; nome: string; email: string; papel: Papel };
  /** The office; every statement of a console route has it as its first column. */
  contadorId: number;
  codigoCrm: string;
  escritorio: string;
  /** The one client that papel `cliente` sees; null: every client of the office. */
  clienteId: number | null;
  /** Its CPF or CNPJ; null likewise. */
  cpfCnpj: string | null;
  /** Milliseconds UTC; idle sessions end earlier. */
  expiraEm: number;
  /** What `X-CSRF-Token` must say. */
  csrf: string;
}
