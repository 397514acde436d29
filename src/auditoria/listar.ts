import type { Db } from '../banco/tabelas.ts';
import * as queries from './queries.ts';

/** A row of the audit log for people. */
export interface RegistroDeAuditoria {
  n: number;
  /** Milliseconds UTC. */
  em: number;
  acao: string;
  contadorId: number | null;
  autor: string;
  alvo: string;
  detalhe: Record<string, unknown>;
}

/** The newest rows, oldest of them first; of one office when `contadorId` is not null. */
export async function listAuditoria(
  db: Db,
  input: { contadorId: number | null; limite: number },
): Promise<RegistroDeAuditoria[]> {
  const rows = await queries.findUltimosRegistros(db, input);
  return rows.reverse().map(({ n, em, acao, contador_id, autor, alvo, detalhe }) => ({
    n,
    em,
    acao,
    contadorId: contador_id,
    autor,
    alvo,
    detalhe: JSON.parse(detalhe) as Record<string, unknown>,
  }));
}
