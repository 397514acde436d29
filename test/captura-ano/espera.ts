/** How long a document was on its way, of the time in which it could come. */

export interface Periodo {
  /** ms */
  de: number;
  ate: number;
}

/** @param impossivel times in which it could not come, by their beginning; they may overlap */
export function esperaDe(em: number, chegouEm: number, impossivel: readonly Periodo[]): number {
  let [wait, from] = [0, em];
  for (const { de, ate } of impossivel) {
    if (de >= chegouEm) break;
    if (ate <= from) continue;
    wait += Math.max(0, de - from);
    from = Math.min(chegouEm, ate);
  }
  return wait + chegouEm - from;
}
