/**
 * Which feeds have got entries, whoever imported them: documents are numbered as they come, so the newest number tells
 * whether any came. While they go on coming, or a file waits for its import, nothing is told, since an import needs the
 * processors itself.
 */
import type { Deps } from '../../deps.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { countOpenJobs } from '../../platform/jobs/queue.ts';
import { findFeedsComNovos, findUltimoDocumento } from '../queries-novidades.ts';

/** Between two looks; an import commits more often. */
const LOOK_EVERY_MS = 1_000;

export interface FeedComNovos {
  clienteId: number;
  /** Entries at the end of the feed, about. */
  quantos: number;
}

/** One for the process. What came before its first look is nothing new. */
export class Novidades {
  readonly #deps: Pick<Deps, 'db'>;
  readonly #monotonicMs: () => number;
  readonly #most: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #commits: number | null = null;
  /** The newest document at the last look, and the newest that was told. */
  #ultimo: number | null = null;
  #contado = 0;
  /** Files wait or were being imported at the last look. */
  #abertos = false;

  /** @param options.most entries that are told of at once, of all feeds: the newest */
  constructor(deps: Pick<Deps, 'db'>, options: { most: number; monotonicMs?: () => number }) {
    this.#deps = deps;
    this.#most = options.most;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  /** Feeds with new entries, each told once. Null while entries are coming, and between two looks. */
  async take(): Promise<FeedComNovos[] | null> {
    const now = this.#monotonicMs();
    if (now - this.#lookedAt < LOOK_EVERY_MS) return null;
    this.#lookedAt = now;
    if (!(await this.#standsStill())) return null;
    const [depoisDe, ate] = [this.#contado, this.#ultimo ?? 0];
    if (ate <= depoisDe) return [];
    const input = { depoisDe, ate, limite: this.#most };
    const feeds = await runAsService(() => findFeedsComNovos(this.#deps.db.read, input));
    this.#contado = ate;
    return feeds;
  }

  /** Whether anything has come since the last look, or is about to. */
  async goesOn(): Promise<boolean> {
    const before = this.#ultimo;
    return (await this.#look()) !== before || this.#abertos;
  }

  async #standsStill(): Promise<boolean> {
    const before = this.#ultimo;
    const now = await this.#look();
    if (before === null) this.#contado = now;
    return now === before && !this.#abertos;
  }

  async #look(): Promise<number> {
    const commits = this.#deps.db.commits();
    if (this.#ultimo !== null && commits !== null && commits === this.#commits) return this.#ultimo;
    this.#commits = commits;
    const { read } = this.#deps.db;
    // First whether files are open: what a file has brought that is not is in the newest number.
    this.#abertos = (await runAsService(() => countOpenJobs(read, { upTo: 1 }))) > 0;
    this.#ultimo = await runAsService(() => findUltimoDocumento(read));
    return this.#ultimo;
  }
}
