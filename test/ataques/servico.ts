/** The service as its unit file runs it: within its memory, and started again whenever it ends. Every such end is a fall. */
import { Processo, portaLivre } from '../confiabilidade/processo.ts';
import { arvoreDe, LIMITE_BYTES, limitador, memoriaDe } from './limite.ts';

/** `RestartSec` and `TimeoutStopSec` of the unit file. */
const RESTART_MS = 1_000;
const STOP_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;
/** More say nothing new, and the attack goes on against nobody. */
const FALLS_MAX = 30;
const IMPORT_THREAD_ENDED = 'the import thread ended and is started again';

export class Servico implements AsyncDisposable {
  /** pt-BR: why it ended, each time that nobody had asked for it. */
  readonly quedas: string[] = [];
  /** Deaths of the thread that imports. */
  mortesDaImportacao = 0;
  readonly #porta: number;
  readonly #env: Record<string, string>;
  readonly #olhar: NodeJS.Timeout;
  #processo: Processo | null = null;
  /** Whose end somebody has asked for. */
  #parando: Processo | null = null;
  #fechado = false;
  /** Highest resident memory of its lives so far, bytes. */
  picoBytes = 0;
  #picoDoTrecho = 0;
  #porque = '';
  #vida: Promise<void> = Promise.resolve();

  private constructor(porta: number, env: Record<string, string>) {
    this.#porta = porta;
    this.#env = env;
    this.#olhar = setInterval(() => this.#lookAtMemoria(), LOOK_EVERY_MS);
  }

  /** Resolves when it is ready. @throws when it does not come up */
  static async iniciar(env: Record<string, string>): Promise<Servico> {
    const servico = new Servico(await portaLivre(), env);
    if (await servico.#comecar()) return servico;
    await servico[Symbol.asyncDispose]();
    throw new Error('the service did not start');
  }

  get url(): string {
    return `http://127.0.0.1:${this.#porta}`;
  }

  /** Highest resident memory while something is done, above what it had before, bytes. */
  async crescimentoEm(acao: () => Promise<void>): Promise<number> {
    const antes = this.memoria;
    this.#picoDoTrecho = antes;
    await acao();
    return this.#picoDoTrecho - antes;
  }

  get memoria(): number {
    const pid = this.#processo?.vivo ? this.#processo.child.pid : undefined;
    return pid === undefined ? 0 : memoriaDe(pid);
  }

  /** What has been seen of it so far counts no more. */
  recomecar(): void {
    this.quedas.length = 0;
    this.mortesDaImportacao = 0;
    this.picoBytes = 0;
  }

  /** As an operator does it: no fall. */
  async reiniciar(): Promise<void> {
    await this.#parar();
    await this.#vida;
    if (!(await this.#comecar())) throw new Error('the service did not start again');
  }

  /** One life, and after it the next one. @returns whether it got ready */
  async #comecar(): Promise<boolean> {
    const processo = new Processo({
      nome: 'servico',
      porta: this.#porta,
      env: this.#env,
      por: limitador().por,
      medido: true,
      aoRegistrar: (line) => {
        if (line.includes(IMPORT_THREAD_ENDED)) this.mortesDaImportacao += 1;
      },
    });
    this.#processo = processo;
    this.#vida = processo.terminou.then(() => this.#terminou(processo));
    return (await processo.pronto()) !== null;
  }

  #terminou(processo: Processo): void {
    if (processo === this.#parando || this.#fechado) return;
    const { exitCode, signalCode } = processo.child;
    this.quedas.push(this.#porque || `terminou sozinho (${signalCode ?? `código ${exitCode}`})`);
    this.#porque = '';
    if (this.quedas.length >= FALLS_MAX) return;
    setTimeout(() => {
      // Somebody may have started it meanwhile.
      if (!this.#fechado && this.#processo === processo) void this.#comecar();
    }, RESTART_MS);
  }

  #lookAtMemoria(): void {
    const bytes = this.memoria;
    this.picoBytes = Math.max(this.picoBytes, bytes);
    this.#picoDoTrecho = Math.max(this.#picoDoTrecho, bytes);
    if (bytes <= LIMITE_BYTES) return;
    this.#porque = 'passou do limite de memória';
    const pid = this.#processo?.child.pid;
    if (pid === undefined) return;
    for (const one of arvoreDe(pid)) matar(one);
  }

  async #parar(): Promise<void> {
    const processo = this.#processo;
    if (!processo) return;
    this.#parando = processo;
    const late = setTimeout(() => processo.child.kill('SIGKILL'), STOP_WITHIN_MS);
    await processo.parar();
    clearTimeout(late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#fechado = true;
    clearInterval(this.#olhar);
    await this.#processo?.matar();
  }
}

function matar(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
}
