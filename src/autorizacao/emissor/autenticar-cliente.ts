/**
 * Client authentication. Secrets are kept as scrypt, some 60 ms a try, so a secret that was right is remembered as a
 * keyed hash and compared in microseconds. Whatever is wrong, known client or not, costs one round of scrypt and
 * counts as a failed attempt of the client id and of the address. Where there were too many, what is remembered still
 * gets in at once, and another right secret when its turn comes.
 */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import { hashSecret, isSecret, makeSecret } from '../../platform/crypto/segredo.ts';
import type { Janelas } from '../../platform/http/janelas.ts';
import { createFailureLimit, type FailureLimit, HeldUp } from '../../platform/http/tentativas.ts';
import { NoPlace, Shares } from '../../platform/threads/shares.ts';
import type { ClienteOauth, ClientesOauth } from '../clientes-oauth.ts';
import type { Credenciais } from './credenciais.ts';
import { clienteInvalido, type OauthError, ocupado, tentativasDemais } from './erros.ts';

/** A client, or an address, may fail so often; more tries are held up (docs/emissores.md). */
const FAILURES_PER_MINUTE = 10;
/** Nobody guesses 32 random bytes: the pause only keeps those who try from the processor. */
const LENTAS = { everyMs: 250, waitingMax: 50, waitMs: 10_000 };
/** A right secret is remembered this long. Whether it still works is read with its client, every few seconds. */
const REMEMBERED_MS = 600_000;
const REMEMBERED_SECRETS = 10_000;
/** scrypt takes 32 MiB and a core each time. The other threads of the pool are left to the rest of the service. */
const SCRYPT_AT_ONCE = { each: 2, capacity: 3 };
/** Whoever would wait longer is told to come back: at 60 ms each there are more than a hundred before him. */
const SCRYPT_WAIT_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;
/** Longer ones exist nowhere: answered as unknown, without work. */
const CREDENTIAL_CHARACTERS = 1_000;

/** A secret that was right. */
interface Acerto {
  cliente: ClienteOauth;
  hash: string;
}

interface Lembranca {
  prova: Buffer;
  ate: number;
}

export class AutenticadorDeClientes {
  readonly #deps: Pick<Deps, 'clock' | 'log'> & { clientes: ClientesOauth; reino: string };
  readonly #failures: FailureLimit;
  /** Addresses take turns: who tries without end holds up himself. */
  readonly #turns = new Shares({ ...SCRYPT_AT_ONCE, waitMs: SCRYPT_WAIT_MS });
  /** By salted hash, which no other secret ever has. The proof is keyed, so that a copy of the memory is of no use elsewhere. */
  readonly #remembered = boundedCache<string, Lembranca>(REMEMBERED_SECRETS);
  /** Not the bare bytes, which Node would make a key of again for each request. */
  readonly #key = createSecretKey(randomBytes(32));
  /** Tries of the same credentials that are under way: a cold start with many requests costs one scrypt. */
  readonly #underWay = new Map<string, Promise<ClienteOauth | null>>();
  /** What an unknown client is compared with. */
  #nobody: Promise<string> | undefined;

