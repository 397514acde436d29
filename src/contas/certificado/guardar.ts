/**
 * Keeps certificates: private key and chain sealed under a data key of their own, that one under the master key.
 * Both seals are bound to office, client, row and version, so what is moved to another row does not open.
 */

import { randomUUID } from 'node:crypto';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import type { Deps } from '../../deps.ts';
import {
  type MasterVault,
  openEnvelope,
  rewrapKey,
  sealEnvelope,
  UnsealError,
} from '../../platform/crypto/cofre.ts';
import { LOCK, lockFor, lockKey } from '../../platform/db/locks.ts';
import type { CertificadoAberto } from './ler-pfx.ts';
import * as queries from './queries.ts';

/** What a certificate row is known by; what its seals are bound to. */
interface Registro {
  id: string;
  contador_id: number;
  cliente_id: number;
  versao: number;
}

export interface GuardarInput {
  contadorId: number;
  clienteId: number;
  certificado: CertificadoAberto;
  uf: string;
  /** Milliseconds UTC. */
  agora: number;
  /** As in the audit log. */
  autor: string;
}

/** Keeps the certificate of a client; the one before it is emptied. Both are audited. */
export async function keepCertificado(trx: Trx, vault: MasterVault, input: GuardarInput): Promise<void> {
  const { contadorId, clienteId, certificado, agora, autor } = input;
  // Sealed before a change of the master key and stored after it, it would stay under the old one.
  await lockFor(trx, LOCK.chaveMestra, [lockKey(`cliente/${clienteId}`)]);
  const versao = (await queries.findUltimaVersao(trx, clienteId)) + 1;
  const replaced = await queries.retireCertificado(trx, { clienteId, agora });
  const registro = { id: randomUUID(), contador_id: contadorId, cliente_id: clienteId, versao };
  const plain = encode(certificado);
  const { chaveSelada, selado } = sealEnvelope(vault, plain, contextOf(registro));
  plain.fill(0);
  await queries.insertCertificado(trx, {
    ...registro,
    chave_selada: chaveSelada,
    kid: vault.kidOf(chaveSelada),
    selado,
    titular: certificado.titular,
    titular_nome: certificado.titularNome,
    serie: certificado.serie,
    impressao: certificado.impressao,
    uf: input.uf,
    valido_de: certificado.validoDe,
    valido_ate: certificado.validoAte,
    criado_em: agora,
    substituido_em: null,
    avisado_dias: null,
  });
  await auditar(trx, {
    em: agora,
    acao: replaced ? ACAO.certificadoSubstituido : ACAO.certificadoGuardado,
    contadorId,
    autor,
    alvo: `cliente/${clienteId}`,
    detalhe: { certificado: registro.id, versao, impressao: certificado.impressao },
  });
}

/** An opened certificate in the form that TLS and signatures want. */
export interface CertificadoEmUso {
  /** PKCS#8, DER. */
  chave: Buffer;
  /** X.509, DER, the holder's first. */
  cadeia: Buffer[];
}

/**
 * Opens the present certificate of a client.
 * @returns null when the client has none
 * @throws UnsealError when what is stored was altered or moved, after the audit log has been told
 */
export async function adoptCertificado(
  deps: Pick<Deps, 'db' | 'clock'> & { vault: MasterVault },
  input: { contadorId: number; clienteId: number; autor: string },
): Promise<CertificadoEmUso | null> {
  const row = await queries.findVigente(deps.db.read, input);
  if (!row) return null;
  try {
    return openSelado(deps.vault, row);
  } catch (error) {
    await auditarFalha(deps, { row, autor: input.autor, error });
    throw error;
  }
}

/** Rows looked at in one step of the check. */
const STEP = 100;

/** Opens every present certificate once. @returns how many there are, and the ids of those that do not open (audited) */
export async function checkSelos(
  deps: Pick<Deps, 'db' | 'clock'> & { vault: MasterVault },
  input: { autor: string },
): Promise<{ total: number; naoAbrem: string[] }> {
  const naoAbrem: string[] = [];
  let total = 0;
  for await (const row of vigentes(deps.db.read)) {
    total++;
    try {
      openSelado(deps.vault, row);
    } catch (error) {
      naoAbrem.push(row.id);
      await auditarFalha(deps, { row, autor: input.autor, error });
    }
  }
  return { total, naoAbrem };
}

