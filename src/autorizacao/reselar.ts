/** A rotation of the master key: the keys of this area are put under the newest one. */
import type { Trx } from '../banco/tabelas.ts';
import { type MasterVault, UnsealError } from '../platform/crypto/cofre.ts';
import * as queries from './queries-reselar.ts';

interface Selada {
  kid: string;
  selada: Uint8Array;
}

/**
 * Seals the address keys, the signing keys of the issuer and the seeds of second factors anew. Call it in a write transaction.
 * @returns how many were moved, and which of them no master key opens
 */
export async function resealChavesDaAutorizacao(
  trx: Trx,
  vault: MasterVault,
): Promise<{ movidos: number; naoAbrem: string[] }> {
  const enderecos = await reselar(vault, {
    rows: await queries.findEnderecosSelados(trx),
    context: 'chave_de_endereco',
    update: (row) => queries.updateEnderecoSelado(trx, row),
  });
  const emissor = await reselar(vault, {
    rows: await queries.findChavesDoEmissorSeladas(trx),
    context: 'chave_do_emissor',
    update: (row) => queries.updateChaveDoEmissorSelada(trx, row),
  });
  const totp = await reselar(vault, {
    rows: await queries.findTotpSelados(trx),
    context: 'totp_console',
    update: (row) => queries.updateTotpSelado(trx, row),
  });
  const all = [enderecos, emissor, totp];
  return {
    movidos: all.reduce((sum, { movidos }) => sum + movidos, 0),
    naoAbrem: all.flatMap(({ naoAbrem }) => naoAbrem),
  };
}

async function reselar(
  vault: MasterVault,
  input: { rows: readonly Selada[]; context: string; update: (row: Selada) => Promise<void> },
): Promise<{ movidos: number; naoAbrem: string[] }> {
  const naoAbrem: string[] = [];
  let movidos = 0;
  for (const { kid, selada } of input.rows) {
    if (vault.kidOf(selada) === vault.currentKid()) continue;
    const context = `${input.context}/${kid}`;
    try {
      await input.update({ kid, selada: vault.seal(vault.open(selada, context), context) });
      movidos++;
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      naoAbrem.push(context);
    }
  }
  return { movidos, naoAbrem };
}
