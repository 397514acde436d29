import type { Db } from '../../banco/tabelas.ts';
import { ufByCode } from '../../fiscal/uf.ts';
import { findCodigoDeUf } from './queries-clientes.ts';

/** The state that a client is probably in, so that nobody has to look it up; null where nothing tells. */
export async function ufProvavel(
  db: Db,
  input: { contadorId: number; cpfCnpj: string },
): Promise<string | null> {
  const { codigo, sigla } = await findCodigoDeUf(db, input);
  return codigo === null ? sigla : (ufByCode(codigo)?.sigla ?? null);
}
