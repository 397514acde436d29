/**
 * What is used of seek-bzip, which brings no types: the steps that its `decode` is made of, so that others have their turn
 * between them. They are no promise of the package, whose version is pinned.
 */
declare module 'seek-bzip' {
  interface Entrada {
    readByte(): number;
    /** @returns how many bytes it has put there */
    read(target: Uint8Array, offset: number, length: number): number;
    eof(): boolean;
  }
  interface Saida {
    writeByte(byte: number): void;
  }
  export default class Bunzip {
    /** @throws where this is no beginning of a stream */
    constructor(input: Entrada, output: Saida);
    readonly reader: { read(bits: number): number };
    /** Of the blocks so far. */
    readonly streamCRC: number;
    /** Reads a block. @returns false behind the last one of the stream @throws where the data is damaged */
    _init_block(): boolean;
    /** Writes the block that was read. @throws where the data is damaged, and what `writeByte` throws */
    _read_bunzip(): void;
    /** The next stream in the same input. @throws where there is none */
    _start_bunzip(input: Entrada, output: Saida): void;
  }
}
