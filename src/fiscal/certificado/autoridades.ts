/**
 * Who answers for a certificate. The certificates of authorities are handed in; nothing is fetched, no clock is
 * asked (when each was valid is part of the answer), and whether one was revoked is not looked at.
 * @fonte RFC 5280 §6.1; DOC-ICP-04
 */
import { X509Certificate } from 'node:crypto';
import type { Periodo, Signatario } from '../tipos.ts';
import { readRestricoes } from './restricoes.ts';

/** For what a root is trusted: for everything, or for what SAT devices sign. */
export type Confianca = 'icp_brasil' | 'sat';

interface Raiz {
  der: Uint8Array;
  confianca: Confianca;
}

/** What is said of a chain. */
type Cadeia = Pick<Signatario, 'cadeia' | 'validadeDaCadeia'>;

/** An authority whose own chain is proven. */
interface Estabelecida {
  x509: X509Certificate;
  confianca: Confianca;
  /** When it and all above it were valid at once. */
  validade: Periodo;
  /** How many authorities may stand between it and a holder. */
  abaixo: number;
}

const DESCONHECIDA: Cadeia = { cadeia: 'desconhecida', validadeDaCadeia: null };
const INVALIDA: Cadeia = { cadeia: 'invalida', validadeDaCadeia: null };

/** The period of a certificate whose dates nobody can read: OpenSSL takes any text for one. */
const NUNCA: Periodo = { de: 0, ate: -1 };

/** When a certificate was valid. */
export function validadeDe(x509: X509Certificate): Periodo {
  const [de, ate] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)];
  return Number.isNaN(de) || Number.isNaN(ate) ? NUNCA : { de, ate };
}

/**
 * Reads a certificate.
 * @param bytes DER or PEM
 * @returns null for bytes that are none
 */
export function readX509(bytes: Uint8Array): X509Certificate | null {
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
}

/** The authorities of one thread. Which lead to a root is found out when somebody they name is met. */
export class Autoridades {
  readonly #raizes: readonly Estabelecida[];
  readonly #porNome: ReadonlyMap<string, readonly X509Certificate[]>;
  readonly #estabelecidas = new Map<string, readonly Estabelecida[]>();

