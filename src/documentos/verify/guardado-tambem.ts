/**
 * Whether bytes that belong to nothing are in the vault with some document too. A row may have lost what points to it, and they
 * are the only copy then: before they are deleted, each document in them is looked for.
 */
import { joinCertificado } from '../bytes/certificado-cortado.ts';
import { openBloco, sha256De, tryDescomprimir, tryLer } from '../bytes/conteudo.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-reparar.ts';

/** @returns false also where they cannot be read: nobody knows then what they were */
export async function conteudoGuardadoTambem(
  trx: Trx,
  solto: Parameters<typeof tryLer>[0],
): Promise<boolean> {
  if (solto.bytes?.length === 0) return true;
  const bytes = tryLer(solto);
  return bytes !== null && algumaGuardada(trx, [sha256De(bytes)]);
}

/** The same of all documents that are left in a block. A part says nothing of its certificate, which may be any of the office. */
export async function blocoGuardadoTambem(
  trx: Trx,
  bloco: { contador_id: number; bytes: Uint8Array },
): Promise<boolean> {
  const partes = partesDe(bloco.bytes);
  if (partes === null) return false;
  const certificados = await queries.findTextosDeCertificados(trx, bloco.contador_id);
  for (const parte of partes) {
    if (parte.length === 0) continue;
    const candidatas = [parte, ...certificados.flatMap((texto) => comCertificado(parte, texto))];
    if (!(await algumaGuardada(trx, candidatas.map(sha256De)))) return false;
  }
  return true;
}

/** Copies: what is looked up meanwhile opens other blocks. */
function partesDe(bytes: Uint8Array): Buffer[] | null {
  try {
    return openBloco(bytes).map((parte) => Buffer.from(parte));
  } catch {
    return null;
  }
}

function comCertificado(parte: Buffer, texto: string): Buffer[] {
  try {
    return [joinCertificado(parte, texto)];
  } catch {
    return [];
  }
}

/** Whether one of these is the hash of a version whose bytes are there and whole. */
async function algumaGuardada(trx: Trx, sha256s: readonly string[]): Promise<boolean> {
  const versoes = await queries.findComSoma(trx, sha256s);
  return versoes.some((versao) => tryDescomprimir(versao, versao.sha256) !== null);
}
