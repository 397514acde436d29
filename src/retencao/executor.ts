/** Does the long steps of deletions in the background of a process. Several processes share them by leases. */
import { randomUUID } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { ExclusaoPerdida, prepareExclusao, releasePacotes, runExclusao } from './executar.ts';
import { Falhas, takeForFailure } from './falhas.ts';
import * as queries from './queries-exclusoes.ts';

type ExecutorDeps = Pick<Deps, 'db' | 'clock' | 'storage' | 'log'>;

const OLHAR_MS = 1_000;
/** A dead process' deletion is taken over after this. */
const LEASE_MS = 60_000;
const AUTOR = 'sistema';

/** Does one deletion's next step now. @returns false when another process has it */
export async function advanceExclusao(
  deps: Pick<Deps, 'db' | 'clock' | 'storage'>,
  input: { exclusao: queries.Exclusao; por: string; parar?: () => boolean },
): Promise<boolean> {
  const { exclusao, por } = input;
  const lease = () => {
    const agora = deps.clock.now();
    return queries.leaseExclusao(deps.db.write, { id: exclusao.id, por, agora, ate: agora + LEASE_MS });
  };
  if (!(await lease())) return false;
  const aindaMinha = async () => {
    if (input.parar?.()) return false;
    const now = await queries.findExclusao(deps.db.read, {
      contadorId: exclusao.contador_id,
      id: exclusao.id,
    });
    return now?.estado === exclusao.estado && (await lease());
  };
  const step = exclusao.estado === 'preparando' ? prepareExclusao : runExclusao;
  await step(deps, { exclusao, autor: AUTOR, aindaMinha });
  return true;
}

/** The background loop; it lives as long as the process. */
export class ExecutorDeExclusoes {
  readonly #deps: ExecutorDeps;
  readonly #por = randomUUID();
  readonly #falhas = new Falhas();
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => void this.wake(), OLHAR_MS).unref();
    void this.wake();
  }

  /** Looks at once; harmless while a turn is going on. @returns when it has looked; never fails */
  wake(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#look());
    return this.#turn;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#turn;
  }

  async #look(): Promise<void> {
    if (this.#stopping) return;
    try {
      const { db, clock } = this.#deps;
      const now = clock.now();
      const open = await queries.findExclusoesAFazer(db.read);
      if (await queries.hasLapsed(db.read, now)) {
        await db.write.transaction().execute((trx) => queries.expireExclusoes(trx, now));
      }
      this.#falhas.esqueceMenos(new Set(open.map(({ id }) => id)));
      for (const exclusao of open) await this.#advance(exclusao);
      await releasePacotes(this.#deps);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a look at deletions failed');
    }
  }

  async #advance(exclusao: queries.Exclusao): Promise<void> {
    const { log, clock } = this.#deps;
    const { id } = exclusao;
    if (this.#falhas.pausada(id, clock.now())) return;
    const por = this.#por;
    try {
      await advanceExclusao(this.#deps, { exclusao, por, parar: () => this.#stopping });
    } catch (error) {
      if (error instanceof ExclusaoPerdida) return;
      const last = this.#falhas.conta(id, clock.now());
      log.error(
        { err: error, exclusao: id },
        last
          ? 'a step of a deletion failed once more, and waits until somebody asks for it'
          : 'a step of a deletion failed, and is tried again',
      );
      if (last) await takeForFailure(this.#deps, { exclusao, por, autor: AUTOR, error });
    }
  }
}
