import type { FalhaDeZip } from '../unpack-faults.ts';

/** What holds files and is no zip. */
export type Recipiente = 'tar' | 'gzip' | 'bzip2' | 'xz' | 'mensagem' | 'caixa' | 'msg' | 'assinado';

/** One thing in it. */
export type Parte =
  /** `nome`: '' where the container holds this one thing and gives it no name. `bytes` may be a view into it. */
  { nome: string; bytes: Buffer } | { nome: string; resultado: 'ignorado' | 'rejeitado'; falha: FalhaDeZip };

/** What opening one may cost. Both throw where there is no more. */
export interface Bolsa {
  /** Pays for things found. */
  takeEntries(count: number): void;
  /** Pays for bytes that were decoded. */
  charge(bytes: number): void;
  /** How many bytes so many compressed ones may become now. */
  allowed(compressed: number): number;
  /** What to say of a content that would become more. @throws where it is the purse of the whole upload that is empty */
  tooLong(compressed: number): FalhaDeZip;
}
