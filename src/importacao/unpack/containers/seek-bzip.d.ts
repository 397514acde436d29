/** What is used of seek-bzip, which brings no types. */
declare module 'seek-bzip' {
  const Bunzip: {
    /** @throws where the data is damaged, and what `writeByte` throws */
    decode(input: Uint8Array, output: { writeByte(byte: number): void }, multistream?: boolean): void;
  };
  export default Bunzip;
}
