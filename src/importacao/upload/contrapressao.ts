/**
 * Says no in time: when the queue is deep or the disk nearly full, uploads are put off (503 with `Retry-After`), while
 * everything else goes on. What it knows is a second old at most and asked for only when somebody uploads, so it
 * costs nothing per request, and it lets uploads in again by itself.
 */
import type { Deps } from '../../deps.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { indisponivel } from '../../platform/http/errors.ts';
import type { Measure } from '../../platform/http/metricas.ts';
import { countOpenJobs, oldestWaiting } from '../../platform/jobs/queue.ts';
import { diskSpace } from '../../platform/storage/espaco.ts';
import { ESPERE_SEGUNDOS } from '../limites.ts';

const LOOK_EVERY_MS = 1_000;
/**
 * The queue is one for all offices, and one that sends without end must not shut the others out: when it is deep,
 * only those are put off who have more than this part of it themselves. At twice the depth everybody is.
 */
const OWN_PART = 1 / 100;
/** On a small disk the configured reserve would be everything. */
const RESERVE_PART = 1 / 10;
/** Offices whose own part is remembered for the second. */
const REMEMBERED_OFFICES = 1_000;
/** Deeper than this nobody needs to know exactly. */
const COUNTED_UP_TO = 1_000_000;

type PressureDeps = Pick<Deps, 'db' | 'log'> & {
  config: Pick<Deps['config'], 'filaMaxima' | 'discoMinimoBytes' | 'dataFolder'>;
};

/** Why an upload is put off. */
type Motivo = 'fila' | 'disco';

interface Looked {
  fila: number;
  disco: { free: number; total: number };
}

/** What happens to uploads at this moment. One for the process. */
export class Contrapressao {
  readonly #deps: PressureDeps;
  readonly #monotonic: () => number;
  readonly #disk: (folder: string) => Promise<{ free: number; total: number }>;
  #looked: Promise<Looked> | null = null;
  #lookedAtMs = 0;
  #offices = new Map<number, Promise<number>>();
  #told: Motivo | null = null;

  constructor(deps: PressureDeps, parts: { monotonic?: () => number; disk?: typeof diskSpace } = {}) {
    this.#deps = deps;
    this.#monotonic = parts.monotonic ?? (() => performance.now());
    this.#disk = parts.disk ?? diskSpace;
  }

  /** @throws indisponivel when an upload of this office has to wait */
  async admitir(contadorId: number): Promise<void> {
    const motivo = await this.motivo(contadorId);
    if (motivo) throw indisponivel(ESPERE_SEGUNDOS, new Error(`uploads wait: ${motivo}`));
  }

  /** Why an upload of this office has to wait; null: it need not. */
  async motivo(contadorId: number): Promise<Motivo | null> {
    const { fila, disco } = await this.#look();
    const motivo = this.#discoCheio(disco)
      ? 'disco'
      : (await this.#filaFunda(fila, contadorId))
        ? 'fila'
        : null;
    if (motivo && motivo !== this.#told) this.#deps.log.warn({ motivo, fila, ...disco }, 'envios aguardam');
    if (!motivo && this.#told) this.#deps.log.info({ fila, ...disco }, 'envios são aceitos de novo');
    this.#told = motivo;
    return motivo;
  }

  #discoCheio({ free, total }: Looked['disco']): boolean {
    return free < Math.min(this.#deps.config.discoMinimoBytes, total * RESERVE_PART);
  }

  async #filaFunda(fila: number, contadorId: number): Promise<boolean> {
    const { filaMaxima } = this.#deps.config;
    if (filaMaxima === 0 || fila < filaMaxima) return false;
    if (fila >= 2 * filaMaxima) return true;
    const own = Math.ceil(filaMaxima * OWN_PART);
    return (await this.#ownPart(contadorId, own)) >= own;
  }

  /** One look at a time, and a failed one is not remembered. */
  #look(): Promise<Looked> {
    const nowMs = this.#monotonic();
    if (this.#looked && nowMs - this.#lookedAtMs < LOOK_EVERY_MS) return this.#looked;
    const looking = this.#lookNow();
    looking.catch(() => {
      if (this.#looked === looking) this.#looked = null;
    });
    this.#looked = looking;
    this.#lookedAtMs = nowMs;
    return looking;
  }

  async #lookNow(): Promise<Looked> {
    const { filaMaxima, dataFolder } = this.#deps.config;
    this.#offices.clear();
    const [fila, disco] = await Promise.all([
      filaMaxima === 0 ? 0 : this.#allOpenJobs(2 * filaMaxima),
      this.#disk(dataFolder),
    ]);
    return { fila, disco };
  }

  /** Counts jobs of all offices, whichever of them asks. */
  #allOpenJobs(upTo: number): Promise<number> {
    return runAsService(() => countOpenJobs(this.#deps.db.read, { upTo }));
  }

  #ownPart(contadorId: number, upTo: number): Promise<number> {
    let known = this.#offices.get(contadorId);
    if (!known) {
      if (this.#offices.size >= REMEMBERED_OFFICES) this.#offices.clear();
      known = countOpenJobs(this.#deps.db.read, { upTo, contadorId });
      known.catch(() => this.#offices.delete(contadorId));
      this.#offices.set(contadorId, known);
    }
    return known;
  }
}

/** For `/metrics`: the queue of all processes, as the database has it, and the room on this host's disk. */
export function medidasDaFila(deps: Pick<Deps, 'db' | 'clock' | 'config'>): Measure[] {
  return [
    {
      kind: 'gauge',
      name: 'malote_importacao_fila',
      help: `Arquivos que esperam ou estão em importação, em todos os processos (até ${COUNTED_UP_TO})`,
      read: async () => [{ value: await countOpenJobs(deps.db.read, { upTo: COUNTED_UP_TO }) }],
    },
    {
      kind: 'gauge',
      name: 'malote_importacao_espera_segundos',
      help: 'Há quanto tempo espera o arquivo cuja vez é a próxima; 0 quando nenhum espera',
      read: async () => {
        const since = await oldestWaiting(deps.db.read);
        return [{ value: since === null ? 0 : Math.max(0, (deps.clock.now() - since) / 1_000) }];
      },
    },
    {
      kind: 'gauge',
      name: 'malote_disco_livre_bytes',
      help: 'Espaço livre no disco da pasta dos dados deste processo',
      read: async () => [{ value: (await diskSpace(deps.config.dataFolder)).free }],
    },
  ];
}
