/**
 * What goes to a reader thread and comes back. Apart from the reader itself: who hands work out does not load what reads it,
 * which is libxml2 and every layout.
 */
import type { PecaLida } from '../../documentos/tipos.ts';
import type { WorkMark } from '../../platform/threads/thread-work.ts';
import type { Faixa } from '../limites.ts';
import type { PacoteDeAutoridades } from '../standards/autoridades.ts';
import type { PacoteDeLeiautes } from './leiautes-em-uso.ts';

export interface TarefaDeLeitura {
  /** Says what is being read to who looks after its time. */
  marca: WorkMark;
  faixa: Faixa;
  /** The office, and when it was handed out (ms, of a clock that all threads share). */
  dono: number;
  em: number;
  /** All contents of the batch, one behind the other: one memory changes hands. */
  pacote: Uint8Array;
  partes: ParteDoPacote[];
  autoridades: PacoteDeAutoridades;
  leiautes: PacoteDeLeiautes;
}

export interface ParteDoPacote {
  caminho: string;
  inicio: number;
  fim: number;
  /** Hash of its bytes, where whoever handed it out had the time. */
  sha256: string | null;
}

export interface Leitura {
  /** For each part that was read, its pieces: of the first ones, where all of them would take too long. */
  pecas: PecaLida[][];
  /** What the bytes of pieces lie in. */
  memoria: Uint8Array<ArrayBuffer>;
  /** CPU and wall time are one here. */
  segundos: number;
  /** The documents of this office take so long that others are not to wait for them. */
  lenta: boolean;
  /** Exceptions of ours that were met, for the service's log. */
  excecoes: { caminho: string; erro: string }[];
}

export interface DadosDoLeitor {
  dataFolder: string;
}

/** Now, in ms, as all threads of this process count it. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}
