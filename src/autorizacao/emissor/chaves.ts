/**
 * The issuer's signing keys: RS256, 2048 bits. The newest settled one signs. An older one stays published and
 * verifies until all that it signed has lapsed. So a rotation is one act: make another key.
 */

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  hkdfSync,
  type KeyObject,
  randomBytes,
  type webcrypto,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import type { Deps } from '../../deps.ts';
import { selfSignedCertificate } from '../../platform/crypto/certificado-proprio.ts';
import type { Vault } from '../../platform/crypto/cofre.ts';
import { LOCK, lockFor, lockKey } from '../../platform/db/locks.ts';
import * as queries from './queries.ts';
import { SESSION_MS } from './tempos.ts';

const MODULUS_BITS = 2_048;
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SERIAL_BYTES = 16;
const CERTIFICATE_MS = 10 * 365 * 86_400_000;
const REFRESH_SECRET_BYTES = 32;
/** How often a process looks for keys that another one made or deleted: what is deleted stops within five seconds. */
const REREAD_MS = 4_000;
/** A key that this process does not know may be a new one; asked for at most this often. */
const REREAD_FOR_UNKNOWN_MS = 1_000;
/** A new key signs only after every process, and every client that keeps the JWKS for a moment, can know it. */
const SETTLED_AFTER_MS = 60_000;

/** A key as the JWKS publishes it, in the order of Keycloak. */
interface ChavePublica {
  kid: string;
  kty: 'RSA';
  alg: 'RS256';
  use: 'sig';
  x5c: string[];
  x5t: string;
  'x5t#S256': string;
  n: string;
  e: string;
}

interface ChaveDoEmissor {
  kid: string;
  criadaEm: number;
  privada: webcrypto.CryptoKey;
  publica: webcrypto.CryptoKey;
  /** Signs refresh tokens, which nobody but the issuer reads: HS256 costs a hundredth of RS256. */
  segredo: webcrypto.CryptoKey;
  jwk: ChavePublica;
}

type KeyDeps = Pick<Deps, 'db' | 'clock' | 'log'> & { vault: Vault; reino: string };

/** Keys held in memory, opened once; read again in the background. */
export class ChavesDoEmissor {
  readonly #deps: KeyDeps;
  /** Newest first. */
  #chaves: readonly ChaveDoEmissor[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: KeyDeps) {
    this.#deps = deps;
  }

  /** Loads the keys, makes the first one when there is none, and keeps them fresh until `stop`. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.#chaves.length === 0) {
      const nova = await makeChave(this.#deps);
      // Two processes may start at once: the second transaction sees the key of the first.
      await this.#deps.db.write.transaction().execute(async (trx) => {
        await lockFor(trx, LOCK.chavesDoEmissor);
        if ((await queries.findChaves(trx)).length === 0) await insertChave(trx, this.#deps, nova);
      });
      await this.refresh();
    }
    this.#timer = setInterval(() => void this.#refreshQuietly(), REREAD_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async refresh(): Promise<void> {
    this.#readAt = this.#deps.clock.now();
    const rows = await queries.findChaves(this.#deps.db.read);
    const opened = new Map(this.#chaves.map((chave) => [chave.kid, chave]));
    this.#chaves = await Promise.all(rows.map(async (row) => opened.get(row.kid) ?? this.#open(row)));
  }

  /** The key that signs now. */
  atual(): ChaveDoEmissor {
    const settledBefore = this.#deps.clock.now() - SETTLED_AFTER_MS;
    const chave = this.#chaves.find(({ criadaEm }) => criadaEm <= settledBefore) ?? this.#chaves.at(-1);
    if (!chave) throw new Error('the issuer has no key');
    return chave;
  }

  /** The key of a token, while anything that it signed can be valid. */
  async find(kid: unknown): Promise<ChaveDoEmissor | undefined> {
    const known = this.#vivas().find((chave) => chave.kid === kid);
    if (known || this.#deps.clock.now() - this.#readAt < REREAD_FOR_UNKNOWN_MS) return known;
    await this.#refreshQuietly();
    return this.#vivas().find((chave) => chave.kid === kid);
  }

  /** What `certs` answers. */
  jwks(): { keys: ChavePublica[] } {
    return { keys: this.#vivas().map(({ jwk }) => jwk) };
  }

  #vivas(): readonly ChaveDoEmissor[] {
    const lapsedBefore = this.#deps.clock.now() - SETTLED_AFTER_MS - SESSION_MS;
    const replacement = this.#chaves.findIndex(({ criadaEm }) => criadaEm <= lapsedBefore);
    return replacement < 0 ? this.#chaves : this.#chaves.slice(0, replacement + 1);
  }

  async #open(row: Awaited<ReturnType<typeof queries.findChaves>>[number]): Promise<ChaveDoEmissor> {
    const pkcs8 = this.#deps.vault.open(row.selada, sealContext(row.kid));
    const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    const segredo = hkdfSync('sha256', pkcs8, row.kid, 'malote refresh token', REFRESH_SECRET_BYTES);
    pkcs8.fill(0);
    return {
      kid: row.kid,
      criadaEm: row.criada_em,
      privada: privateKey.toCryptoKey(RSA, false, ['sign']),
      publica: createPublicKey(privateKey).toCryptoKey(RSA, true, ['verify']),
      segredo: createSecretKey(new Uint8Array(segredo)).toCryptoKey(HMAC, false, ['sign', 'verify']),
      jwk: publish(row.kid, Buffer.from(row.certificado)),
    };
  }

  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'chaves do emissor não foram relidas');
    }
  }
}

