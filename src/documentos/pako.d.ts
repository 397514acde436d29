/** What is used of pako, which brings no types. */
declare module 'pako' {
  const pako: {
    deflateRaw(data: Uint8Array, options: { level: number; memLevel: number }): Uint8Array;
  };
  export default pako;
}
