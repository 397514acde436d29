/** Offices on a bench. Setting up is no part of judging: it may use the product's own functions. */
import { createEscritorio } from '../support/malote.ts';
import type { Escritorio } from './sonda.ts';

export async function criarEscritorio(
  env: Record<string, string>,
  input: { crm: string; clientes: readonly string[] },
): Promise<Escritorio> {
  const { codigoCrm, token } = await createEscritorio(env.MALOTE_DATA ?? '', input);
  return { codigoCrm, token };
}
