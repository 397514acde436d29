/** The answer of a service with the headers that it came with; the reader of XML leaves them out by itself. */
const CABECALHO_HTTP = /^HTTP\/\d[^\r\n]*\r?\n(?:[A-Za-z-]+:[^\r\n]*\r?\n)*\r?\n/;
const CABECALHO_HTTP_MAX = 8_192;

/** Bytes without the headers of an answer, where JSON stands behind them. */
export function semCabecalhoHttp(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x48) return bytes;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, CABECALHO_HTTP_MAX));
  const headers = CABECALHO_HTTP.exec(head.toString('latin1'))?.[0].length ?? 0;
  const [first] = bytes.subarray(headers, headers + 1);
  const isJson = first === 0x7b || first === 0x5b;
  return isJson ? bytes.subarray(headers) : bytes;
}
