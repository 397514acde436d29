/** Makes PFX files as the programs of the field write them, for tests. Derivation and RC2 are node-forge's, not ours. */
import { createCipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import forge from 'node-forge';
import { type Certificado, certificadoDe } from '../../gerador/certificado.ts';
import * as der from '../../gerador/der.ts';
import { type Empresa, generateEmpresa } from '../../gerador/empresas.ts';

/** `aes`: today's openssl; `3des`: openssl with SHA-1, Java; `rc2`: old Windows exports, the certificate under RC2-40. */
type Forma = 'aes' | '3des' | 'rc2';

const OID = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
  localKeyId: '1.2.840.113549.1.9.21',
  '3des': '1.2.840.113549.1.12.1.3',
  rc2: '1.2.840.113549.1.12.1.6',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  aes256: '2.16.840.1.101.3.4.1.42',
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

interface OpcoesPfx {
  forma?: Forma;
  /** Iterations of the cipher around the private key. */
  iteracoes?: number;
  iteracoesDoMac?: number;
  semChave?: boolean;
  semMac?: boolean;
  /** The certificates stand in no cipher, as `openssl -nomac` leaves them. */
  certificadosAbertos?: boolean;
  /** Certificates that stand before the holder's. */
  antes?: readonly Certificado[];
}

const DAY_MS = 86_400_000;
/** What the tests call valid ends neither on the day of their run nor at the midnight within it. */
const SOBRAM_MS = 7 * DAY_MS;

/** A company with its certificate, valid at the given moment (default: now, and for some days more). */
export function empresaComCertificado(
  semente: string,
  opcoes: { em?: Date; alfanumerico?: boolean; perfil?: 'comercio' | 'produtor' } = {},
): { empresa: Empresa; certificado: Certificado } {
  const { em, alfanumerico = false, perfil = 'comercio' } = opcoes;
  const empresa = generateEmpresa(semente, { perfil, alfanumerico });
  const certificado = em ? certificadoDe(empresa, `pfx/${semente}`, em) : certificadoDeHoje(empresa, semente);
  return { empresa, certificado };
}

/** Each seed has its own day of the year on which the certificate is renewed: the first whose day is not near. */
function certificadoDeHoje(empresa: Empresa, semente: string): Certificado {
  const agora = new Date();
  for (let outra = 0; ; outra++) {
    const certificado = certificadoDe(empresa, `pfx/${semente}${outra === 0 ? '' : `/${outra}`}`, agora);
    if (certificado.validoAte.getTime() - agora.getTime() > SOBRAM_MS) return certificado;
  }
}

/** Writes a PFX file. */
export function generatePfx(certificado: Certificado, senha: string, opcoes: OpcoesPfx = {}): Buffer {
  const { forma = 'aes', iteracoes = 2048, antes = [] } = opcoes;
  const id = Buffer.from(certificado.base64.slice(-8));
  const certBags = [
    ...antes.map((other) => certBag(other, Buffer.from(other.base64.slice(-8)))),
    certBag(certificado, id),
  ];
  const pkcs8 = certificado.chavePrivada.export({ format: 'der', type: 'pkcs8' });
  const keyCipher = encrypt(forma === 'rc2' ? '3des' : forma, { plain: pkcs8, senha, iteracoes });
  const keyBag = bag(OID.shroudedKeyBag, der.sequence(keyCipher.algorithm, der.octets(keyCipher.body)), id);
  const certs = der.sequence(...certBags);
  const safe = der.sequence(
    opcoes.certificadosAbertos
      ? data(certs)
      : encryptedData(encrypt(forma, { plain: certs, senha, iteracoes: 2048 })),
    ...(opcoes.semChave ? [] : [data(der.sequence(keyBag))]),
  );
  const mac = opcoes.semMac
    ? []
    : [macData(safe, { senha, forma, iteracoes: opcoes.iteracoesDoMac ?? 2048 })];
  return der.sequence(integer(3), data(safe), ...mac);
}

function bag(type: string, value: Buffer, localKeyId: Buffer): Buffer {
  const attribute = der.sequence(der.oid(OID.localKeyId), der.set(der.octets(localKeyId)));
  return der.sequence(der.oid(type), der.context(0, value), der.set(attribute));
}

function certBag(certificado: Certificado, localKeyId: Buffer): Buffer {
  const value = der.sequence(der.oid(OID.x509), der.context(0, der.octets(certificado.der)));
  return bag(OID.certBag, value, localKeyId);
}

function data(content: Buffer): Buffer {
  return der.sequence(der.oid(OID.data), der.context(0, der.octets(content)));
}

function encryptedData({ algorithm, body }: { algorithm: Buffer; body: Buffer }): Buffer {
  const info = der.sequence(der.oid(OID.data), algorithm, der.context(0, body, true));
  return der.sequence(der.oid(OID.encryptedData), der.context(0, der.sequence(integer(0), info)));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  return der.integer(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex'));
}

function encrypt(
  forma: Forma,
  { plain, senha, iteracoes }: { plain: Buffer; senha: string; iteracoes: number },
): { algorithm: Buffer; body: Buffer } {
  const salt = randomBytes(8);
  if (forma === 'aes') {
    const iv = randomBytes(16);
    // Deriving with millions of iterations would take the test's time: whoever opens it must not do it either.
    const key = pbkdf2Sync(senha, salt, Math.min(iteracoes, 200_000), 32, 'sha256');
    const prf = der.sequence(der.oid(OID.hmacSha256), der.nothing());
    const kdf = der.sequence(der.oid(OID.pbkdf2), der.sequence(der.octets(salt), integer(iteracoes), prf));
    const scheme = der.sequence(der.oid(OID.aes256), der.octets(iv));
    const algorithm = der.sequence(der.oid(OID.pbes2), der.sequence(kdf, scheme));
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    return { algorithm, body: Buffer.concat([cipher.update(plain), cipher.final()]) };
  }
  const algorithm = der.sequence(der.oid(OID[forma]), der.sequence(der.octets(salt), integer(iteracoes)));
  const key = derive(senha, { salt, id: 1, iteracoes, bytes: forma === 'rc2' ? 5 : 24 });
  const iv = derive(senha, { salt, id: 2, iteracoes, bytes: 8 });
  const cipher =
    forma === 'rc2' ? forge.rc2.createEncryptionCipher(key, 40) : forge.cipher.createCipher('3DES-CBC', key);
  if (forma === 'rc2') (cipher as forge.rc2.cipher).start(iv.bytes());
  else (cipher as forge.cipher.BlockCipher).start({ iv: iv.bytes() });
  cipher.update(forge.util.createBuffer(plain.toString('binary')));
  cipher.finish();
  return { algorithm, body: Buffer.from(cipher.output.getBytes(), 'binary') };
}

function macData(
  safe: Buffer,
  { senha, forma, iteracoes }: { senha: string; forma: Forma; iteracoes: number },
): Buffer {
  const salt = randomBytes(8);
  const name = forma === 'aes' ? 'sha256' : 'sha1';
  const bytes = name === 'sha256' ? 32 : 20;
  const md = name === 'sha256' ? forge.md.sha256.create() : forge.md.sha1.create();
  const key = derive(senha, { salt, id: 3, iteracoes: Math.min(iteracoes, 20_000), bytes, md });
  const digest = createHmac(name, Buffer.from(key.bytes(), 'binary')).update(safe).digest();
  const info = der.sequence(der.sequence(der.oid(OID[name]), der.nothing()), der.octets(digest));
  return der.sequence(info, der.octets(salt), integer(iteracoes));
}

/** node-forge's derivation; its types do not tell of it. */
function derive(
  senha: string,
  input: { salt: Buffer; id: number; iteracoes: number; bytes: number; md?: forge.md.MessageDigest },
): forge.util.ByteStringBuffer {
  const { generateKey } = forge.pkcs12 as unknown as {
    generateKey: (...args: unknown[]) => forge.util.ByteStringBuffer;
  };
  const salt = forge.util.createBuffer(input.salt.toString('binary'));
  return generateKey(senha, salt, input.id, input.iteracoes, input.bytes, input.md);
}
