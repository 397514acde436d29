/**
 * The ciphers and key derivations of PKCS#12 files: AES and 3DES by node's crypto, RC2, which OpenSSL 3 no longer
 * has, by node-forge. Every derivation pays from one budget of iterations, since a call into OpenSSL
 * cannot be interrupted and a file may ask for billions.
 */
import { createDecipheriv, createHmac, hash, pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';
import {
  children,
  type Der,
  DerFault,
  octetsOf,
  oidOf,
  sequenceOf,
  smallInteger,
  TAG,
} from '../../fiscal/certificado/der.ts';

/**
 * Iterations of one opened file, all derivations and passwords together. Files of the field have 1 to 100,000; this
 * many cost about a second.
 */
const MAX_ITERATIONS = 1_500_000;

/** The file is sound, and something in it is not read here. */
export class CifraDesconhecida extends Error {}

/** Pays for derivations. @throws DerFault when a file asks for more than any real one does */
export class Orcamento {
  #left = MAX_ITERATIONS;

  spend(iterations: number): void {
    if (iterations < 1 || iterations > this.#left) throw new DerFault('too many iterations');
    this.#left -= iterations;
  }
}

const DIGESTS: Readonly<Record<string, { name: string; bytes: number; block: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20, block: 64 },
  '2.16.840.1.101.3.4.2.4': { name: 'sha224', bytes: 28, block: 64 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32, block: 64 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48, block: 128 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64, block: 128 },
};

/** Pseudo-random functions of PBKDF2. @fonte RFC 8018 B.1 */
const PRFS: Readonly<Record<string, { name: string; bytes: number }>> = {
  '1.2.840.113549.2.7': { name: 'sha1', bytes: 20 },
  '1.2.840.113549.2.8': { name: 'sha224', bytes: 28 },
  '1.2.840.113549.2.9': { name: 'sha256', bytes: 32 },
  '1.2.840.113549.2.10': { name: 'sha384', bytes: 48 },
  '1.2.840.113549.2.11': { name: 'sha512', bytes: 64 },
};
const HMAC_SHA1 = '1.2.840.113549.2.7';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const PBMAC1 = '1.2.840.113549.1.5.14';

/** Ciphers of PBES2. */
const CIPHERS: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
};

