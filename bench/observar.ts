/** What is seen of the running service from outside. */
import { readFileSync } from 'node:fs';
import type { Malote } from '../test/support/malote.ts';

/** Largest resident size of the process so far, bytes; null where the system does not tell. */
export function peakMemory(malote: Malote): number | null {
  try {
    const status = readFileSync(`/proc/${malote.process.pid}/status`, 'utf8');
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    return kilobytes ? Number(kilobytes) * 1024 : null;
  } catch {
    return null;
  }
}

/** `/metrics` as name with labels → value. Reading it starts the event loop's figures anew. */
export async function readMetrics(malote: Malote): Promise<Map<string, number>> {
  const text = await (await fetch(`${malote.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const gap = line.lastIndexOf(' ');
      return [line.slice(0, gap), Number(line.slice(gap + 1))];
    }),
  );
}
