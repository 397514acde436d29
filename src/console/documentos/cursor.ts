/** Where a page of a listing ended: opaque to callers, checked when it comes back. */

/** Place of the last row: by issue date and then id or NSU; by arrival twice the same number. */
export interface Cursor {
  k1: number;
  k2: number;
  /** Where several clients have the document: the last client that was told. */
  clienteId: number;
}

export function writeCursor({ k1, k2, clienteId }: Cursor): string {
  return `${k1.toString(36)}.${k2.toString(36)}.${clienteId.toString(36)}`;
}

/** @returns undefined for what no listing gave out */
export function readCursor(text: string): Cursor | undefined {
  const parts = /^(-?[0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/.exec(text);
  if (!parts) return undefined;
  const [k1, k2, clienteId] = parts.slice(1).map((part) => Number.parseInt(part, 36));
  if (k1 === undefined || k2 === undefined || clienteId === undefined) return undefined;
  return [k1, k2, clienteId].every(Number.isSafeInteger) ? { k1, k2, clienteId } : undefined;
}
