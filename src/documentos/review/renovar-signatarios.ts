/**
 * Judges signers of stored documents anew once there are other authorities. Only chains that were not found are looked for
 * again: a certificate that was proven stays so. First the certificates, of which there are few; then a walk over all
 * versions, by number, for those that carry one that came to another result, and for those whose own row says what their
 * signer is worth. It goes on with versions that come later, since these may have been read before the authorities came.
 * All in small steps, each of which leaves on disk how far it has come: whoever is killed goes on there, and several
 * processes take turns.
 */

import type { Deps } from '../../deps.ts';
import { signatarioDoCertificado } from '../../fiscal/assinatura/signatario.ts';
import type { Autoridades } from '../../fiscal/certificado/autoridades.ts';
import type { Signatario } from '../../fiscal/tipos.ts';
import { isDatabasePassing } from '../../platform/db/faults.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { escreverSignatario, LETRA_DE_DESCONHECIDA } from '../lean/signatario-guardado.ts';
import { conteudoOriginal } from '../read/feed.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-renovacao.ts';

/** Certificates of one step: each is read, and its chain calculated, in a third of a millisecond. */
const CERTIFICADOS = 50;
/** Versions of one step that are only looked at. */
const VERSOES = 500;
/** How many of these are read again from their bytes, or handed on as changed. */
const RELIDAS = 20;
const MUDADAS = 100;
/** PostgreSQL gives out numbers before rows are committed: one that is lower may still come. */
const ASSENTADAS_APOS_MS = 10_000;

export interface DepsDaRenovacao extends Pick<Deps, 'db' | 'clock'> {
  /** Reads a document anew. @returns what its signer is worth now; null where it has none that can be read */
  reler(bytes: Uint8Array): Promise<Signatario | null>;
  /** Told, in the transaction that writes it, of versions whose signer is worth something else now; some may be gone. */
  aoMudar?(trx: Trx, versaoIds: readonly number[]): Promise<void>;
}

/** The authorities to judge with. */
interface ConjuntoDeAutoridades {
  /** Other authorities have another one; never empty. */
  id: string;
  abrir(): Autoridades;
}

/** Does one step. @returns whether there is more to do now */
export async function renewStep(deps: DepsDaRenovacao, conjunto: ConjuntoDeAutoridades): Promise<boolean> {
  const { id: autoridades } = conjunto;
  const certificados = await queries.findCertificadosAProcurar(deps.db.read, {
    autoridades,
    limite: CERTIFICADOS,
  });
  if (certificados.length > 0) {
    await procurar(deps, { certificados, conjunto });
    return true;
  }
  const renovacao = await queries.findRenovacao(deps.db.read);
  if (renovacao?.autoridades === autoridades) return reverVersoes(deps, renovacao);
  await inLine(deps, (trx) => queries.writeRenovacao(trx, { autoridades, versaoApos: 0, mudadosAte: 0 }));
  return true;
}

/** One step of one process at a time. */
function inLine<T>({ db }: Pick<Deps, 'db'>, act: (trx: Trx) => Promise<T>): Promise<T> {
  return db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.renovacao);
    return act(trx);
  });
}

async function procurar(
  deps: DepsDaRenovacao,
  input: { certificados: readonly queries.CertificadoAProcurar[]; conjunto: ConjuntoDeAutoridades },
): Promise<void> {
  const { id: autoridades } = input.conjunto;
  const judge = input.conjunto.abrir();
  const found = input.certificados.map(({ id, texto, signatario }) => {
    const now = signatarioDoCertificado(texto, judge);
    const written = now && escreverSignatario(now);
    return {
      id,
      signatario: written,
      autoridades: now?.cadeia === 'desconhecida' ? autoridades : null,
      ...(written === signatario ? {} : { renovado: autoridades }),
    };
  });
  await inLine(deps, async (trx) => {
    // Who stores a document with one of them holds its row up to its commit: it is among the versions then.
    for (const row of found) await queries.writeSignatarioDoCertificado(trx, row);
    if (!found.some(({ renovado }) => renovado)) return;
    const mudadosAte = await queries.findUltimaVersao(trx);
    await queries.writeRenovacao(trx, { autoridades, versaoApos: 0, mudadosAte });
  });
}

interface Revista {
  id: number;
  /** Another text for the version's own row; absent: its certificate's row says it. */
  signatario?: string | null;
}

/** @returns whether there are more versions that can be looked at now */
async function reverVersoes(deps: DepsDaRenovacao, renovacao: queries.Renovacao): Promise<boolean> {
  const { autoridades, versao_apos: depoisDe, mudados_ate: mudadosAte } = renovacao;
  const page = await queries.findVersoesARever(deps.db.read, { depoisDe, limite: VERSOES });
  const settled = deps.clock.now() - ASSENTADAS_APOS_MS;
  const mudadas: Revista[] = [];
  let [relidas, versaoApos] = [0, depoisDe];
  for (const row of page) {
    if (row.importado_em > settled || relidas === RELIDAS || mudadas.length === MUDADAS) break;
    if (isOpen(row)) {
      relidas += 1;
      const revista = await reread(deps, row);
      if (revista) mudadas.push(revista);
    } else if (row.id <= mudadosAte && followsCertificate(row) && row.certificado_renovado === autoridades) {
      mudadas.push({ id: row.id });
    }
    versaoApos = row.id;
  }
  if (versaoApos === depoisDe) return false;
  await inLine(deps, async (trx) => {
    const now = await queries.findRenovacao(trx);
    // Another process was quicker.
    if (now?.autoridades !== autoridades || now.versao_apos !== depoisDe) return;
    await escrever(deps, trx, mudadas);
    await queries.writeRenovacao(trx, { autoridades, versaoApos, mudadosAte: now.mudados_ate });
  });
  return true;
}

async function escrever(deps: DepsDaRenovacao, trx: Trx, mudadas: readonly Revista[]): Promise<void> {
  if (mudadas.length === 0) return;
  for (const { id, signatario } of mudadas)
    if (signatario !== undefined) await queries.writeSignatarioDaVersao(trx, { id, signatario });
  await deps.aoMudar?.(
    trx,
    mudadas.map(({ id }) => id),
  );
}

/** Its signer is what its certificate, kept apart, is said to be worth. */
function followsCertificate(row: queries.VersaoARever): boolean {
  return row.signatario === null && row.assinatura_titular !== null && row.certificado_id !== null;
}

/** Its own row has to say what its signer is worth, and does not, or says that the chain was not found. */
function isOpen({ signatario, assinatura_titular, certificado_id }: queries.VersaoARever): boolean {
  return signatario === null
    ? assinatura_titular !== null && certificado_id === null
    : signatario.startsWith(LETRA_DE_DESCONHECIDA);
}

/** @returns null where it is worth the same as before, or cannot be read: `verificar` tells of damage */
async function reread(deps: DepsDaRenovacao, row: queries.VersaoARever): Promise<Revista | null> {
  const { id, assinatura_titular, certificado_signatario } = row;
  const original = await conteudoOriginal(deps.db.read, { versaoId: id }).catch((error: unknown) => {
    if (isDatabasePassing(error)) throw error;
    return null;
  });
  const signatario = original && (await deps.reler(original.bytes));
  if (!signatario) return null;
  const written = escreverSignatario(signatario);
  if (written === row.signatario) return null;
  const isKept = assinatura_titular !== null && written === certificado_signatario;
  return { id, signatario: isKept ? null : written };
}
