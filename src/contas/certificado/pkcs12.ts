/** Reads PKCS#12 files, the form in which A1 certificates are handed around. @fonte RFC 7292 */
import { timingSafeEqual } from 'node:crypto';
import {
  children,
  type Der,
  DerFault,
  explicit0,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  smallInteger,
  TAG,
} from '../../fiscal/certificado/der.ts';
import { CifraDesconhecida, computeMac, decifrar, Orcamento, type Senha } from './cifras.ts';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERT_BAG = '1.2.840.113549.1.12.10.1.3';
const SAFE_CONTENTS_BAG = '1.2.840.113549.1.12.10.1.6';
const X509 = '1.2.840.113549.1.9.22.1';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const VERSION = 3;
/** Contents in contents; nobody nests at all. */
const MAX_NESTED = 3;

/** Why a file does not open. */
export class Pkcs12Fault extends Error {
  readonly codigo: 'formato_invalido' | 'senha_incorreta';
  constructor(codigo: 'formato_invalido' | 'senha_incorreta', cause?: unknown) {
    super(codigo, { cause });
    this.codigo = codigo;
  }
}

interface Pertence {
  der: Uint8Array;
  /** Hex; ties a key to its certificate. Empty: not told. */
  localKeyId: string;
}

/** What a file holds. */
export interface ConteudoPkcs12 {
  /** PKCS#8, DER. */
  chaves: Pertence[];
  /** X.509, DER, in the order of the file. */
  certificados: Pertence[];
}

/**
 * Opens a file with the first of several readings of its password that fits.
 * @throws Pkcs12Fault when it is no such file, when no password fits, or when it uses what is not read here
 */
export function openPkcs12(bytes: Uint8Array, senhas: readonly Senha[]): ConteudoPkcs12 {
  try {
    return abrir(bytes, senhas);
  } catch (error) {
    if (error instanceof Pkcs12Fault) throw error;
    throw new Pkcs12Fault('formato_invalido', error);
  }
}

function abrir(bytes: Uint8Array, senhas: readonly Senha[]): ConteudoPkcs12 {
  const [version, authSafe, macData] = sequenceOf(readDer(bytes));
  if (smallInteger(version) !== VERSION) throw new DerFault('another version');
  const conteudo = contentOf(authSafe);
  const orcamento = new Orcamento();
  const certas = macData ? senhas.filter((senha) => isMac(macData, { conteudo, senha, orcamento })) : senhas;
  if (certas.length === 0) throw new Pkcs12Fault('senha_incorreta');
  let fault: unknown;
  for (const senha of certas) {
    try {
      return readSafe(conteudo, { senha, orcamento });
    } catch (error) {
      if (error instanceof CifraDesconhecida) throw error;
      fault ??= error;
    }
  }
  // Without a code over the whole, a wrong password shows only in what comes out of the ciphers.
  throw new Pkcs12Fault(macData ? 'formato_invalido' : 'senha_incorreta', fault);
}

/** The octets of `ContentInfo` that holds plain data. */
function contentOf(contentInfo: Der | undefined): Uint8Array {
  const [type, content] = sequenceOf(contentInfo);
  if (oidOf(type) !== DATA) throw new DerFault('signed by a public key: not a file with a password');
  return octetsOf(explicit0(content));
}

function isMac(macData: Der, input: { conteudo: Uint8Array; senha: Senha; orcamento: Orcamento }): boolean {
  const { calculado, escrito } = computeMac(macData, input);
  return calculado.length === escrito.length && timingSafeEqual(calculado, escrito);
}

interface Chaveiro {
  senha: Senha;
  orcamento: Orcamento;
}

function readSafe(conteudo: Uint8Array, chaveiro: Chaveiro): ConteudoPkcs12 {
  const found: ConteudoPkcs12 = { chaves: [], certificados: [] };
  for (const contentInfo of sequenceOf(readDer(conteudo))) {
    const [type] = sequenceOf(contentInfo);
    const bytes =
      oidOf(type) === ENCRYPTED_DATA ? decryptContent(contentInfo, chaveiro) : contentOf(contentInfo);
    readBags(readDer(bytes), { found, chaveiro, nested: 0 });
  }
  return found;
}

function decryptContent(contentInfo: Der, chaveiro: Chaveiro): Buffer {
  const [, content] = sequenceOf(contentInfo);
  const [, encrypted] = sequenceOf(explicit0(content));
  const [, algorithm, cifrado] = sequenceOf(encrypted);
  return decifrar(algorithm, { cifrado: octetsOf(cifrado, TAG.explicit0), ...chaveiro });
}

function readBags(
  safeContents: Der,
  input: { found: ConteudoPkcs12; chaveiro: Chaveiro; nested: number },
): void {
  if (input.nested > MAX_NESTED) throw new DerFault('contents in contents');
  for (const bag of sequenceOf(safeContents)) {
    const [id, wrapped, attributes] = sequenceOf(bag);
    const value = explicit0(wrapped);
    const localKeyId = localKeyIdOf(attributes);
    switch (oidOf(id)) {
      case KEY_BAG:
        input.found.chaves.push({ der: value.raw, localKeyId });
        break;
      case SHROUDED_KEY_BAG: {
        const [algorithm, cifrado] = sequenceOf(value);
        const der = decifrar(algorithm, { cifrado: octetsOf(cifrado), ...input.chaveiro });
        expectPkcs8(der);
        input.found.chaves.push({ der, localKeyId });
        break;
      }
      case CERT_BAG: {
        const [type, certificate] = sequenceOf(value);
        if (oidOf(type) === X509)
          input.found.certificados.push({ der: octetsOf(explicit0(certificate)), localKeyId });
        break;
      }
      case SAFE_CONTENTS_BAG:
        readBags(value, { ...input, nested: input.nested + 1 });
        break;
      default: // Revocation lists and other secrets say nothing about the certificate.
    }
  }
}

/**
 * A wrong password gives the right padding once in 256 times: what came out has to be a key, too.
 * @fonte RFC 5208 §5
 * @throws DerFault
 */
function expectPkcs8(der: Uint8Array): void {
  const [version, algorithm, key] = sequenceOf(readDer(der));
  smallInteger(version);
  oidOf(sequenceOf(algorithm)[0]);
  octetsOf(key);
}

function localKeyIdOf(attributes: Der | undefined): string {
  if (attributes?.tag !== TAG.set) return '';
  for (const attribute of children(attributes)) {
    const [id, values] = sequenceOf(attribute);
    if (oidOf(id) !== LOCAL_KEY_ID || !values) continue;
    return Buffer.from(octetsOf(children(values)[0])).toString('hex');
  }
  return '';
}
