/** The second factor of a user: set up, proven, asked for, given up. */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import type { Deps } from '../../deps.ts';
import type { Vault } from '../../platform/crypto/cofre.ts';
import { codigoTotpInvalido, tentativasDemais, totpInativo, totpJaAtivo } from '../errors.ts';
import {
  codigoLimpo,
  isCodigoTotp,
  novaSemente,
  novosCodigosDeRecuperacao,
  passoDoCodigo,
  presentSemente,
} from './codigos-totp.ts';
import * as queries from './queries-totp.ts';
import { hashDe } from './sessoes.ts';

/** @fonte OWASP ASVS 5.0, 6.5: five tries, then a delay. It doubles with every further one, and never gets longer than this. */
const FREE_TRIES = 5;
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 15 * 60_000;

export type TotpDeps = Pick<Deps, 'db' | 'clock'> & { vault: Vault };

/** Whose second factor it is. */
interface DonoDoTotp {
  contadorId: number;
  usuarioId: number;
}

/** Binds the sealed seed to its row. */
export const contextoDoTotp = (usuarioId: number) => `totp_console/${usuarioId}`;

/** Makes a seed, which counts only after its first code. @throws totp_ja_ativo */
export async function prepareTotp(
  deps: TotpDeps,
  input: DonoDoTotp & { email: string },
): Promise<{ segredo: string; uri: string; qrSvg: string }> {
  const { contadorId, usuarioId, email } = input;
  const semente = novaSemente();
  await deps.db.write.transaction().execute(async (trx) => {
    const selada = deps.vault.seal(semente, contextoDoTotp(usuarioId));
    if (!(await queries.upsertTotpNovo(trx, { usuario_id: usuarioId, contador_id: contadorId, selada })))
      throw totpJaAtivo();
  });
  return presentSemente(semente, { email });
}

/**
 * Proves a seed with its first code: from here on it is asked for.
 * @returns the recovery codes, shown this once
 * @throws totp_ja_ativo, totp_inativo when none was prepared, codigo_totp_invalido, tentativas_demais
 */
export async function confirmTotp(
  deps: TotpDeps,
  input: DonoDoTotp & { codigo: string; autor: string },
): Promise<string[]> {
  const { contadorId, usuarioId, autor } = input;
  const known = await queries.findTotp(deps.db.read, usuarioId);
  if (!known) throw totpInativo();
  if (known.confirmado_em !== null) throw totpJaAtivo();
  const codigos = await deps.db.write.transaction().execute(async (trx) => {
    const verdict = await tryCodigo(trx, deps, { usuarioId, codigo: input.codigo });
    if (verdict !== 'certo') return verdict;
    const fresh = await replaceCodigos(trx, input);
    await auditar(trx, {
      em: deps.clock.now(),
      acao: ACAO.totpAtivado,
      contadorId,
      autor,
      alvo: `usuario/${usuarioId}`,
    });
    return fresh;
  });
  return requireRight(codigos, deps.clock.now());
}

/** New recovery codes in place of those that are left. @throws totp_inativo */
export async function renewCodigos(deps: TotpDeps, input: DonoDoTotp & { autor: string }): Promise<string[]> {
  const { contadorId, usuarioId, autor } = input;
  return deps.db.write.transaction().execute(async (trx) => {
    if ((await queries.findTotp(trx, usuarioId))?.confirmado_em == null) throw totpInativo();
    const em = deps.clock.now();
    await auditar(trx, { em, acao: ACAO.codigosRenovados, contadorId, autor, alvo: `usuario/${usuarioId}` });
    return replaceCodigos(trx, input);
  });
}

/** Gives the second factor up. Call it in a write transaction; nothing happens where there is none. */
export async function removeTotp(
  trx: Trx,
  input: DonoDoTotp & { autor: string; agora: number },
): Promise<void> {
  const { contadorId, usuarioId, autor, agora } = input;
  const known = await queries.findTotp(trx, usuarioId);
  await queries.deleteTotp(trx, usuarioId);
  await queries.deleteCodigos(trx, usuarioId);
  await queries.deleteDesafios(trx, usuarioId);
  if (known?.confirmado_em == null) return;
  await auditar(trx, { em: agora, acao: ACAO.totpRemovido, contadorId, autor, alvo: `usuario/${usuarioId}` });
}

/** What became of a try. */
export type Tentativa = 'certo' | 'errado' | { esperarAte: number };

/**
 * Judges a one-time or recovery code and uses it up. The transaction must commit whatever the verdict is: the count of
 * tries is part of it.
 */
export async function tryCodigo(
  trx: Trx,
  deps: TotpDeps,
  { usuarioId, codigo }: { usuarioId: number; codigo: string },
): Promise<Tentativa> {
  const agora = deps.clock.now();
  const plain = codigo.replace(/[\s-]/g, '');
  if (!isCodigoTotp(plain)) {
    const right = await queries.spendCodigo(trx, { usuarioId, hash: hashDe(codigoLimpo(codigo)) });
    return right ? 'certo' : 'errado';
  }
  const row = await queries.countTry(trx, { usuarioId, agora, ateNoMaximo: agora + LONGEST_DELAY_MS });
  if (!row) return { esperarAte: (await queries.findTotp(trx, usuarioId))?.bloqueado_ate ?? agora };
  const semente = deps.vault.open(row.selada, contextoDoTotp(usuarioId));
  const passo = passoDoCodigo(semente, { codigo: plain, agora });
  semente.fill(0);
  if (passo !== null && passo > row.ultimo_passo) {
    await queries.markPasso(trx, { usuarioId, passo, confirmadoEm: row.confirmado_em ?? agora });
    return 'certo';
  }
  const over = row.falhas - FREE_TRIES;
  if (over >= 0) {
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(over, 10));
    await queries.holdUp(trx, { usuarioId, ate: agora + delay });
  }
  return 'errado';
}

/** Passes on what came of a right code. @throws codigo_totp_invalido, tentativas_demais */
function requireRight<T extends string[] | 'certo'>(
  verdict: T | 'errado' | { esperarAte: number },
  agora: number,
): T {
  if (verdict === 'errado') throw codigoTotpInvalido();
  if (typeof verdict === 'object' && 'esperarAte' in verdict)
    throw tentativasDemais(Math.max(1, Math.ceil((verdict.esperarAte - agora) / 1000)));
  return verdict as T;
}

async function replaceCodigos(trx: Trx, { contadorId, usuarioId }: DonoDoTotp): Promise<string[]> {
  const codigos = novosCodigosDeRecuperacao();
  await queries.deleteCodigos(trx, usuarioId);
  const hashes = codigos.map((codigo) => hashDe(codigoLimpo(codigo)));
  await queries.insertCodigos(trx, { contadorId, usuarioId, hashes });
  return codigos;
}
