/**
 * A clock that nobody sets, for the hours that services count: how long the machine has run, with what the wall clock said of
 * its start when Malote saw it first. When somebody sets the clock of the machine, forwards or backwards, waits stay as long
 * as they were; a process that is started again goes on with the same clock. Only after a restart of the machine the wall
 * clock is believed anew.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Kysely } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Clock } from '../platform/clock.ts';
import * as queries from './queries.ts';

/** What the steady clock is made of. */
export interface Maquina {
  /** Tells this run of the machine from others. */
  partida: string;
  /** ms since it began, sleep included. */
  corrido(): number;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** Where the system does not say which run it is, the process stands for it. */
export function estaMaquina(): Maquina {
  let partida: string = randomUUID();
  try {
    partida = readFileSync(BOOT_ID, 'utf8').trim() || partida;
  } catch {
    // Not Linux.
  }
  return { partida, corrido: () => Math.floor(uptime() * 1_000) };
}

export class Relogio {
  readonly #clock: Clock;
  readonly #corrido: () => number;
  readonly #inicio: number;

  private constructor(clock: Clock, corrido: () => number, inicio: number) {
    this.#clock = clock;
    this.#corrido = corrido;
    this.#inicio = inicio;
  }

  static async open(
    { db, clock }: { db: { write: Kysely<Tabelas> }; clock: Clock },
    maquina: Maquina = estaMaquina(),
  ): Promise<Relogio> {
    const agora = clock.now();
    const inicio = await queries.firstInicio(db.write, {
      partida: maquina.partida,
      inicio: agora - maquina.corrido(),
      agora,
    });
    return new Relogio(clock, maquina.corrido, inicio);
  }

  /** ms, of the steady clock. */
  agora(): number {
    return this.#inicio + this.#corrido();
  }

  /** ms UTC, as people's clocks say it now. */
  parede(): number {
    return this.#clock.now();
  }

  /** When people's clocks will say that an instant of the steady clock has come. */
  naParede(instante: number): number {
    return instante - this.agora() + this.parede();
  }
}
