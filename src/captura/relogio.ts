/**
 * A clock that nobody sets, for the hours that services count: how long the machines of an installation have run. When
 * somebody sets the clock of a machine, forwards or backwards, waits stay as long as they were; a process that is started
 * again goes on with the same clock. A machine that is started again goes on from what the clock said last: how long it was
 * off is told by the wall clock alone, which may have been set meanwhile, so that it counts for nothing. An hour that was not
 * over then is waited out.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Kysely } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Clock } from '../platform/clock.ts';
import * as queries from './queries.ts';

/** What the steady clock is made of. */
interface Maquina {
  /** Tells this run of the machine from others. */
  partida: string;
  /** ms since it began, sleep included. */
  corrido(): number;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** Of several machines one that starts is behind the others by so much at most: less than what is added to each hour. */
const ANOTAR_A_CADA_MS = 20_000;

/** Where the system does not say which run it is, the process stands for it. */
function estaMaquina(): Maquina {
  let partida: string = randomUUID();
  try {
    partida = readFileSync(BOOT_ID, 'utf8').trim() || partida;
  } catch {
    // Not Linux.
  }
  return { partida, corrido: () => Math.floor(uptime() * 1_000) };
}

export class Relogio {
  readonly #db: Kysely<Tabelas>;
  readonly #clock: Clock;
  readonly #maquina: Maquina;
  readonly #inicio: number;

  private constructor(
    deps: { db: { write: Kysely<Tabelas> }; clock: Clock },
    maquina: Maquina,
    inicio: number,
  ) {
    this.#db = deps.db.write;
    this.#clock = deps.clock;
    this.#maquina = maquina;
    this.#inicio = inicio;
  }

  /** The wall clock is believed once, when there is no clock yet. */
  static async open(
    deps: { db: { write: Kysely<Tabelas> }; clock: Clock },
    maquina: Maquina = estaMaquina(),
  ): Promise<Relogio> {
    const { partida } = maquina;
    const agora = (await queries.lastVisto(deps.db.write)) ?? deps.clock.now();
    const inicio = await queries.firstInicio(deps.db.write, {
      partida,
      inicio: agora - maquina.corrido(),
      agora,
    });
    return new Relogio(deps, maquina, inicio);
  }

  /** ms, of the steady clock. */
  agora(): number {
    return this.#inicio + this.#maquina.corrido();
  }

  /** ms UTC, as people's clocks say it now. */
  parede(): number {
    return this.#clock.now();
  }

  /** When people's clocks will say that an instant of the steady clock has come. */
  naParede(instante: number): number {
    return instante - this.agora() + this.parede();
  }

  /** Writes down what it says, for a machine that starts after this one has ended. */
  async anotar(): Promise<void> {
    await queries.updateVisto(this.#db, { partida: this.#maquina.partida, agora: this.agora() });
  }

  /** Writes it down now and then, until what is returned is called. @param failed is told why it could not */
  manter(failed: (error: unknown) => void): () => void {
    const timer = setInterval(() => void this.anotar().catch(failed), ANOTAR_A_CADA_MS).unref();
    return () => clearInterval(timer);
  }
}
