/** Below this the collector is as good. */
const FROM_BYTES = 16 * 1024;
/** Memory that was made for some bytes may be a little larger than they are. */
const SLACK_BYTES = 16;

/**
 * Gives the memory of bytes back at once, instead of when garbage is next collected: what lies outside of the heap does
 * not bring that on before there are tens of megabytes of it, in each thread. Nobody may look at the bytes any more. Bytes
 * that share their memory with others are left alone.
 */
export function releaseBytes(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes;
  const own = buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= SLACK_BYTES;
  if (own && byteLength >= FROM_BYTES) buffer.transfer(0);
}
