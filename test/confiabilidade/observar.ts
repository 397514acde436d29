/** Live readers: one that follows a feed, one that follows the states of files. Both outlive any crash. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Escritorio, Sonda } from './sonda.ts';
import { escopoDe } from './sonda.ts';

/** Each look costs both sides: five readers that never rest would take a core from what they watch. */
const IDLE_MS = 150;
const TERMINAIS = new Set(['Uploaded', 'Com Erro', 'Expirado']);

/** Reads one client's feed from its beginning for as long as it runs, as a system that synchronises does. */
export class Acompanhante {
  readonly escopo: string;
  /** Last NSU that was seen. */
  nsu = 0;
  readonly #quem: string;
  #running = true;
  readonly #loop: Promise<void>;

  constructor(
    sonda: Sonda,
    input: { escritorio: Escritorio; cpfCnpj: string; quem?: string; tamanho?: number },
  ) {
    const { escritorio, cpfCnpj, quem = 'acompanhante', tamanho = 100 } = input;
    this.escopo = escopoDe(escritorio, cpfCnpj);
    this.#quem = quem;
    this.#loop = this.#run(async () => {
      const page = await sonda.novos(escritorio, { cpfCnpj, nsu: this.nsu }, { tamanho });
      for (const entrada of page.entradas) {
        sonda.diario.noteLater({ fato: 'visto', escopo: this.escopo, quem: this.#quem, ...entrada });
        this.nsu = entrada.nsu;
      }
      return page.entradas.length > 0;
    });
  }

  async parar(): Promise<void> {
    this.#running = false;
    await this.#loop;
  }

  async #run(turn: () => Promise<boolean>): Promise<void> {
    while (this.#running) {
      const found = await turn().catch(() => false);
      if (!found) await delay(IDLE_MS);
    }
  }
}

/** Asks for the state of files until each is terminal, and notes every change. */
export class Vigia {
  readonly #sonda: Sonda;
  readonly #escritorio: Escritorio;
  readonly #quem: string;
  readonly #open = new Map<string, string>();
  #running = true;
  readonly #loop: Promise<void>;

  constructor(sonda: Sonda, input: { escritorio: Escritorio; quem?: string; pausaMs?: number }) {
    this.#sonda = sonda;
    this.#escritorio = input.escritorio;
    this.#quem = input.quem ?? 'vigia';
    this.#loop = this.#run(input.pausaMs ?? IDLE_MS);
  }

  vigiar(id: string): void {
    this.#open.set(id, '');
  }

  /** Files that are not terminal yet. */
  get abertos(): number {
    return this.#open.size;
  }

  async parar(): Promise<void> {
    this.#running = false;
    await this.#loop;
  }

  async #run(pausaMs: number): Promise<void> {
    while (this.#running) {
      for (const id of [...this.#open.keys()]) {
        if (!this.#running) return;
        await this.#look(id).catch(() => delay(IDLE_MS));
      }
      await delay(pausaMs);
    }
  }

  async #look(id: string): Promise<void> {
    const { status, log } = await this.#sonda.status(this.#escritorio, id);
    if (status !== this.#open.get(id)) {
      this.#open.set(id, status);
      this.#sonda.diario.anotar({ fato: 'status', id, status, em: Date.now(), quem: this.#quem });
    }
    if (!TERMINAIS.has(status)) return;
    if (log !== '') this.#sonda.diario.anotar({ fato: 'log', id, log });
    this.#open.delete(id);
  }
}