  constructor(
    deps: Pick<Deps, 'clock' | 'log'> & { clientes: ClientesOauth; reino: string; janelas?: Janelas },
  ) {
    this.#deps = deps;
    const { janelas } = deps;
    this.#failures = createFailureLimit({
      failuresPerMinute: FAILURES_PER_MINUTE,
      lanes: LENTAS,
      ...(janelas ? { janelas } : {}),
    });
  }

  /** @throws OauthError 401 invalid_client, 429 or 503 temporarily_unavailable */
  async authenticate(credenciais: Credenciais, input: { endereco: string }): Promise<ClienteOauth> {
    const keys = [`cliente/${credenciais.clientId}`, `endereco/${input.endereco}`] as const;
    if (!mayBeRight(credenciais)) {
      await this.#refuseHeldUp(keys);
      throw this.#refused(credenciais);
    }
    const cliente = await this.#deps.clientes.find(credenciais.clientId);
    const prova = this.#proofOf(credenciais.secret);
    if (cliente && this.#recalls(cliente, prova)) return this.#accepted(cliente);
    const right = await this.#tryOnce(credenciais, { cliente, prova, keys });
    if (!right) throw this.#refused(credenciais);
    return this.#accepted(right);
  }

  #accepted(cliente: ClienteOauth): ClienteOauth {
    this.#deps.clientes.noteUse(cliente);
    return cliente;
  }

  #refused({ porCabecalho }: Credenciais): OauthError {
    return clienteInvalido({ reino: this.#deps.reino, porCabecalho });
  }

  /** @throws OauthError 429 */
  #refuseHeldUp(keys: readonly string[]): Promise<void> {
    return this.#failures.refuse(keys).catch(toTentativasDemais);
  }

  #recalls(cliente: ClienteOauth, prova: Buffer): boolean {
    const agora = this.#deps.clock.now();
    return this.#alive(cliente).some(({ hash }) => {
      const known = this.#remembered.get(hash);
      return known !== undefined && known.ate > agora && timingSafeEqual(known.prova, prova);
    });
  }

  #tryOnce(
    credenciais: Credenciais,
    input: { cliente: ClienteOauth | null; prova: Buffer; keys: readonly [string, string] },
  ): Promise<ClienteOauth | null> {
    const key = `${credenciais.clientId}\n${input.prova.toString('base64')}`;
    const before = this.#underWay.get(key);
    if (before) return before;
    const trying = this.#try(credenciais, input).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, trying);
    return trying;
  }

  async #try(
    credenciais: Credenciais,
    {
      cliente,
      prova,
      keys,
    }: { cliente: ClienteOauth | null; prova: Buffer; keys: readonly [string, string] },
  ): Promise<ClienteOauth | null> {
    const vez = await this.#failures.admit(keys).catch(toTentativasDemais);
    try {
      return await this.#turns.run(keys[1], async () => {
        // Those that waited while others failed are not let through.
        if (!vez) await this.#refuseHeldUp(keys);
        const right =
          (await this.#compare(cliente, credenciais.secret)) ??
          (await this.#compareAnew(cliente, credenciais));
        if (right) {
          this.#remembered.set(right.hash, { prova, ate: this.#deps.clock.now() + REMEMBERED_MS });
          return right.cliente;
        }
        await this.#failures.count(keys);
        this.#deps.log.warn(
          { endereco: keys[1], ...(cliente ? { clientId: cliente.clientId } : {}) },
          'credenciais de cliente OAuth recusadas',
        );
        if (vez) throw tentativasDemais(vez.seconds);
        return null;
      });
    } catch (error) {
      if (error instanceof NoPlace) throw ocupado(RETRY_AFTER_SECONDS, error);
      throw error;
    }
  }

  /**
   * Compares with every secret that works, all at once, so that their number does not show in the time.
   * @returns the client with the hash of the right one
   */
  async #compare(cliente: ClienteOauth | null, secret: string): Promise<Acerto | null> {
    const alive = cliente ? this.#alive(cliente) : [];
    if (!cliente || alive.length === 0) {
      this.#nobody ??= hashSecret(makeSecret());
      await isSecret(secret, await this.#nobody);
      return null;
    }
    const right = await Promise.all(alive.map(({ hash }) => isSecret(secret, hash)));
    const hash = alive[right.indexOf(true)]?.hash;
    return hash === undefined ? null : { cliente, hash };
  }

  /**
   * Looks at the client in the database once more when the secret did not fit: what is remembered may be seconds old, and
   * the secret new. The limit of failures bounds how often that happens, and only secrets that were not tried yet cost
   * another round.
   */
  async #compareAnew(known: ClienteOauth | null, { clientId, secret }: Credenciais): Promise<Acerto | null> {
    const cliente = await this.#deps.clientes.findAnew(clientId);
    const tried = new Set(known?.segredos.map(({ hash }) => hash));
    const segredos = cliente?.segredos.filter(({ hash }) => !tried.has(hash)) ?? [];
    if (!cliente || segredos.length === 0) return null;
    const right = await this.#compare({ ...cliente, segredos }, secret);
    return right && { ...right, cliente };
  }

  #alive(cliente: ClienteOauth): ClienteOauth['segredos'] {
    const agora = this.#deps.clock.now();
    return cliente.segredos.filter(({ expiraEm }) => expiraEm === null || expiraEm > agora);
  }

  #proofOf(secret: string): Buffer {
    return createHmac('sha256', this.#key).update(secret).digest();
  }
}

/** Nobody has an empty secret, or such long names: no guess, so no work and no count. */
function mayBeRight({ clientId, secret }: Credenciais): boolean {
  return secret !== '' && clientId.length <= CREDENTIAL_CHARACTERS && secret.length <= CREDENTIAL_CHARACTERS;
}

function toTentativasDemais(error: unknown): never {
  throw error instanceof HeldUp ? tentativasDemais(error.seconds) : error;
}
