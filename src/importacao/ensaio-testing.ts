import type { PecaLida } from '../documentos/tipos.ts';
import { carregarEsquemas } from './esquemas-instalados.ts';
import { readContent } from './leitor.ts';
import type { Leitor } from './leitores.ts';
import { judged } from './pecas.ts';

const validador = carregarEsquemas({ dataFolder: '/nowhere' }, { lookEveryMs: 60_000 });

/** Reads in this thread and counts what it was given. */
export function countingReader(lidas: PecaLida[]): Leitor {
  return {
    atOnce: 1,
    async read(entradas) {
      const pecas = entradas.map((entrada) =>
        'bytes' in entrada ? readContent(entrada, { validador }) : [judged(entrada)],
      );
      lidas.push(...pecas.flat());
      return { pecas, memoria: [], segundos: 0 };
    },
    close: async () => {},
  };
}
