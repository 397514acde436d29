/**
 * Tells a server that hangs (stopped, or behind a network that swallows everything) from a statement that takes long: when
 * an answer is late, the server is asked something on a connection of its own. If that is not answered either, everything
 * in work fails at once, and so does what comes, until the server answers again.
 */
import { DatabaseAwayError } from './faults.ts';

/** A statement of ours takes milliseconds; some take seconds. */
const LATE_MS = 2_000;
const LOOK_EVERY_MS = 500;

/** A connection with a statement in work. */
export interface WatchedConnection {
  /** Number of the server's process behind the connection. */
  readonly processID?: number | null;
  /** Its socket: what is in work on the connection fails with it. To end it in order would wait for the answers first. */
  readonly connection: { readonly stream: { destroy(): void } };
}

export interface WatchOptions {
  /**
   * Asks the server on a connection of its own.
   * @returns which of these processes of it have nothing in work @throws when there is no answer in time
   */
  ask(processIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** A statement that takes longer is late. */
  lateMs?: number;
  lookEveryMs?: number;
}

export class PostgresWatch {
  readonly #ask: WatchOptions['ask'];
  readonly #lateMs: number;
  readonly #timer: NodeJS.Timeout;
  /** Since when, by connection; each has one statement at a time. */
  readonly #inWork = new Map<WatchedConnection, number>();
  /** The server has nothing in work on these: the answer is on its way, or lost. */
  #answered = new Map<WatchedConnection, number>();
  #away: DatabaseAwayError | null = null;
  #outages = 0;
  #looking = false;

  constructor({ ask, lateMs = LATE_MS, lookEveryMs = LOOK_EVERY_MS }: WatchOptions) {
    this.#ask = ask;
    this.#lateMs = lateMs;
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  /** How often the server was away: connections from before are not to be trusted. */
  get outages(): number {
    return this.#outages;
  }

  /** @throws DatabaseAwayError while the server does not answer */
  requireAnswering(): void {
    if (this.#away) throw this.#away;
  }

  /** Follows a statement until it has ended, well or not. */
  async during<T>(connection: WatchedConnection, statement: Promise<T>): Promise<T> {
    this.#inWork.set(connection, performance.now());
    try {
      return await statement;
    } finally {
      this.#inWork.delete(connection);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const late = this.#late();
    if (this.#looking || (late.size === 0 && !this.#away)) return;
    this.#looking = true;
    try {
      const processIds = [...late.keys()].flatMap(({ processID }) => processID ?? []);
      const idle = await this.#ask(processIds);
      this.#away = null;
      this.#cutLost(late, idle);
    } catch (error) {
      this.#hangUp(error);
    } finally {
      this.#looking = false;
    }
  }

  #late(): Map<WatchedConnection, number> {
    const before = performance.now() - this.#lateMs;
    return new Map([...this.#inWork].filter(([, since]) => since < before));
  }

  /** One whose statement the server does not know of a second time, although it is late: nothing will come. */
  #cutLost(late: ReadonlyMap<WatchedConnection, number>, idle: ReadonlySet<number>): void {
    const answered = [...late].filter(
      ([connection, since]) => idle.has(connection.processID ?? 0) && this.#inWork.get(connection) === since,
    );
    for (const [connection, since] of answered) if (this.#answered.get(connection) === since) cut(connection);
    this.#answered = new Map(answered);
  }

  #hangUp(error: unknown): void {
    if (!this.#away) this.#outages += 1;
    this.#away = new DatabaseAwayError(error);
    for (const connection of this.#inWork.keys()) cut(connection);
  }
}

/** Whoever waits on it is told by his statement. */
function cut({ connection }: WatchedConnection): void {
  connection.stream.destroy();
}