export type Vigente = Awaited<ReturnType<typeof queries.findVigentesAfter>>[number];

/** The present certificate of each client, sealed, some at a time. */
export async function* vigentes(db: Deps['db']['read']): AsyncGenerator<Vigente> {
  for (let depoisDe: string | undefined = ''; depoisDe !== undefined; ) {
    const rows: Vigente[] = await queries.findVigentesAfter(db, { depoisDe, limite: STEP });
    yield* rows;
    depoisDe = rows.length < STEP ? undefined : rows.at(-1)?.id;
  }
}

/** One step of a rotation: rows after an id, in a write transaction of their own. */
interface PassoDaReselagem {
  movidos: number;
  /** Ids of rows that no master key opens: they stay as they are, and the older keys with them. */
  naoAbrem: string[];
  /** Where the next step goes on; null: there is nothing left. */
  depoisDe: string | null;
}

/** Puts data keys that are under an older master key under the newest one. Call it in a write transaction. */
export async function resealCertificados(
  trx: Trx,
  vault: MasterVault,
  input: { depoisDe: string; limite: number },
): Promise<PassoDaReselagem> {
  const kid = vault.currentKid();
  const rows = await queries.findSobOutraChave(trx, { kid, ...input });
  const naoAbrem: string[] = [];
  for (const row of rows) {
    const chaveSelada = rewrapped(vault, row);
    if (chaveSelada) await queries.updateChaveSelada(trx, { id: row.id, chaveSelada, kid });
    else naoAbrem.push(row.id);
  }
  const last = rows.length < input.limite ? undefined : rows.at(-1);
  return { movidos: rows.length - naoAbrem.length, naoAbrem, depoisDe: last?.id ?? null };
}

function rewrapped(
  vault: MasterVault,
  row: Registro & { chave_selada: Uint8Array | null },
): Uint8Array | null {
  try {
    return row.chave_selada && rewrapKey(vault, row.chave_selada, contextOf(row));
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

type RegistroSelado = Registro & { chave_selada: Uint8Array | null; selado: Uint8Array | null };

/** @throws UnsealError when what is stored was altered or moved */
export function openSelado(vault: MasterVault, row: RegistroSelado): CertificadoEmUso {
  if (!row.chave_selada || !row.selado) throw new UnsealError('the sealed parts are missing');
  const envelope = { chaveSelada: row.chave_selada, selado: row.selado };
  return decode(openEnvelope(vault, envelope, contextOf(row)));
}

async function auditarFalha(
  deps: Pick<Deps, 'db' | 'clock'>,
  { row, autor, error }: { row: Registro; autor: string; error: unknown },
): Promise<void> {
  if (!(error instanceof UnsealError)) return;
  await deps.db.write.transaction().execute((trx) =>
    auditar(trx, {
      em: deps.clock.now(),
      acao: ACAO.certificadoNaoAbre,
      contadorId: row.contador_id,
      autor,
      alvo: `cliente/${row.cliente_id}`,
      detalhe: { certificado: row.id, versao: row.versao },
    }),
  );
}

function contextOf({ id, contador_id, cliente_id, versao }: Registro): string {
  return `certificado/${contador_id}/${cliente_id}/${id}/${versao}`;
}

/** Length of the key and of every certificate, 4 bytes each, before it. */
function encode({ chave, cadeia }: CertificadoAberto): Buffer {
  return Buffer.concat(
    [chave, ...cadeia].flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}

function decode(plain: Buffer): CertificadoEmUso {
  const parts: Buffer[] = [];
  for (let at = 0; at < plain.length; ) {
    const length = plain.readUInt32BE(at);
    parts.push(plain.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const [chave, ...cadeia] = parts;
  if (!chave) throw new Error('a sealed certificate holds no key');
  return { chave, cadeia };
}
