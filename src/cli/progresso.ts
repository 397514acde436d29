import { SingleBar } from 'cli-progress';
import type { Saida } from './saida.ts';

/** Without a terminal a line is written at most this often, so that a log file stays readable. */
const LINE_EVERY_MS = 5_000;

/** Shows how far a long command is. */
export interface Progresso {
  avancar(by?: number): void;
  /** The total turned out to be another one. */
  total(value: number): void;
  /** A sentence between the bar's lines. */
  dizer(text: string): void;
  fim(): void;
}

/**
 * A bar on a terminal, plain lines otherwise, nothing with `--json`.
 * @param unidade plural, such as `documentos`
 */
export function createProgresso(saida: Saida, input: { total: number; unidade: string }): Progresso {
  if (saida.json) return { avancar() {}, total() {}, dizer() {}, fim() {} };
  return process.stderr.isTTY ? bar(saida, input) : lines(saida, input);
}

function bar(saida: Saida, { total, unidade }: { total: number; unidade: string }): Progresso {
  const single = new SingleBar({
    format: `  {bar} {percentage}% | {value}/{total} ${unidade} | faltam {eta_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  single.start(total, 0);
  return {
    avancar: (by = 1) => single.increment(by),
    total: (value) => single.setTotal(value),
    dizer(text) {
      process.stderr.write('\r\x1b[K');
      saida.info(text);
      single.render();
    },
    fim: () => single.stop(),
  };
}

function lines(saida: Saida, { total, unidade }: { total: number; unidade: string }): Progresso {
  let all = total;
  let done = 0;
  let toldAt = performance.now();
  return {
    avancar(by = 1) {
      done += by;
      if (performance.now() - toldAt < LINE_EVERY_MS) return;
      toldAt = performance.now();
      saida.info(`  ${done} de ${all} ${unidade}`);
    },
    total(value) {
      all = value;
    },
    dizer: (text) => saida.info(text),
    fim() {},
  };
}

/** The progress of what has several stages, each counted anew; nothing is shown before the first. */
export class Etapas {
  readonly #saida: Saida;
  #progresso: Progresso | null = null;

  constructor(saida: Saida) {
    this.#saida = saida;
  }

  begin(input: { total: number; unidade: string }): void {
    this.end();
    this.#progresso = createProgresso(this.#saida, input);
  }

  readonly avancar = (by: number): void => this.#progresso?.avancar(by);
  readonly end = (): void => this.#progresso?.fim();
}
