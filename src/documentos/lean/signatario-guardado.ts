/**
 * A signer in the form in which rows keep it: letter of the chain, CPF or CNPJ (`-`: none), first and last second of the
 * certificate, then those of its authorities where the chain leads to a root; seconds in base 36, all with a blank between.
 */
import type { CpfCnpj, Periodo, Signatario } from '../../fiscal/tipos.ts';

const LETRAS = { icp_brasil: 'i', sat: 's', desconhecida: 'd', invalida: 'f' } as const satisfies Record<
  Signatario['cadeia'],
  string
>;
const CADEIAS = new Map(
  Object.entries(LETRAS).map(([cadeia, letra]) => [letra as string, cadeia as Signatario['cadeia']]),
);
/** How signers begin whose chain was not found. */
export const LETRA_DE_DESCONHECIDA: string = LETRAS.desconhecida;
const NINGUEM = '-';
const BASE = 36;

export function escreverSignatario({
  cadeia,
  titularDocumento,
  validade,
  validadeDaCadeia,
}: Signatario): string {
  const parts = [LETRAS[cadeia], titularDocumento ?? NINGUEM, ...secondsOf(validade)];
  if (validadeDaCadeia) parts.push(...secondsOf(validadeDaCadeia));
  return parts.join(' ');
}

/** @throws for a text that `escreverSignatario` never wrote */
export function readSignatario(text: string): Signatario {
  const [letra = '', documento, de, ate, cadeiaDe, cadeiaAte] = text.split(' ');
  const cadeia = CADEIAS.get(letra);
  if (!cadeia || documento === undefined) throw new Error('a kept signer cannot be read');
  return {
    titularDocumento: documento === NINGUEM ? null : (documento as CpfCnpj),
    cadeia,
    validade: periodOf(de, ate),
    validadeDaCadeia: cadeiaDe === undefined ? null : periodOf(cadeiaDe, cadeiaAte),
  };
}

function secondsOf({ de, ate }: Periodo): string[] {
  return [de, ate].map((ms) => Math.floor(ms / 1000).toString(BASE));
}

function periodOf(de: string | undefined, ate: string | undefined): Periodo {
  const [from, to] = [de, ate].map((text) => Number.parseInt(text ?? '', BASE) * 1000);
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to))
    throw new Error('a kept signer cannot be read');
  return { de: from, ate: to };
}

/** Columns that tell the signer of a version. */
export interface LinhaComSignatario {
  /** `versao.signatario` */
  signatario: string | null;
  /** `versao.assinatura_titular` */
  assinatura_titular: string | null;
  /** `certificado_de_documento.signatario` of the certificate that was cut out of its bytes; null where none was. */
  certificado_signatario: string | null;
}

/**
 * The signer of a stored version. A version whose certificate could not be read names nobody (`assinatura_titular`), even
 * where its certificate is kept because another document shows it soundly.
 */
export function signatarioDaVersao(row: LinhaComSignatario): Signatario | null {
  const kept = row.signatario ?? (row.assinatura_titular === null ? null : row.certificado_signatario);
  return kept === null ? null : readSignatario(kept);
}