  /**
   * @param input.raizes whoever leads to one of these is trusted as it is
   * @param input.intermediarias the authorities between a root and holders; those that lead to no root count for nothing
   */
  constructor(input: { raizes: readonly Raiz[]; intermediarias: readonly Uint8Array[] }) {
    this.#raizes = input.raizes.flatMap(({ der, confianca }) => {
      const x509 = readX509(der);
      if (!x509 || !hasUsableKey(x509)) return [];
      return [{ x509, confianca, validade: validadeDe(x509), abaixo: pathLengthOf(x509) }];
    });
    const intermediarias = input.intermediarias.flatMap((der) => readX509(der) ?? []);
    this.#porNome = Map.groupBy(intermediarias, ({ subject }) => subject);
  }

  /**
   * Who answers for a holder's certificate.
   * @param enviadas further certificates that came with it: authorities that count if they lead to a root that is
   * trusted, and never as roots
   */
  cadeiaDe(titular: X509Certificate, enviadas: readonly X509Certificate[] = []): Cadeia {
    const { issuer, subject } = titular;
    if (issuer === subject || !readRestricoes(titular.raw).assina) return INVALIDA;
    const candidatas = this.#estabelecidasDe(issuer, enviadas);
    const found = best(titular, candidatas);
    if (found) return { cadeia: found.confianca, validadeDaCadeia: found.validade };
    const isFalse =
      enviadas.some((enviada) => enviada.subject === issuer && !enviada.ca) ||
      candidatas.some(({ x509 }) => titular.checkIssued(x509));
    return isFalse ? INVALIDA : DESCONHECIDA;
  }

  /** Whether an authority, not a holder, leads to a root that is trusted. */
  estabelece(autoridade: X509Certificate): boolean {
    return this.#estabelecidasDe(autoridade.subject, [autoridade]).some(
      ({ x509 }) => x509.fingerprint256 === autoridade.fingerprint256,
    );
  }

  #estabelecidasDe(nome: string, enviadas: readonly X509Certificate[]): readonly Estabelecida[] {
    if (enviadas.length > 0) return this.#establish(nome, enviadas);
    const known = this.#estabelecidas.get(nome);
    if (known) return known;
    const made = this.#establish(nome, []);
    // Names that no authority has come from documents, as many as somebody likes to make up.
    if (made.length > 0) this.#estabelecidas.set(nome, made);
    return made;
  }

  /** From the roots downwards, until nobody follows any more. */
  #establish(nome: string, enviadas: readonly X509Certificate[]): Estabelecida[] {
    let pending = this.#above(nome, enviadas);
    const established = [...this.#raizes];
    for (;;) {
      const made = pending.flatMap((x509) => followerOf(established, x509) ?? []);
      if (made.length === 0) return established.filter(({ x509 }) => x509.subject === nome);
      established.push(...made);
      pending = pending.filter((x509) => !made.some((other) => other.x509 === x509));
    }
  }

  /** All that could stand above someone whom this name answers for, by names alone. */
  #above(nome: string, enviadas: readonly X509Certificate[]): X509Certificate[] {
    const names = new Set([nome]);
    const found: X509Certificate[] = [];
    // A set goes on over what is added to it on the way.
    for (const name of names) {
      const here = [
        ...(this.#porNome.get(name) ?? []),
        ...enviadas.filter(({ subject }) => subject === name),
      ];
      for (const x509 of here) names.add(x509.issuer);
      found.push(...here);
    }
    return found;
  }
}

/** Nobody is trusted. */
export const SEM_AUTORIDADES = new Autoridades({ raizes: [], intermediarias: [] });

function pathLengthOf(x509: X509Certificate): number {
  return readRestricoes(x509.raw).comprimento ?? Number.POSITIVE_INFINITY;
}

/** Some roots have keys on curves that Node's OpenSSL does not know. */
function hasUsableKey(x509: X509Certificate): boolean {
  try {
    return x509.publicKey.type === 'public';
  } catch {
    return false;
  }
}

/** An authority below one of these; null for what is none. */
function followerOf(above: readonly Estabelecida[], x509: X509Certificate): Estabelecida | null {
  if (!x509.ca || !hasUsableKey(x509)) return null;
  const superior = best(
    x509,
    above.filter(({ abaixo }) => abaixo > 0),
  );
  if (!superior) return null;
  const validade = common(superior.validade, validadeDe(x509));
  const abaixo = Math.min(superior.abaixo - 1, pathLengthOf(x509));
  return { x509, confianca: superior.confianca, validade, abaixo };
}

/** Among those that signed a certificate, the one whose chain was valid the longest with it. */
function best(x509: X509Certificate, candidatas: readonly Estabelecida[]): Estabelecida | null {
  const own = validadeDe(x509);
  const length = ({ validade }: Estabelecida) => {
    const { de, ate } = common(validade, own);
    return ate - de;
  };
  const [found] = candidatas
    .filter((candidata) => hasSigned(candidata.x509, x509))
    .sort((a, b) => length(b) - length(a));
  return found ?? null;
}

/** Empty (`ate` before `de`) where they have nothing in common. */
function common(a: Periodo, b: Periodo): Periodo {
  return { de: Math.max(a.de, b.de), ate: Math.min(a.ate, b.ate) };
}

function hasSigned(superior: X509Certificate, x509: X509Certificate): boolean {
  if (!x509.checkIssued(superior) || !readRestricoes(x509.raw).algoritmoAceito) return false;
  try {
    return x509.verify(superior.publicKey);
  } catch {
    // OpenSSL throws where the signature is not of the key's kind.
    return false;
  }
}
