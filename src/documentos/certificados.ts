/**
 * The certificates that documents are stored without (`conteudo.ts`): each once for an office, with the number of
 * documents that need it. With the last of these it is deleted, since it names people and companies.
 */
import { createHash } from 'node:crypto';
import * as queries from './queries-certificados.ts';
import type { Trx } from './tipos.ts';

export interface CertificadoDoDocumento {
  /** null: the document has none. */
  texto: string | null;
  /** Whom it names, as far as that was read. */
  titular: string | null;
}

export interface CertificadoGuardado {
  id: number;
  titular: string | null;
}

/** `versao.assinatura_titular`: the one whom the certificate of the version's bytes names. */
export const TITULAR_DO_CERTIFICADO = '';

/**
 * Keeps the certificate of each document that is about to be stored.
 * @param input.certificados one for each document
 * @returns what is kept of each text, and null of null
 * @throws when asked for a text that it was not given: a document would lose its certificate
 */
export async function guardarCertificados(
  trx: Trx,
  input: { contadorId: number; certificados: readonly CertificadoDoDocumento[] },
): Promise<(texto: string | null) => CertificadoGuardado | null> {
  const porTexto = Map.groupBy(input.certificados, ({ texto }) => texto);
  const porHash = new Map<string, { sha256: Buffer; texto: string; titular: string | null; usos: number }>();
  for (const [texto, iguais] of porTexto) {
    if (texto === null) continue;
    const sha256 = createHash('sha256').update(texto, 'latin1').digest();
    const titular = iguais.find((one) => one.titular !== null)?.titular ?? null;
    porHash.set(sha256.toString('hex'), { sha256, texto, titular, usos: iguais.length });
  }
  // In one order for every writer, so that two of them cannot wait for each other.
  const rows = [...porHash.keys()].sort().flatMap((hash) => porHash.get(hash) ?? []);
  const inserted = await queries.addUsos(
    trx,
    rows.map((row) => ({ contador_id: input.contadorId, ...row })),
  );
  const guardados = new Map<string, CertificadoGuardado>();
  for (const { id, sha256, titular } of inserted) {
    const row = porHash.get(Buffer.from(sha256).toString('hex'));
    if (row) guardados.set(row.texto, { id, titular });
  }
  return (texto) => {
    const guardado = texto === null ? null : guardados.get(texto);
    if (guardado === undefined) throw new Error('a certificate was not kept');
    return guardado;
  };
}

/** What is written of whom a version's certificate names: nothing but that, where it is kept with the certificate. */
export function enxugarTitular(
  titular: string | null,
  certificado: CertificadoGuardado | null,
): string | null {
  if (!titular) return null;
  return certificado?.titular === titular ? TITULAR_DO_CERTIFICADO : titular;
}

/** Documents that were stored without these certificates are gone. @param ids one for each document, null for none */
export async function soltarCertificados(trx: Trx, ids: readonly (number | null)[]): Promise<void> {
  const usados = ids.filter((id) => id !== null).sort((a, b) => a - b);
  for (const [id, iguais] of Map.groupBy(usados, (usado) => usado)) {
    await queries.subtractUsos(trx, { id, usos: iguais.length });
  }
}
