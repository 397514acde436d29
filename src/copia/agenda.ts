/**
 * Backups by schedule: one a day into a folder, and one when somebody asks. `malote backup` makes them, in a process of its
 * own, so that the service goes on meanwhile; of several processes of the service the one that holds the lease starts it.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import { deslocamentoEm, diaDe, inicioDoDia } from '../fiscal/dia.ts';
import type { Database } from '../platform/db/connect.ts';
import { diskSpace } from '../platform/storage/espaco.ts';
import { ErroDeCopia } from './erros.ts';
import { findUltimaCopia } from './queries.ts';
import * as queries from './queries-agenda.ts';
import { runBackup } from './rodar-backup.ts';

const LOOK_MS = 5_000;
/** Somebody else makes the next one when a process has not been heard of for so long. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const DAY_MS = 86_400_000;
/** What this makes, and removes; nothing else in the folder is touched. */
const OURS = /^malote-\d{4}-\d{2}-\d{2}-\d{6}\.tar(\.parcial)?$/;
/** A backup grows from day to day by less than this. */
const GROWTH = 1.1;

type AgendaDeps = Pick<Deps, 'config' | 'clock' | 'db' | 'log'>;

/** The next time (ms UTC) that clocks in Brasília show an hour `HH:MM`, after an instant. */
export function proximaEm(hora: string, agora: number): number {
  const [hours = 0, minutes = 0] = hora.split(':').map(Number);
  const offset = (hours * 60 + minutes) * 60_000;
  const today = inicioDoDia(diaDe(agora)) + offset;
  return today > agora ? today : inicioDoDia(diaDe(agora + DAY_MS)) + offset;
}

/** `malote-2026-11-29-023000.tar`, by clocks in Brasília: names in the order of time. */
export function nomeDaCopia(agora: number): string {
  const local = new Date(agora + deslocamentoEm(agora)).toISOString();
  return `malote-${local.slice(0, 10)}-${local.slice(11, 19).replaceAll(':', '')}.tar`;
}

/** Removes all but the newest of what a schedule has made. @returns the names of what is gone */
export async function rotate(pasta: string, guardar: number): Promise<string[]> {
  const copias = (await readdir(pasta)).filter((name) => OURS.test(name) && name.endsWith('.tar'));
  const old = copias.sort().reverse().slice(guardar);
  for (const name of old) await rm(join(pasta, name), { force: true });
  return old;
}

/** What the console shows of the schedule. */
export interface EstadoDaAgenda {
  ligada: boolean;
  pasta: string;
  hora: string;
  guardar: number;
  /** One is being made, or is about to be. */
  fazendo: boolean;
  /** ms UTC; null while off. */
  proximaEm: number | null;
  /** The last one that ended; null: none yet. */
  ultima: { em: number; erro: string | null } | null;
}

export async function estadoDaAgenda({
  config,
  clock,
  db,
}: Omit<AgendaDeps, 'log'>): Promise<EstadoDaAgenda> {
  const { pasta, hora, guardar } = config.copia;
  const row = await queries.findAgenda(db.read);
  const ligada = pasta !== '';
  const fazendo = row !== undefined && (row.lease_ate > clock.now() || row.pedida_em !== null);
  return {
    ligada,
    pasta,
    hora,
    guardar,
    fazendo: ligada && fazendo,
    proximaEm: ligada && row ? row.proxima_em : null,
    ultima: row?.fim_em ? { em: row.fim_em, erro: row.erro } : null,
  };
}

/** Asks for a backup now; the process with the schedule makes it within seconds. */
export async function askForCopia({
  clock,
  db,
}: {
  clock: Deps['clock'];
  db: Database<Tabelas>;
}): Promise<void> {
  await queries.askForCopia(db.write, clock.now());
}

/** The schedule of a process; it lives as long as that. */
export class AgendaDeCopias {
  readonly #deps: AgendaDeps;
  readonly #por = randomUUID();
  readonly #backup: typeof runBackup;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: AgendaDeps, options: { backup?: typeof runBackup } = {}) {
    this.#deps = deps;
    this.#backup = options.backup ?? runBackup;
  }

  /** Nothing happens where no folder is set. */
  start(): void {
    if (this.#deps.config.copia.pasta === '') return;
    this.#timer = setInterval(() => void this.wake(), LOOK_MS).unref();
    void this.wake();
  }

  /** Looks at once, and makes what is due. @returns when it has; never fails */
  wake(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#look());
    return this.#turn;
  }

  /** Ends the one that is being made: nothing of it stays, and the next start makes another. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#abort.abort();
    await this.#turn;
  }

  async #look(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    const { config, clock, db, log } = this.#deps;
    const { hora } = config.copia;
    try {
      const agora = clock.now();
      const proxima = proximaEm(hora, agora);
      const row = await queries.findAgenda(db.read);
      if (row?.hora !== hora) await queries.keepHora(db.write, { hora, proxima });
      const ate = agora + LEASE_MS;
      if (await queries.takeCopia(db.write, { por: this.#por, agora, ate, proxima })) await this.#make();
    } catch (error) {
      log.error({ err: error }, 'as cópias agendadas não puderam ser vistas');
    }
  }

  async #make(): Promise<void> {
    const { config, clock, db, log } = this.#deps;
    const { pasta, guardar } = config.copia;
    const por = this.#por;
    const renewal = setInterval(() => {
      queries.renewCopia(db.write, { por, ate: clock.now() + LEASE_MS }).catch(() => {});
    }, RENEW_MS);
    let erro: string | null = null;
    try {
      await this.#prepare(pasta);
      const para = join(pasta, nomeDaCopia(clock.now()));
      const { aviso } = await this.#backup({ para, signal: this.#abort.signal });
      const apagadas = await rotate(pasta, guardar);
      erro = aviso;
      log.info({ para, apagadas }, 'cópia de segurança feita');
    } catch (error) {
      erro = reasonOf(error);
      log.error({ err: error }, 'a cópia de segurança falhou');
    } finally {
      clearInterval(renewal);
    }
    await queries.endCopia(db.write, { por, agora: clock.now(), erro });
  }

  /** Makes the folder, takes away what was left half done, and sees whether there is room. @throws ErroDeCopia */
  async #prepare(pasta: string): Promise<void> {
    await mkdir(pasta, { recursive: true, mode: 0o700 });
    for (const name of await readdir(pasta))
      if (OURS.test(name) && name.endsWith('.parcial')) await rm(join(pasta, name), { force: true });
    const last = await findUltimaCopia(this.#deps.db.read);
    const { free } = await diskSpace(pasta);
    if (last && free < last.bytes * GROWTH)
      throw new ErroDeCopia(
        'disco_cheio',
        `Não há espaço para a cópia em ${pasta}: restam ${megabytes(free)} MB, e a última ocupou ${megabytes(last.bytes)} MB. Libere espaço, ou guarde menos cópias (MALOTE_COPIA_GUARDAR).`,
      );
  }
}

const megabytes = (bytes: number) => Math.floor(bytes / 1e6).toLocaleString('pt-BR');

function reasonOf(error: unknown): string {
  if (error instanceof ErroDeCopia) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'O disco das cópias está cheio.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return 'O serviço não pode escrever na pasta das cópias (MALOTE_COPIA_PASTA): confira os direitos dela.';
  return message;
}
