import type { ServerResponse } from 'node:http';

/** Eight of the largest pages as they are, or forty of a hundred records; compressed, four times as many. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Whole pages with texts that are being made, or lie in memory for somebody who has not taken them. Nobody has to take an
 * answer soon, and on one connection a hundred may be asked for before the first is read.
 */
export class Entregas {
  #bytes = 0;

  /**
   * Makes room for the page that this answer is to be, until its end.
   * @param bytes about
   * @returns false where there is none: the page is to be sent bit by bit, as far as it is taken
   */
  begin(response: Pick<ServerResponse, 'once' | 'destroyed'>, bytes: number): boolean {
    if (bytes === 0) return true;
    if (this.#bytes + bytes > MAX_BYTES) return false;
    if (response.destroyed) return true;
    this.#bytes += bytes;
    response.once('close', () => {
      this.#bytes -= bytes;
    });
    return true;
  }
}
