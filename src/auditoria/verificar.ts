import type { Db } from '../banco/tabelas.ts';
import { hashOf } from './auditar.ts';
import * as queries from './queries.ts';

/** Rows read at once. */
const STEP = 1_000;

/** A place where the chain is broken. */
interface QuebraDaAuditoria {
  /** Number of the row that is wrong or missing. */
  n: number;
  codigo: 'registro_alterado' | 'registro_ausente' | 'registro_a_mais' | 'ancora_divergente';
  mensagem: string;
}

interface VerificacaoDaAuditoria {
  registros: number;
  /** End of the log: noted elsewhere, it proves later that nothing before it was rewritten. */
  fim: { n: number; hash: string };
  /** The first break; what follows it cannot be judged by the chain. Null: none. */
  quebra: QuebraDaAuditoria | null;
}

/**
 * Follows the chain from the first row to the end that was noted.
 * @param input.ancora an end that was noted at an earlier time, and must still be part of the chain
 */
export async function verifyAuditoria(
  db: Db,
  input: { ancora?: { n: number; hash: string } } = {},
): Promise<VerificacaoDaAuditoria> {
  const fim = await queries.findFim(db);
  let last = { n: 0, hash: '' };
  const broken = (quebra: QuebraDaAuditoria) => ({ registros: last.n, fim, quebra });
  for (;;) {
    const rows = await queries.findRegistrosAfter(db, { depoisDe: last.n, limite: STEP });
    for (const row of rows) {
      const quebra = faultOf(row, last, fim.n) ?? faultOfAnchor(row, input.ancora);
      if (quebra) return broken(quebra);
      last = { n: row.n, hash: row.hash };
    }
    if (rows.length < STEP) break;
  }
  if (last.n < fim.n) return broken(missing(last.n + 1));
  if (last.hash !== fim.hash) return broken(altered(last.n));
  if (input.ancora && input.ancora.n > last.n) return broken(missing(last.n + 1));
  return { registros: last.n, fim, quebra: null };
}

function faultOf(
  row: Awaited<ReturnType<typeof queries.findRegistrosAfter>>[number],
  before: { n: number; hash: string },
  end: number,
): QuebraDaAuditoria | null {
  if (row.n !== before.n + 1) return missing(before.n + 1);
  if (row.n > end) {
    const mensagem = `O registro ${row.n} está depois do fim anotado (${end}).`;
    return { n: row.n, codigo: 'registro_a_mais', mensagem };
  }
  return row.hash === hashOf(before.hash, row) ? null : altered(row.n);
}

function faultOfAnchor(
  row: { n: number; hash: string },
  ancora: { n: number; hash: string } | undefined,
): QuebraDaAuditoria | null {
  if (row.n !== ancora?.n || row.hash === ancora.hash) return null;
  const mensagem = `O registro ${row.n} não tem o hash anotado: a cadeia até ele foi reescrita.`;
  return { n: row.n, codigo: 'ancora_divergente', mensagem };
}

function missing(n: number): QuebraDaAuditoria {
  return { n, codigo: 'registro_ausente', mensagem: `O registro ${n} foi removido.` };
}

function altered(n: number): QuebraDaAuditoria {
  return { n, codigo: 'registro_alterado', mensagem: `O registro ${n} foi alterado.` };
}