/** Schemes of PKCS#12 itself, with SHA-1. `rc2`: its effective bits. @fonte RFC 7292 appendix C */
const PBES12: Readonly<Record<string, { keyBytes: number; rc2?: number }>> = {
  '1.2.840.113549.1.12.1.3': { keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { keyBytes: 16, rc2: 128 },
  '1.2.840.113549.1.12.1.6': { keyBytes: 5, rc2: 40 },
};
const BLOCK_BYTES = 8;
const SHA1 = { name: 'sha1', bytes: 20, block: 64 };

/** A password in the two forms that the derivations want. */
export interface Senha {
  /** UTF-8, for PBKDF2. */
  bytes: Buffer;
  /** UTF-16BE with two zero bytes at the end, for the derivation of PKCS#12; empty for the absent password. */
  bmp: Buffer;
}

/** Decrypts what an AlgorithmIdentifier describes. @throws when the password is wrong (mostly) or the bytes are bad */
export function decifrar(
  algorithm: Der | undefined,
  input: { cifrado: Uint8Array; senha: Senha; orcamento: Orcamento },
): Buffer {
  const [id, parameters] = sequenceOf(algorithm);
  const oid = oidOf(id);
  if (oid === PBES2) return decryptPbes2(sequenceOf(parameters), input);
  const scheme = PBES12[oid];
  if (!scheme) throw new CifraDesconhecida(oid);
  const [saltNode, countNode] = sequenceOf(parameters);
  const salt = octetsOf(saltNode);
  const iterations = smallInteger(countNode);
  const derive = (id: 1 | 2, length: number) =>
    derivePkcs12({ id, length, salt, iterations, digest: SHA1, ...input });
  const key = derive(1, scheme.keyBytes);
  const iv = derive(2, BLOCK_BYTES);
  if (scheme.rc2) return decryptRc2({ key, iv, bits: scheme.rc2, cifrado: input.cifrado });
  // Two-key 3DES uses its first key again as the third.
  const desKey = key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  const decipher = createDecipheriv('des-ede3-cbc', desKey, iv);
  return Buffer.concat([decipher.update(input.cifrado), decipher.final()]);
}

function decryptPbes2(
  [kdf, scheme]: Der[],
  input: { cifrado: Uint8Array; senha: Senha; orcamento: Orcamento },
): Buffer {
  const [cipherId, ivNode] = sequenceOf(scheme);
  const cipher = CIPHERS[oidOf(cipherId)];
  if (!cipher) throw new CifraDesconhecida(oidOf(cipherId));
  const key = derivePbkdf2(kdf, { ...input, length: cipher.keyBytes });
  const decipher = createDecipheriv(cipher.name, key, octetsOf(ivNode));
  return Buffer.concat([decipher.update(input.cifrado), decipher.final()]);
}

function derivePbkdf2(
  algorithm: Der | undefined,
  input: { senha: Senha; orcamento: Orcamento; length: number },
): Buffer {
  const [id, parameters] = sequenceOf(algorithm);
  if (oidOf(id) !== PBKDF2) throw new CifraDesconhecida(oidOf(id));
  const [salt, count, ...rest] = sequenceOf(parameters);
  const prfNode = rest.find((node) => node.tag === TAG.sequence);
  const prfOid = prfNode ? oidOf(children(prfNode)[0]) : HMAC_SHA1;
  const prf = PRFS[prfOid];
  if (!prf) throw new CifraDesconhecida(prfOid);
  const iterations = smallInteger(count);
  input.orcamento.spend(iterations * Math.ceil(input.length / prf.bytes));
  return pbkdf2Sync(input.senha.bytes, octetsOf(salt), iterations, input.length, prf.name);
}

/** The code over the content of a file. @param macData `MacData` of RFC 7292 §4 */
export function computeMac(
  macData: Der,
  input: { conteudo: Uint8Array; senha: Senha; orcamento: Orcamento },
): { calculado: Buffer; escrito: Uint8Array } {
  const [digestInfo, saltNode, countNode] = children(macData);
  const [algorithm, written] = sequenceOf(digestInfo);
  const [id, parameters] = sequenceOf(algorithm);
  const oid = oidOf(id);
  const escrito = octetsOf(written);
  if (oid === PBMAC1) {
    const [kdf, scheme] = sequenceOf(parameters);
    const mac = PRFS[oidOf(sequenceOf(scheme)[0])];
    if (!mac) throw new CifraDesconhecida(oid);
    const key = derivePbkdf2(kdf, { ...input, length: pbmacKeyBytes(kdf, mac.bytes) });
    return { calculado: createHmac(mac.name, key).update(input.conteudo).digest(), escrito };
  }
  const digest = DIGESTS[oid];
  if (!digest) throw new CifraDesconhecida(oid);
  const key = derivePkcs12({
    ...input,
    id: 3,
    length: digest.bytes,
    salt: octetsOf(saltNode),
    iterations: countNode ? smallInteger(countNode) : 1,
    digest,
  });
  return { calculado: createHmac(digest.name, key).update(input.conteudo).digest(), escrito };
}

/** PBMAC1 must say how long its key is. @fonte RFC 9579 §5 */
function pbmacKeyBytes(kdf: Der | undefined, fallback: number): number {
  const [, parameters] = sequenceOf(kdf);
  const [, , length] = sequenceOf(parameters);
  const bytes = length?.tag === TAG.integer ? smallInteger(length) : fallback;
  if (bytes < 16 || bytes > 64) throw new DerFault('the key of a code has an odd length');
  return bytes;
}

interface Derivation {
  /** 1: key, 2: IV, 3: key of the code. */
  id: 1 | 2 | 3;
  length: number;
  salt: Uint8Array;
  iterations: number;
  digest: { name: string; bytes: number; block: number };
  senha: Senha;
  orcamento: Orcamento;
}

/** The key derivation of PKCS#12. @fonte RFC 7292 appendix B.2, whose letters the names are */
function derivePkcs12({ id, length, salt, iterations, digest, senha, orcamento }: Derivation): Buffer {
  const { name, block } = digest;
  orcamento.spend(iterations * Math.ceil(length / digest.bytes));
  const D = Buffer.alloc(block, id);
  const I = Buffer.concat([fill(salt, block), fill(senha.bmp, block)]);
  const out: Buffer[] = [];
  for (let made = 0; made < length; made += digest.bytes) {
    let A = hash(name, Buffer.concat([D, I]), 'buffer');
    for (let i = 1; i < iterations; i++) A = hash(name, A, 'buffer');
    out.push(A);
    addEverywhere(I, fill(A, block).subarray(0, block), block);
  }
  return Buffer.concat(out).subarray(0, length);
}

/** Repeats bytes until they fill whole blocks. */
function fill(bytes: Uint8Array, block: number): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0);
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** I_j = I_j + B + 1 modulo 2^(8·block), for every block of I. */
function addEverywhere(I: Buffer, B: Uint8Array, block: number): void {
  for (let start = 0; start < I.length; start += block) {
    let carry = 1;
    for (let at = block - 1; at >= 0; at--) {
      carry += (I[start + at] ?? 0) + (B[at] ?? 0);
      I[start + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}

function decryptRc2(input: { key: Buffer; iv: Buffer; bits: number; cifrado: Uint8Array }): Buffer {
  const decipher = forge.rc2.createDecryptionCipher(input.key.toString('binary'), input.bits);
  decipher.start(input.iv.toString('binary'));
  decipher.update(forge.util.createBuffer(Buffer.from(input.cifrado).toString('binary')));
  if (!decipher.finish()) throw new DerFault('bad padding');
  return Buffer.from(decipher.output.getBytes(), 'binary');
}
