/** The parts of a certificate that Node does not tell. */
import {
  children,
  type Der,
  DerFault,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  smallInteger,
  TAG,
} from './der.ts';

const BASIC_CONSTRAINTS = '2.5.29.19';

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
}

/**
 * @param der X.509
 * @returns what trusts nobody, where the bytes are not as they should be
 */
export function readRestricoes(der: Uint8Array): Restricoes {
  try {
    const [tbs, algorithm] = sequenceOf(readDer(der));
    const algoritmoAceito = ALGORITMOS.includes(oidOf(sequenceOf(algorithm)[0]));
    return {
      comprimento: pathLength(sequenceOf(tbs).find(({ tag }) => tag === TAG.explicit3)),
      algoritmoAceito,
    };
  } catch (error) {
    if (error instanceof DerFault) return { comprimento: 0, algoritmoAceito: false };
    throw error;
  }
}

/** `pathLenConstraint` of the basic constraints. */
function pathLength(extensions: Der | undefined): number | null {
  if (!extensions) return null;
  for (const extension of sequenceOf(children(extensions)[0])) {
    const parts = sequenceOf(extension);
    if (oidOf(parts[0]) !== BASIC_CONSTRAINTS) continue;
    const length = sequenceOf(readDer(octetsOf(parts.at(-1)))).find(({ tag }) => tag === TAG.integer);
    if (length) return smallInteger(length);
  }
  return null;
}
