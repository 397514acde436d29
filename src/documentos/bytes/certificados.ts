/**
 * The certificates that documents are stored without (`conteudo.ts`): each once for an office, with the number of
 * documents that need it. With the last of these it is deleted, since it names people and companies.
 */
import type { Signatario, VeredictoAssinatura } from '../../fiscal/tipos.ts';
import { escreverSignatario } from '../lean/signatario-guardado.ts';
import type { CertificadoCortado, Trx } from '../tipos.ts';
import { textoDe } from './certificado-cortado.ts';
import { readHash, writeHash } from './hash-guardado.ts';
import * as queries from './queries-certificados.ts';

export interface CertificadoDoDocumento {
  /** null: the document has none. */
  certificado: CertificadoCortado | null;
  /** Whom it names, as far as that was read. */
  titular: string | null;
  /** What it is worth; null: it cannot be read. Absent: nobody has looked. */
  signatario?: Signatario | null;
}

export interface CertificadoGuardado {
  id: number;
  titular: string | null;
  /** As `signatario-guardado.ts` writes it. */
  signatario: string | null;
}

/** `certificado_de_documento.autoridades` of one whose chain is to be looked for. */
const A_PROCURAR = '';

/** `versao.assinatura_titular`: the one whom the certificate of the version's bytes names. */
export const TITULAR_DO_CERTIFICADO = '';

/** What is kept of the certificates of a batch. */
export class CertificadosGuardados {
  readonly #porHash = new Map<string, CertificadoGuardado>();

  add(sha256: string, guardado: CertificadoGuardado): void {
    this.#porHash.set(sha256, guardado);
  }

  /** @returns null of null. @throws for one that was not kept: a document would lose its certificate */
  of(certificado: CertificadoCortado | null): CertificadoGuardado | null {
    const guardado = certificado === null ? null : this.#porHash.get(certificado.sha256);
    if (guardado === undefined) throw new Error('a certificate was not kept');
    return guardado;
  }
}

/**
 * Keeps the certificate of each document that is about to be stored.
 * @param input.certificados one for each document
 */
export async function keepCertificados(
  trx: Trx,
  input: { contadorId: number; certificados: readonly CertificadoDoDocumento[] },
): Promise<CertificadosGuardados> {
  const porHash = new Map<string, { texto: string; titular: string | null; usos: number } & Visto>();
  for (const { certificado, titular, signatario } of input.certificados) {
    if (certificado === null) continue;
    const row = porHash.get(certificado.sha256);
    if (!row) {
      const texto = textoDe(certificado);
      porHash.set(certificado.sha256, { texto, titular, usos: 1, ...vistoAs(signatario) });
    } else {
      row.titular ??= titular;
      if (row.signatario === null && signatario) Object.assign(row, vistoAs(signatario));
      row.usos += 1;
    }
  }
  const linhas: Parameters<typeof queries.addUsos>[1][number][] = [];
  // In one order for every writer, so that two of them cannot wait for each other.
  for (const sha256 of [...porHash.keys()].sort()) {
    const row = porHash.get(sha256);
    if (row) linhas.push({ contador_id: input.contadorId, sha256: writeHash(sha256), ...row });
  }
  const guardados = new CertificadosGuardados();
  for (const { sha256, id, titular, signatario } of await queries.addUsos(trx, linhas))
    guardados.add(readHash(sha256), { id, titular, signatario });
  return guardados;
}

interface Visto {
  signatario: string | null;
  autoridades: string | null;
}

/** How a certificate is kept that was seen so: one whose chain was not found, or that nobody looked at, is looked at again. */
function vistoAs(signatario: Signatario | null | undefined): Visto {
  const open = signatario === undefined || signatario?.cadeia === 'desconhecida';
  return {
    signatario: signatario ? escreverSignatario(signatario) : null,
    autoridades: open ? A_PROCURAR : null,
  };
}

/** What is written of a version's signer: nothing where its certificate is kept, and is kept as worth the same. */
export function enxugarSignatario(
  { signatario, titular }: VeredictoAssinatura,
  certificado: CertificadoGuardado | null,
): string | null {
  if (!signatario) return null;
  const written = escreverSignatario(signatario);
  return titular !== null && certificado?.signatario === written ? null : written;
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
export async function releaseCertificados(trx: Trx, ids: readonly (number | null)[]): Promise<void> {
  const usados = ids.filter((id) => id !== null).sort((a, b) => a - b);
  for (const [id, iguais] of Map.groupBy(usados, (usado) => usado)) {
    await queries.subtractUsos(trx, { id, usos: iguais.length });
  }
}
