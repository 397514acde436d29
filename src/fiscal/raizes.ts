/** Several documents one behind the other in one file: where each begins, and where its faults stand in the file. */
import type { Peca, Rejeicao } from './tipos.ts';
import { type ScanResult, scanXml } from './xml/scan.ts';

const WINDOW_BYTES = 16 * 1024;
const WINDOW_GROWS = 4;

/** Where the next root begins behind one, and whether other content than white space and NULs stands before it. */
export function findNext(bytes: Uint8Array): { start: number | null; junk: boolean } {
  const isBlank = (byte: number): boolean =>
    byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32;
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at] ?? 0)) at++;
  if (at === bytes.length) return { start: null, junk: false };
  const first = at;
  for (; at < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    const isName = (next >= 65 && next <= 90) || (next >= 97 && next <= 122);
    // `<?` begins the declaration of the next document, a letter its root.
    if (bytes[at] === 0x3c && (isName || next === 0x3f)) return { start: at, junk: at > first };
  }
  return { start: null, junk: true };
}

/** Lines, and columns of the last one, that stand before a place in the file. */
export interface Antes {
  linhas: number;
  colunas: number;
}

/** Moves the place of a fault in a later root to where it stands in the file. */
export function moved(piece: Peca, before: Antes): Peca {
  if (piece.resultado !== 'rejeitada') return piece;
  return { ...piece, rejeicao: movedFault(piece.rejeicao, before) };
}

/** The same of the fault itself. */
export function movedFault(rejeicao: Rejeicao, before: Antes): Rejeicao {
  const { linha, coluna } = rejeicao;
  if (linha === null) return rejeicao;
  return {
    ...rejeicao,
    linha: linha + before.linhas,
    coluna: coluna !== null && linha === 1 ? coluna + before.colunas : coluna,
  };
}

/** What stands before `to`, given what stands before `from`: one pass over a file, however many roots it has. */
export function advance(before: Antes, bytes: Uint8Array, from: number, to: number): Antes {
  let { linhas, colunas } = before;
  let lineStart = from;
  for (let i = from; i < to; i++) {
    if (bytes[i] !== 0x0a) continue;
    linhas++;
    colunas = 0;
    lineStart = i + 1;
  }
  return { linhas, colunas: colunas + new TextDecoder().decode(bytes.subarray(lineStart, to)).length };
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 8));
}

/**
 * Scans the root at the start of a long stretch through windows that grow. A scan costs as much as the bytes it is
 * given: many small roots in one file would otherwise cost the square of its size.
 * @param folga of the whole file: what may still be scanned once more for the sake of what stands behind a root
 */
export function scanWindow(bytes: Uint8Array, folga: { bytes: number }): ScanResult {
  for (let size = WINDOW_BYTES; size < bytes.length; size *= WINDOW_GROWS) {
    const scan = scanXml(bytes.subarray(0, size));
    if (!scan.ok) continue;
    // A comment or instruction that the window cuts stops the scan before it: it is whole in a larger one. One that never
    // ends looks the same, behind each of thousands of roots.
    const cut = /^(?:$|<$|<!|<\?(?!xml[ \t\r\n]))/.test(latin1(bytes.subarray(scan.rest, size)));
    if (!cut || folga.bytes <= 0) return scan;
    folga.bytes -= Math.min(size * WINDOW_GROWS, bytes.length);
  }
  return scanXml(bytes);
}
