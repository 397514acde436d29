/** What the certificate of a signature is worth. */
import { type Autoridades, readX509, validadeDe } from '../certificado/autoridades.ts';
import { DerFault } from '../certificado/der.ts';
import { titularDoCertificado } from '../certificado/titular.ts';
import type { CpfCnpj, Periodo, Signatario } from '../tipos.ts';
import { type Signer, signerOf } from './certificate.ts';
import { SignatureFault } from './fault.ts';

/** One signer signs thousands of documents, and the chain of each of them is the same. */
const known = new WeakMap<Autoridades, WeakMap<Signer, Signatario>>();

/** @param enviados DER of further certificates that came with this one */
export function signatarioDe(
  signer: Signer,
  autoridades: Autoridades,
  enviados: readonly Uint8Array[] = [],
): Signatario {
  if (enviados.length > 0) return judge(signer, autoridades, enviados);
  const ofThese = known.get(autoridades) ?? new WeakMap<Signer, Signatario>();
  const found = ofThese.get(signer) ?? judge(signer, autoridades, []);
  ofThese.set(signer, found);
  known.set(autoridades, ofThese);
  return found;
}

function judge({ der }: Signer, autoridades: Autoridades, enviados: readonly Uint8Array[]): Signatario {
  const x509 = readX509(der);
  // It was read before.
  if (!x509) throw new Error('a certificate cannot be read any more');
  return {
    titularDocumento: holderOf(x509.raw),
    validade: validadeDe(x509),
    ...autoridades.cadeiaDe(
      x509,
      enviados.flatMap((enviado) => readX509(enviado) ?? []),
    ),
  };
}

function holderOf(der: Uint8Array): CpfCnpj | null {
  try {
    return titularDoCertificado(der).cpfCnpj;
  } catch (error) {
    if (error instanceof DerFault) return null;
    throw error;
  }
}

/**
 * Whether a certificate and all authorities above it were valid at a moment. Where the chain leads to no trusted root,
 * only the certificate's own dates count.
 * @param quandoMs epoch ms
 * @param toleranciaMs before and after as well
 */
export function validoEm(
  { validade, validadeDaCadeia }: Signatario,
  quandoMs: number,
  toleranciaMs = 0,
): boolean {
  const covers = ({ de, ate }: Periodo) => de - toleranciaMs <= quandoMs && quandoMs <= ate + toleranciaMs;
  return covers(validade) && (validadeDaCadeia === null || covers(validadeDaCadeia));
}

/**
 * What a certificate is worth by itself, apart from any document.
 * @param texto as it stands in `X509Certificate`, white space and all
 * @returns null for one that cannot be read
 */
export function signatarioDoCertificado(texto: string, autoridades: Autoridades): Signatario | null {
  try {
    return signatarioDe(signerOf(texto.replace(/\s+/g, ''), Buffer.from(texto, 'latin1')), autoridades);
  } catch (error) {
    if (error instanceof SignatureFault) return null;
    throw error;
  }
}
