/** The parts of a certificate that Node does not tell. */
import {
  children,
  type Der,
  DerFault,
  expectTag,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  smallInteger,
  TAG,
} from './der.ts';

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const EXTENDED_KEY_USAGE = '2.5.29.37';

/** digitalSignature and nonRepudiation, the first two bits of the key usage. @fonte RFC 5280 §4.2.1.3 */
const ASSINA_BITS = 0xc0;
/** What a key that has no other use signs is no document: programs, answers about revocation, times. @fonte RFC 5280 §4.2.1.12 */
const SO_DE_OUTROS: readonly string[] = ['1.3.6.1.5.5.7.3.3', '1.3.6.1.5.5.7.3.9', '1.3.6.1.5.5.7.3.8'];

/** Not MD2 or MD5, with which anybody can make another certificate of the same signature. */
const ALGORITMOS: readonly string[] = [
  '1.2.840.113549.1.1.5', // sha1WithRSAEncryption: authorities of the first root, ended in 2021
  '1.2.840.113549.1.1.10', // RSASSA-PSS
  '1.2.840.113549.1.1.11', // sha256WithRSAEncryption
  '1.2.840.113549.1.1.12', // sha384WithRSAEncryption
  '1.2.840.113549.1.1.13', // sha512WithRSAEncryption
  '1.2.840.10045.4.3.2', // ecdsa-with-SHA256
  '1.2.840.10045.4.3.3', // ecdsa-with-SHA384
  '1.2.840.10045.4.3.4', // ecdsa-with-SHA512
  '1.3.101.112', // Ed25519
  '1.3.101.113', // Ed448
];

interface Restricoes {
  /** How many authorities may stand between this one and a holder; null: it does not say. */
  comprimento: number | null;
  /** Whether it was signed in a way that still proves something. */
  algoritmoAceito: boolean;
  /** Whether its key may sign documents: it says so, or does not say for what it is. */
  assina: boolean;
}

/**
 * @param der X.509
 * @returns what trusts nobody, where the bytes are not as they should be
 */
export function readRestricoes(der: Uint8Array): Restricoes {
  try {
    const [tbs, algorithm] = sequenceOf(readDer(der));
    const algoritmoAceito = ALGORITMOS.includes(oidOf(sequenceOf(algorithm)[0]));
    const extensions = extensionsOf(sequenceOf(tbs).find(({ tag }) => tag === TAG.explicit3));
    return { comprimento: pathLength(extensions), algoritmoAceito, assina: maySign(extensions) };
  } catch (error) {
    if (error instanceof DerFault) return { comprimento: 0, algoritmoAceito: false, assina: false };
    throw error;
  }
}

/** What each extension holds, by OID; the last of a kind. */
function extensionsOf(all: Der | undefined): Map<string, Der> {
  const found = new Map<string, Der>();
  if (!all) return found;
  for (const extension of sequenceOf(children(all)[0])) {
    const parts = sequenceOf(extension);
    const oid = oidOf(parts[0]);
    if (LIDAS.includes(oid)) found.set(oid, readDer(octetsOf(parts.at(-1))));
  }
  return found;
}
const LIDAS: readonly string[] = [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE];

/** `pathLenConstraint` of the basic constraints. */
function pathLength(extensions: Map<string, Der>): number | null {
  const constraints = extensions.get(BASIC_CONSTRAINTS);
  const length = constraints && sequenceOf(constraints).find(({ tag }) => tag === TAG.integer);
  return length ? smallInteger(length) : null;
}

function maySign(extensions: Map<string, Der>): boolean {
  const usage = extensions.get(KEY_USAGE);
  // The first byte of a BIT STRING counts the bits that its last one leaves unused.
  if (usage && !((expectTag(usage, TAG.bits).content[1] ?? 0) & ASSINA_BITS)) return false;
  const uses = extensions.get(EXTENDED_KEY_USAGE);
  return !uses || !sequenceOf(uses).every((use) => SO_DE_OUTROS.includes(oidOf(use)));
}
