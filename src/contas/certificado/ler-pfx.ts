/** From the bytes of a PFX file to the certificate, its key and its holder. Runs in a thread of its own. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { titularDoCertificado } from '../../fiscal/certificado/titular.ts';
import type { CpfCnpj } from '../../fiscal/tipos.ts';
import type { Senha } from './cifras.ts';
import { type ConteudoPkcs12, openPkcs12, Pkcs12Fault } from './pkcs12.ts';

/** Below this an RSA key proves nothing; above, using it costs too much. A1 certificates have 2048. */
const MIN_RSA_BITS = 1024;
const MAX_RSA_BITS = 8192;

/** An opened certificate. Everything in it can be sent between threads. */
export interface CertificadoAberto {
  /** Private key, PKCS#8 DER. */
  chave: Uint8Array;
  /** X.509 DER, the holder's first, then what else the file holds. */
  cadeia: Uint8Array[];
  titular: CpfCnpj | null;
  titularNome: string | null;
  /** Hex. */
  serie: string;
  /** SHA-256 of the certificate, hex. */
  impressao: string;
  /** Milliseconds UTC. */
  validoDe: number;
  validoAte: number;
}

export type LeituraPfx =
  | { certificado: CertificadoAberto }
  | { falha: 'formato_invalido' | 'senha_incorreta' | 'sem_chave_privada' };

/**
 * Opens a file.
 * @param senha as the holder typed it
 * @returns the certificate that belongs to the private key, or why there is none
 */
export function readPfx(bytes: Uint8Array, senha: string): LeituraPfx {
  try {
    return choose(openPkcs12(bytes, readingsOf(senha)));
  } catch (error) {
    return { falha: error instanceof Pkcs12Fault ? error.codigo : 'formato_invalido' };
  }
}

interface Par {
  chave: KeyObject;
  x509: X509Certificate;
  sameId: boolean;
}

/** The certificate that a key of the file belongs to: by localKeyID, else the one that ends last. */
function choose({ chaves, certificados }: ConteudoPkcs12): LeituraPfx {
  if (certificados.length === 0)
    return { falha: chaves.length === 0 ? 'formato_invalido' : 'sem_chave_privada' };
  const x509s = certificados.map(({ der, localKeyId }) => ({ x509: new X509Certificate(der), localKeyId }));
  const pairs: Par[] = chaves.flatMap(({ der, localKeyId }) => {
    const chave = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
    return x509s
      .filter(({ x509 }) => x509.checkPrivateKey(chave))
      .map(({ x509, localKeyId: other }) => ({
        chave,
        x509,
        sameId: localKeyId !== '' && localKeyId === other,
      }));
  });
  const [best] = pairs.sort((a, b) => Number(b.sameId) - Number(a.sameId) || endOf(b.x509) - endOf(a.x509));
  if (!best) return { falha: 'sem_chave_privada' };
  if (!isUsable(best.chave) || !hasDates(best.x509)) return { falha: 'formato_invalido' };
  return {
    certificado: describe(
      best,
      x509s.map(({ x509 }) => x509),
    ),
  };
}

function isUsable(key: KeyObject): boolean {
  if (key.asymmetricKeyType === 'ec') return true;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return key.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS;
}

function describe({ chave, x509 }: Par, all: readonly X509Certificate[]): CertificadoAberto {
  const others = all.filter((other) => other.fingerprint256 !== x509.fingerprint256);
  return {
    chave: new Uint8Array(chave.export({ format: 'der', type: 'pkcs8' })),
    cadeia: [x509, ...others].map(({ raw }) => new Uint8Array(raw)),
    ...dadosDoX509(x509),
  };
}

/** What a certificate says of itself. */
export function dadosDoX509(x509: X509Certificate): Omit<CertificadoAberto, 'chave' | 'cadeia'> {
  const { cpfCnpj, nome } = titularDoCertificado(x509.raw);
  return {
    titular: cpfCnpj,
    titularNome: nome,
    serie: x509.serialNumber.toLowerCase(),
    impressao: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
    validoDe: startOf(x509),
    validoAte: endOf(x509),
  };
}

function startOf(x509: X509Certificate): number {
  return Date.parse(x509.validFrom);
}

function endOf(x509: X509Certificate): number {
  return Date.parse(x509.validTo);
}

/** OpenSSL takes any text for a date, and gives back what it could not read. */
function hasDates(x509: X509Certificate): boolean {
  return !Number.isNaN(startOf(x509)) && !Number.isNaN(endOf(x509));
}

/**
 * The ways in which programs have turned a password into bytes: as Unicode, as single bytes (old OpenSSL), without
 * the line feed that `echo` adds before Base64; and the empty one as no password at all.
 */
function readingsOf(senha: string): Senha[] {
  const bare = senha.replace(/\r?\n$/, '');
  const texts = new Set([senha, bare].flatMap((text) => [text, Buffer.from(text).toString('latin1')]));
  const readings = [...texts].map((text) => ({ bytes: Buffer.from(text), bmp: toBmp(text) }));
  return bare === '' ? [...readings, { bytes: Buffer.alloc(0), bmp: Buffer.alloc(0) }] : readings;
}

function toBmp(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16();
}
