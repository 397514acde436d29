/** The offset that the wire names; instants are exact whatever the clocks of São Paulo showed then. */
const OFFSET_MS = -3 * 3_600_000;

/** An instant (ms UTC) as the console's JSON has it: `2026-03-05T12:00:00-03:00`. Null stays null. */
export function instanteDe(ms: number): string;
export function instanteDe(ms: number | null): string | null;
export function instanteDe(ms: number | null): string | null {
  return ms === null ? null : `${new Date(ms + OFFSET_MS).toISOString().slice(0, 19)}-03:00`;
}
