/**
 * An upload is unpacked and read while its bytes come and while the disk or the bucket makes them durable. The cores have
 * little to do then, and its sender waits for nothing but the import once all is sent. Nothing of it is written before its
 * job is taken, and before all of it is here and is known to be what was read.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { failpoint } from '../platform/jobs/failpoint.ts';
import { NextChange } from '../platform/next-change.ts';
import { giveFileMemory, takeFileMemory } from '../platform/spare-memory.ts';
import { EntradasQueChegam } from './entradas.ts';
import type { ArquivoAberto } from './gravar.ts';
import { ADIANTADO_ESPERA_MS } from './limites.ts';
import { type ProcessDeps, processEntradas } from './process.ts';

/** How far an upload has come that is nobody's job yet. */
export interface Chegada {
  blob: string;
  /** Where its bytes lie meanwhile. */
  path: string;
  /** Of which so many are there. */
  bytes: number;
  /** All that are announced. */
  total: number;
}

/** Its job was not taken in time, or is not ours. */
class LeftBehind extends Error {
  constructor() {
    super('what was read ahead has come to nothing');
  }
}

interface Options {
  chegada: Chegada;
  /** The room that its bytes take; it is given back at the end. */
  room: Promise<() => void>;
  /** It cannot be gone on with. */
  onLost: () => void;
}

export class HeadStart {
  readonly blob: string;
  readonly #total: number;
  readonly #room: Promise<() => void>;
  readonly #stop = new AbortController();
  readonly #arquivo = Promise.withResolvers<ArquivoAberto>();
  /** All is here, and is what was read. */
  readonly #confirmed = Promise.withResolvers<void>();
  readonly #done: Promise<void>;
  #entradas: EntradasQueChegam | null = null;
  #announced = 0;
  readonly #moved = new NextChange();
  #timer: NodeJS.Timeout | null = null;

  /** Begins at once. As much is read as may be in flight. */
  constructor(deps: ProcessDeps, { chegada, room, onLost }: Options) {
    this.blob = chegada.blob;
    this.#total = chegada.total;
    this.#room = room;
    for (const { promise } of [this.#arquivo, this.#confirmed]) promise.catch(() => {});
    this.arrive(chegada.bytes);
    this.#done = this.#run(deps, chegada.path);
    this.#done.catch(onLost);
  }

  /** So many bytes have come. */
  arrive(bytes: number): void {
    this.#clearTimer();
    this.#timer = setTimeout(() => this.#fail(new LeftBehind()), ADIANTADO_ESPERA_MS).unref();
    this.#announced = Math.min(bytes, this.#total);
    this.#moved.tell();
  }

  /**
   * Whether it can go on as the import of this file. It cannot where another try has committed some of it, nor where
   * something went wrong: the file is then read from its beginning.
   */
  async fits(arquivo: ArquivoAberto): Promise<boolean> {
    if (arquivo.itens > 0 || arquivo.entradas > 0) return false;
    // There is a job only of what is here whole: the message that says so may come behind the one that told of the job.
    this.arrive(this.#total);
    await this.#confirmed.promise.catch(() => {});
    return !this.#stop.signal.aborted;
  }

  /** Imports the file, which fits, to its final status. @throws as `processFile` does */
  async goOn(arquivo: ArquivoAberto, signal: AbortSignal): Promise<void> {
    this.#clearTimer();
    const stop = () => this.#stop.abort(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    this.#arquivo.resolve(arquivo);
    try {
      await this.#done;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends it, unless it has ended. Resolves once nothing of it is in memory; never throws. */
  async end(): Promise<void> {
    this.#fail(new LeftBehind());
    await this.#done.catch(() => {});
    (await this.#room)();
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #fail(error: Error): void {
    this.#clearTimer();
    this.#arquivo.reject(error);
    this.#confirmed.reject(error);
    this.#stop.abort(error);
    this.#entradas?.fail(error);
    this.#moved.tell();
  }

  async #run(deps: ProcessDeps, path: string): Promise<void> {
    const memory = takeFileMemory(this.#total);
    const bytes = Buffer.from(memory.buffer, 0, this.#total);
    try {
      await using file = await open(path, 'r');
      failpoint('arquivo_aberto');
      const begun = await this.#readOn(file, bytes, 0);
      const entradas = new EntradasQueChegam(bytes);
      this.#entradas = entradas;
      const parts = [this.#process(deps, entradas), this.#follow(file, { bytes, begun, entradas })];
      // Each waits for the other, which must not be in vain.
      for (const part of parts) part.catch((error: Error) => this.#fail(error));
      await Promise.allSettled(parts);
      await Promise.all(parts);
    } catch (error) {
      this.#fail(error as Error);
      throw error;
    } finally {
      giveFileMemory(memory);
    }
  }

  async #process(deps: ProcessDeps, entradas: EntradasQueChegam): Promise<void> {
    entradas.confirmed().then(this.#confirmed.resolve, this.#confirmed.reject);
    const known = Promise.all([this.#arquivo.promise, this.#confirmed.promise]);
    const arquivo = known.then(([aberto]) => aberto);
    await processEntradas(deps, { entradas: entradas.entradas(), arquivo, signal: this.#stop.signal });
  }

  async #follow(
    file: FileHandle,
    input: { bytes: Buffer; begun: number; entradas: EntradasQueChegam },
  ): Promise<void> {
    const { bytes, begun, entradas } = input;
    for (let at = begun; ; at = await this.#readOn(file, bytes, at)) {
      entradas.arrive(at);
      if (at === bytes.length) return;
    }
  }

  /** Reads what has come behind a place, once there is some. @returns up to where */
  async #readOn(file: FileHandle, bytes: Buffer, from: number): Promise<number> {
    while (from >= this.#announced) {
      this.#stop.signal.throwIfAborted();
      await this.#moved.wait();
    }
    const { bytesRead } = await file.read(bytes, from, this.#announced - from, from);
    if (bytesRead === 0) throw new Error('the bytes of an upload are not where they were');
    return from + bytesRead;
  }
}
