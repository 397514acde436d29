/**
 * Rotation of the master key while the server runs. A new key is put before the old one in the key file; every
 * process sees that at its next use. Then, step by step, everything sealed is put under the new key; then the old
 * key is forgotten. Killed at any point, both keys are there and everything opens; the next run goes on.
 *
 * Nothing can be sealed with the old key behind the back of the rotation: whoever seals looks at the key file inside
 * its write transaction, and the steps here are write transactions that begin after the file was changed.
 */
import { ACAO, auditar } from '../auditoria/auditar.ts';
import { resealChavesDaAutorizacao } from '../autorizacao/reselar.ts';
import { resealCertificados } from '../contas/certificado/guardar.ts';
import { addMasterKey, forgetOldMasterKeys } from '../platform/crypto/chaves-mestras.ts';
import type { MasterVault } from '../platform/crypto/cofre.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { failpoint } from '../platform/failpoint.ts';
import { type DepsDoComando, openCofreDe } from './deps.ts';
import * as queries from './queries-chave-mestra.ts';
import { FalhaDoComando } from './saida.ts';

/** Rows of one step: short enough that uploads do not wait for it. */
const STEP = 100;

interface Rotacao {
  /** Name of the key that everything is under now. */
  kid: string;
  /** Keys and certificates that were moved. */
  movidos: number;
  /** What no key opens. While there is any, the older keys stay. */
  naoAbrem: string[];
  /** Names of keys that were forgotten. */
  aposentadas: string[];
}

/**
 * Makes a new master key and puts everything under it, or finishes a rotation that was interrupted.
 * @throws FalhaDoComando when the key comes from a setting that holds only one
 */
export async function rotateChaveMestra(deps: DepsDoComando): Promise<Rotacao> {
  const vault = await openCofreDe(deps);
  if (vault.keys.file === null && vault.keys.current().length === 1) {
    throw new FalhaDoComando(
      'chave_mestra_na_configuracao',
      'A chave mestra vem de MALOTE_CHAVE_MESTRA. Ponha nela a chave nova e a atual, separadas por vírgula e a nova primeiro, reinicie o servidor e repita o comando.',
    );
  }
  const kid = await beginRotation(deps, vault);
  const { movidos, naoAbrem } = await resealTudo(deps, vault);
  if (naoAbrem.length > 0) return { kid, movidos, naoAbrem, aposentadas: [] };
  const aposentadas = await endRotation(deps, vault, { kid, movidos });
  return { kid, movidos, naoAbrem, aposentadas };
}

/** Under the writer's lock, so that two rotations at once make one key. */
function beginRotation(deps: DepsDoComando, vault: MasterVault): Promise<string> {
  return deps.db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.chaveMestra);
    if (vault.keys.file !== null && vault.keys.current().length === 1) addMasterKey(vault.keys);
    failpoint('chave_mestra_no_arquivo');
    const agora = deps.clock.now();
    const kid = vault.currentKid();
    for (const known of vault.keys.current().slice(1))
      await queries.insertChaveMestra(trx, { kid: known.kid, criada_em: agora });
    if (await queries.insertChaveMestra(trx, { kid, criada_em: agora }))
      await audit(trx, deps, { acao: ACAO.chaveMestraNova, kid });
    return kid;
  });
}

async function resealTudo(
  deps: DepsDoComando,
  vault: MasterVault,
): Promise<{ movidos: number; naoAbrem: string[] }> {
  const total = await deps.db.write.transaction().execute((trx) => resealChavesDaAutorizacao(trx, vault));
  for (let depoisDe: string | null = ''; depoisDe !== null; ) {
    const from: string = depoisDe;
    const step = await deps.db.write.transaction().execute(async (trx) => {
      const done = await resealCertificados(trx, vault, { depoisDe: from, limite: STEP });
      failpoint('reselagem_antes_do_commit');
      return done;
    });
    failpoint('reselagem_depois_do_commit');
    total.movidos += step.movidos;
    total.naoAbrem.push(...step.naoAbrem.map((id) => `certificado/${id}`));
    depoisDe = step.depoisDe;
  }
  return total;
}

/** Told first, forgotten then: who dies in between forgets at the next run. */
async function endRotation(
  deps: DepsDoComando,
  vault: MasterVault,
  input: { kid: string; movidos: number },
): Promise<string[]> {
  const old = vault.keys.current().slice(1);
  await deps.db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.chaveMestra);
    await queries.retireChavesMestras(trx, { menos: input.kid, agora: deps.clock.now() });
    await audit(trx, deps, { acao: ACAO.chaveMestraGirada, ...input });
  });
  failpoint('chave_mestra_antes_de_sair');
  if (vault.keys.file !== null) {
    await deps.db.write.transaction().execute(async (trx) => {
      await lockFor(trx, LOCK.chaveMestra);
      // Another rotation may have begun meanwhile: its old key is the one that this one made.
      if (vault.currentKid() === input.kid) forgetOldMasterKeys(vault.keys);
    });
  }
  return old.map(({ kid }) => kid);
}

async function audit(
  trx: Parameters<typeof auditar>[0],
  deps: DepsDoComando,
  input: {
    acao: typeof ACAO.chaveMestraNova | typeof ACAO.chaveMestraGirada;
    kid: string;
    movidos?: number;
  },
): Promise<void> {
  await auditar(trx, {
    em: deps.clock.now(),
    acao: input.acao,
    contadorId: null,
    autor: 'cli',
    alvo: `chave_mestra/${input.kid}`,
    detalhe: input.movidos === undefined ? {} : { movidos: input.movidos },
  });
}
