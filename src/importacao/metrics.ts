/** What the import of a process counts. Plain numbers that only grow; the depth of the queue is asked of the database. */
export interface MetricasDaImportacao {
  /** Things found in files, by `resultado`. */
  itens: Record<string, number>;
  /** Finished files, by `status`. */
  arquivos: Record<string, number>;
  /** Seconds of work by step: `descompactar` and `gravar` in the import thread, `ler` summed over the reader threads. */
  segundos: Record<'descompactar' | 'ler' | 'gravar', number>;
  /** Tries that ended with an error of ours. */
  falhas: number;
  /** Times that the import thread was started again after it had died. */
  reinicios: number;
}

export function emptyMetrics(): MetricasDaImportacao {
  return {
    itens: {},
    arquivos: {},
    segundos: { descompactar: 0, ler: 0, gravar: 0 },
    falhas: 0,
    reinicios: 0,
  };
}

/** Adds what one thread has counted since it last told. */
function addMetrics(total: MetricasDaImportacao, delta: MetricasDaImportacao): void {
  total.falhas += delta.falhas;
  total.reinicios += delta.reinicios;
  for (const name of ['itens', 'arquivos', 'segundos'] as const) {
    const into: Record<string, number> = total[name];
    for (const [key, value] of Object.entries(delta[name])) into[key] = (into[key] ?? 0) + value;
  }
}

/** Totals of this process: the import thread sends what it counts (`worker.ts`). */
const totals = emptyMetrics();

/** What the import of this process has counted since it started. */
export function importacaoMetrics(): MetricasDaImportacao {
  return structuredClone(totals);
}

/** Takes over what a thread has counted since it last told. */
export function recordMetrics(delta: MetricasDaImportacao): void {
  addMetrics(totals, delta);
}
