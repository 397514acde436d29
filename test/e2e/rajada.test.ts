/** Many uploads at once (R12 of docs/confiabilidade.md, in short): streamed, not held in memory; whoever is too much comes back. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createEscritorio, fetchJson, type Malote, makeDataFolder, startMalote } from '../support/malote.ts';

const ENVIOS = 200;
const BYTES = 1_000_000;
const RSS_MAX_MB = 600;

it(`${ENVIOS} uploads of 1 MB at once are all taken, in ${RSS_MAX_MB} MB of memory, and leave nothing open`, async (t) => {
  if (!existsSync('/proc/self/status')) return t.skip('memory is read from /proc');
  const dataFolder = makeDataFolder();
  const { token } = await createEscritorio(dataFolder, { crm: '1' });
  // Importing these is another matter; one process, since it is one whose memory is looked at.
  const env = { MALOTE_LIMITE_MINUTO: '0', MALOTE_MODO: 'api' };
  await using malote = await startMalote({ dataFolder, env, umProcesso: true, medido: true });
  const { pid } = malote.process;
  const body = new Uint8Array(BYTES).fill(0x20);
  const outcomes = await Promise.all(Array.from({ length: ENVIOS }, () => send(malote, { token, body })));
  assert.deepEqual([...new Set(outcomes)], [200]);
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  assert.ok(peakKb < RSS_MAX_MB * 1024, `${Math.round(peakKb / 1024)} MB at the peak`);
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  assert.deepEqual(
    open.filter((path) => path.includes('/arquivos/')),
    [],
  );
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Asks for an address and sends, again and again when told to come back. @returns the last status */
async function send(
  malote: Malote,
  input: { token: string; body: Uint8Array<ArrayBuffer> },
): Promise<number> {
  const json = { size: BYTES, extension: '.xml' };
  for (;;) {
    const ticket = await fetchJson(`${malote.url}/storage`, { token: input.token, json });
    if (ticket.status !== 503) {
      const { status } = await fetch(ticket.body.url, { method: 'PUT', body: input.body });
      if (status !== 503) return status;
    }
    await delay(200);
  }
}
