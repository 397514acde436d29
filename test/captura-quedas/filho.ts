/** A process that captures what is due and ends; a failpoint of its environment kills it before. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { openCaptor } from '../../src/captura/abrir.ts';
import { Relogio } from '../../src/captura/relogio.ts';
import { readConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { connectHere } from '../../src/platform/db/connect.ts';
import { createLogger } from '../../src/platform/http/log.ts';
import { openDiskBlobStore } from '../../src/platform/storage/disk.ts';

/** The next page of a sequence, and what a lost answer may have held, are asked for so soon. */
const LOGO_MS = 3_000;
/** The leases of those who died keep others from calling for minutes: nobody waits for them here. */
const NO_MAXIMO_MS = Number(process.env.QUEDAS_NO_MAXIMO_MS ?? 12_000);

const config = readConfig(process.env);
const db = connectHere<Tabelas>(config);
const storage = await openDiskBlobStore(join(config.dataFolder, 'arquivos'));
const deps = { config, db, storage, clock: systemClock, log: createLogger('silent') };
const relogio = await Relogio.open(deps);
const captor = await openCaptor(deps as unknown as Deps);
const end = performance.now() + NO_MAXIMO_MS;
while (performance.now() < end) {
  const next = await captor.round();
  if (next === null || next > relogio.agora() + LOGO_MS) break;
  await sleep(Math.max(50, next - relogio.agora()));
}
// While connections are still kept.
if (process.env.QUEDAS_RETRATO) writeHeapSnapshot(process.env.QUEDAS_RETRATO);
await captor.stop();
await storage.close();
await db.close();
