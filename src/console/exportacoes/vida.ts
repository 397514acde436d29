/**
 * Which exports are still being made, among any number of processes. Each process shows for its own exports that it lives,
 * and tells as `interrompida` those whose process is gone, as the queue of imports does (`platform/jobs/takeover.ts`).
 */
import { randomUUID } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { fateOf, formatOwner, ownerHere } from '../../platform/jobs/owner.ts';
import { HEARTBEAT_MS, LeaseWatch } from '../../platform/jobs/takeover.ts';
import * as queries from './queries-exportacoes.ts';

interface VidaOptions {
  /** Ids of the exports that this process is making, or will. */
  minhas(): readonly string[];
  /** One of them is no longer in its hands: it was cancelled through another process, or told as interrupted. */
  onPerdida(id: string): void;
  /** Whatever an export that was interrupted may have left is to go. */
  onInterrompida(id: string): Promise<void>;
  /** Seam for tests. */
  watch?: LeaseWatch<string>;
}

export class VidaDasExportacoes {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #options: VidaOptions;
  readonly #owner = ownerHere({ processRun: randomUUID(), threadRun: 'exportacoes' });
  readonly #watch: LeaseWatch<string>;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>, options: VidaOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#watch = options.watch ?? new LeaseWatch();
  }

  /** This process, for the column `processo`. */
  get processo(): string {
    return formatOwner(this.#owner);
  }

  /** Looks once, and from then on every few seconds. */
  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => {
      // A slow database is not asked twice at once.
      this.#looking ??= this.look().finally(() => {
        this.#looking = null;
      });
    }, HEARTBEAT_MS).unref();
  }

  /** What this process was making is told as interrupted. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
    const { db, clock } = this.#deps;
    const { processo } = this;
    await db.write
      .transaction()
      .execute((trx) => queries.interruptAll(trx, { processo, agora: clock.now() }))
      .catch(() => {});
  }

  /** Shows a sign of life, and looks at those of others. */
  async look(): Promise<void> {
    try {
      await this.#renew();
      await this.#takeOver();
    } catch (err) {
      this.#deps.log.error({ err }, 'exports of other processes could not be looked at');
    }
  }

  async #renew(): Promise<void> {
    const ids = this.#options.minhas();
    if (ids.length === 0) return;
    const { processo } = this;
    const held = await this.#deps.db.write
      .transaction()
      .execute((trx) => queries.renewVivas(trx, { ids, processo }));
    const still = new Set(this.#options.minhas());
    for (const id of ids) if (!held.has(id) && still.has(id)) this.#options.onPerdida(id);
  }

  async #takeOver(): Promise<void> {
    const { db, clock } = this.#deps;
    const vivas = (await queries.findVivas(db.read)).filter(({ processo }) => processo !== this.processo);
    const held = vivas.map(({ id, processo, batida }) => ({ id, tomado_por: processo, batida }));
    const lapsed = this.#watch.look(held);
    for (const { id, processo, batida } of vivas) {
      if (fateOf(processo, this.#owner) === 'unknown' && !lapsed.has(id)) continue;
      const agora = clock.now();
      const taken = await db.write
        .transaction()
        .execute((trx) => queries.interrupt(trx, { id, processo, batida, agora }));
      if (taken) await this.#options.onInterrompida(id);
    }
  }
}
