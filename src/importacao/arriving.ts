/** Requests to the upload address that are under way in this process, by file. */
const arriving = new Map<string, number>();

/**
 * Notes that a body may be arriving for a file, from its headers until the returned function is called. A ticket is
 * not `Expirado` while that lasts, since it may still become `Em Processamento`.
 */
export function announceArrival(id: string): () => void {
  arriving.set(id, (arriving.get(id) ?? 0) + 1);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    const left = (arriving.get(id) ?? 1) - 1;
    if (left === 0) arriving.delete(id);
    else arriving.set(id, left);
  };
}

export function isArriving(id: string): boolean {
  return arriving.has(id);
}
