/** Below this the collector is as good. */
const FROM_BYTES = 2 * 1024;
/** Memory that was made for some bytes may be a little larger than they are. */
const SLACK_BYTES = 16;

/**
 * Gives the memory of bytes back at once. The collector of garbage would do so only when tens of megabytes lie outside of
 * the heap, in each thread. Nobody may look at the bytes any more. Bytes that share their memory with others are left
 * alone.
 */
export function releaseBytes(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes;
  const own = buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= SLACK_BYTES;
  if (own && byteLength >= FROM_BYTES) buffer.transfer(0);
}