/**
 * Makes another signing key. It signs a minute later; the one before verifies until its tokens have lapsed.
 * @param input `imediatamente`: the keys before are deleted at once, with every token that they signed
 * @returns its kid
 */
export async function rotateChaves(
  deps: Pick<Deps, 'db' | 'clock'> & { vault: Vault; reino: string },
  input: { imediatamente: boolean },
): Promise<string> {
  const nova = await makeChave(deps);
  await deps.db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.chavesDoEmissor);
    const agora = deps.clock.now();
    const lapsed = (await queries.findChaves(trx)).find(
      ({ criada_em }) => criada_em <= agora - SETTLED_AFTER_MS - SESSION_MS,
    );
    // Keys older than one that has signed for so long have nothing left to verify.
    const before = input.imediatamente ? agora + 1 : lapsed?.criada_em;
    if (before !== undefined) await queries.deleteChavesBefore(trx, before);
    await insertChave(trx, deps, nova);
    await auditar(trx, {
      em: agora,
      acao: ACAO.chaveDeAssinaturaCriada,
      contadorId: null,
      autor: 'cli',
      alvo: `chave_do_emissor/${nova.kid}`,
      detalhe: { imediatamente: input.imediatamente },
    });
  });
  return nova.kid;
}

interface ChaveNova {
  kid: string;
  pkcs8: Buffer;
  certificado: Buffer;
}

async function makeChave(deps: Pick<Deps, 'clock'> & { reino: string }): Promise<ChaveNova> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const from = deps.clock.now();
  return {
    kid: kidOf(privateKey),
    pkcs8: privateKey.export({ type: 'pkcs8', format: 'der' }),
    certificado: selfSignedCertificate({
      privateKey,
      commonName: deps.reino,
      serial: randomBytes(SERIAL_BYTES),
      from,
      to: from + CERTIFICATE_MS,
    }),
  };
}

async function insertChave(
  trx: Trx,
  deps: Pick<Deps, 'clock'> & { vault: Vault },
  nova: ChaveNova,
): Promise<void> {
  await lockFor(trx, LOCK.chaveMestra, [lockKey(nova.kid)]);
  await queries.insertChave(trx, {
    kid: nova.kid,
    selada: deps.vault.seal(nova.pkcs8, sealContext(nova.kid)),
    certificado: new Uint8Array(nova.certificado),
    criada_em: deps.clock.now(),
  });
  nova.pkcs8.fill(0);
}

/** Binds the sealed bytes to their row. */
export function sealContext(kid: string): string {
  return `chave_do_emissor/${kid}`;
}

/** SHA-256 of the public key, as Keycloak names its keys. */
function kidOf(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}

function publish(kid: string, certificado: Buffer): ChavePublica {
  const { n = '', e = '' } = new X509Certificate(certificado).publicKey.export({ format: 'jwk' });
  const thumbprint = (algorithm: string) => createHash(algorithm).update(certificado).digest('base64url');
  return {
    kid,
    kty: 'RSA',
    alg: 'RS256',
    use: 'sig',
    x5c: [certificado.toString('base64')],
    x5t: thumbprint('sha1'),
    'x5t#S256': thumbprint('sha256'),
    n,
    e,
  };
}
