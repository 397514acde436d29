/**
 * The secrets that sign upload and download addresses. Several live at once: the newest settled one signs, every
 * one that is not retired verifies. A rotation makes a new one; the old ones are retired once all of their addresses
 * have lapsed. That happens by itself when the newest is a month old, and when an operator asks for it.
 */

import { randomBytes } from 'node:crypto';
import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Trx } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import { signAddress, verifyAddress } from '../platform/crypto/assinar-endereco.ts';
import type { Vault } from '../platform/crypto/cofre.ts';
import { LOCK, lockFor, lockKey } from '../platform/db/locks.ts';
import type { Enderecos } from './contexto.ts';
import * as queries from './queries.ts';

const SECRET_BYTES = 32;
const KID_PREFIX = 'MLT';
const KID_RANDOM_CHARACTERS = 17;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** How often a process looks for keys that another one made or retired: what is retired stops within five seconds. */
const REFRESH_MS = 4_000;
/** A new key signs only after every process has had time to read it; else they would refuse its addresses. */
const SETTLED_AFTER_MS = 60_000;
/** No address works for longer; the longest, of a document, does so for twenty minutes. */
const ADDRESS_MS = 3_600_000;
/** Whoever has come by a secret without our knowledge has it for no longer. */
const NEWEST_AT_MOST_MS = 30 * 86_400_000;

interface ChaveDeEndereco {
  kid: string;
  secret: Buffer;
  criadaEm: number;
}

type KeyDeps = Pick<Deps, 'db' | 'clock' | 'log'> & { vault: Vault };

/**
 * Makes another signing key, which begins to sign a minute later, and retires those whose addresses have all lapsed.
 * @param input `imediatamente`: all others are retired, with every address that they have signed. `seMaisVelhaQueMs`: only
 *   where the newest key is older
 * @returns its kid; null where the newest is not that old
 */
export async function rotateChaveDeEndereco(
  deps: Pick<Deps, 'db' | 'clock'> & { vault: Vault },
  input: { imediatamente: boolean; autor: 'cli' | 'servidor'; seMaisVelhaQueMs?: number },
): Promise<string | null> {
  return deps.db.write.transaction().execute(async (trx) => {
    await lockFor(trx, LOCK.chavesDeEndereco);
    const agora = deps.clock.now();
    const before = await queries.findChavesDeEndereco(trx);
    const newest = before[0]?.criada_em ?? Number.NEGATIVE_INFINITY;
    if (input.seMaisVelhaQueMs !== undefined && agora - newest <= input.seMaisVelhaQueMs) return null;
    const kid = await insertNew(trx, deps);
    const lapsed = before.find(({ criada_em }) => criada_em <= agora - SETTLED_AFTER_MS - ADDRESS_MS);
    const kept = input.imediatamente ? kid : lapsed?.kid;
    if (kept !== undefined) {
      const retired = input.imediatamente
        ? before
        : before.slice(before.findIndex((row) => row.kid === kept) + 1);
      await queries.retireChavesDeEndereco(trx, { kids: retired.map((row) => row.kid), agora });
    }
    await auditar(trx, {
      em: agora,
      acao: ACAO.chaveDeEnderecoCriada,
      contadorId: null,
      autor: input.autor,
      alvo: `chave_de_endereco/${kid}`,
      detalhe: { imediatamente: input.imediatamente },
    });
    return kid;
  });
}

/** Signs and verifies with keys held in memory, so that both are synchronous; refreshes them in the background. */
export class ChavesDeEndereco implements Enderecos {
  readonly #deps: KeyDeps;
  #chaves: ChaveDeEndereco[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: KeyDeps) {
    this.#deps = deps;
  }

  /** Loads the keys, makes the first one when there is none, and keeps them fresh until `stop`. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.#chaves.length === 0) {
      // Two processes may start at once: the second transaction sees the key of the first.
      await this.#deps.db.write.transaction().execute(async (trx) => {
        await lockFor(trx, LOCK.chavesDeEndereco);
        if ((await queries.findChavesDeEndereco(trx)).length === 0) await insertNew(trx, this.#deps);
      });
      await this.refresh();
    }
    this.#timer = setInterval(() => void this.#refreshQuietly(), REFRESH_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async refresh(): Promise<void> {
    const rows = await queries.findChavesDeEndereco(this.#deps.db.read);
    this.#chaves = rows.map((row) => ({
      kid: row.kid,
      secret: this.#deps.vault.open(row.selada, sealContext(row.kid)),
      criadaEm: row.criada_em,
    }));
  }

  sign(input: { parts: readonly string[]; expiresAtSeconds: number }): { kid: string; signature: string } {
    const { kid, secret } = this.current();
    return { kid, signature: signAddress(secret, input) };
  }

  current(): { kid: string; secret: Uint8Array } {
    const settledBefore = this.#deps.clock.now() - SETTLED_AFTER_MS;
    const chave = this.#chaves.find(({ criadaEm }) => criadaEm <= settledBefore) ?? this.#chaves.at(-1);
    if (!chave) throw new Error('no key to sign addresses with');
    return chave;
  }

  verify(input: {
    kid: string;
    parts: readonly string[];
    expiresAtSeconds: number;
    signature: string;
  }): boolean {
    const chave = this.#chaves.find(({ kid }) => kid === input.kid);
    return chave !== undefined && verifyAddress(chave.secret, input, input.signature);
  }

  knows(kid: string): boolean {
    return this.#chaves.some((chave) => chave.kid === kid);
  }

  /** Whichever process comes first makes the new one. */
  async #rotateByAge(): Promise<void> {
    if (!isTooOld(this.#chaves[0], this.#deps.clock.now())) return;
    const input = { imediatamente: false, autor: 'servidor', seMaisVelhaQueMs: NEWEST_AT_MOST_MS } as const;
    if ((await rotateChaveDeEndereco(this.#deps, input)) !== null) await this.refresh();
  }

  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
      await this.#rotateByAge();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'chaves de endereço não foram relidas');
    }
  }
}

function isTooOld(chave: ChaveDeEndereco | undefined, agora: number): boolean {
  return chave !== undefined && agora - chave.criadaEm > NEWEST_AT_MOST_MS;
}

async function insertNew(trx: Trx, deps: Pick<Deps, 'clock'> & { vault: Vault }): Promise<string> {
  const kid = makeKid();
  await lockFor(trx, LOCK.chaveMestra, [lockKey(kid)]);
  await queries.insertChaveDeEndereco(trx, {
    kid,
    selada: deps.vault.seal(randomBytes(SECRET_BYTES), sealContext(kid)),
    criada_em: deps.clock.now(),
    aposentada_em: null,
  });
  return kid;
}

/** Binds the sealed bytes to their row. */
export function sealContext(kid: string): string {
  return `chave_de_endereco/${kid}`;
}

/** Looks like the access key ids of object stores: 20 capital letters and digits. */
function makeKid(): string {
  return (
    KID_PREFIX + Array.from(randomBytes(KID_RANDOM_CHARACTERS), (byte) => BASE32.charAt(byte & 31)).join('')
  );
}
