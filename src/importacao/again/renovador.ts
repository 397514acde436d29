/** Judges signers of stored documents anew, in the background of the import thread, once authorities were installed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { type DepsDaRenovacao, renewStep } from '../../documentos/review/renovar-signatarios.ts';
import type { Signatario } from '../../fiscal/tipos.ts';
import type { Leitor } from '../reading/leitores.ts';
import { type AutoridadesEmUso, desempacotar } from '../standards/autoridades.ts';

const OLHAR_A_CADA_MS = 5_000;
/**
 * Before each step while files are imported, so that they have the thread. Certificates that they bring are locked up to their
 * commit: the step waits for it, and on PostgreSQL the next commit for the step.
 */
const PAUSA_MS = 2_000;

type RenovadorDeps = Pick<Deps, 'db' | 'clock' | 'log'> &
  Pick<DepsDaRenovacao, 'aoMudar'> & { leitor: Leitor; emUso: AutoridadesEmUso };

/** Looks for what is to be judged now and then; lives as long as its thread. */
export class Renovador {
  readonly #deps: RenovadorDeps;
  readonly #livre: () => boolean;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  readonly #stop = new AbortController();

  /** @param livre nothing is imported */
  constructor(deps: RenovadorDeps, livre: () => boolean) {
    this.#deps = deps;
    this.#livre = livre;
    this.#timer = setInterval(() => {
      this.#running ??= this.#work().finally(() => {
        this.#running = null;
      });
    }, OLHAR_A_CADA_MS);
  }

  /** What is not done is done by whoever comes next. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    try {
      await renewProvas(this.#deps, {
        signal,
        pause: () => sleep(this.#livre() ? 0 : PAUSA_MS, undefined, { signal }).catch(() => {}),
      });
    } catch (err) {
      if (!signal.aborted)
        this.#deps.log.error({ err }, 'signers of stored documents could not be judged anew');
    }
  }
}

/** Steps until nothing is left to do. */
async function renewProvas(
  { db, clock, leitor, emUso, aoMudar }: Omit<RenovadorDeps, 'log'>,
  { signal, pause }: { signal: AbortSignal; pause(): Promise<void> },
): Promise<void> {
  const pacote = emUso.atual();
  let opened: ReturnType<typeof desempacotar> | null = null;
  const abrir = () => {
    opened ??= desempacotar(pacote);
    return opened;
  };
  const reler = (bytes: Uint8Array) => signatarioDe(leitor, bytes);
  const deps: DepsDaRenovacao = { db, clock, reler, ...(aoMudar && { aoMudar }) };
  for (let more = true; more; ) {
    await pause();
    more = !signal.aborted && (await renewStep(deps, { id: pacote.id, abrir }));
  }
}

/** Read where all documents are read, since its bytes came from outside. */
async function signatarioDe(leitor: Leitor, bytes: Uint8Array): Promise<Signatario | null> {
  const { pecas } = await leitor.read([{ caminho: '', bytes }]);
  const found = pecas.flat().find((peca) => peca.kind === 'registro');
  return found?.assinatura.signatario ?? null;
}
