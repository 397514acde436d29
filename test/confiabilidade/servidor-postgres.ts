/**
 * A PostgreSQL server of the campaign's own, with `fsync` on, that can be pulled down and started again as often as a
 * scenario wants. It listens on the loopback only and dies with this process, however that ends.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findBinarios, prepareBinarios } from '../support/postgres/binarios.ts';
import { Pulado } from './cenario.ts';
import { novaPasta } from './motores.ts';
import { ate, portaLivre } from './processo.ts';

/** Of the service: owner of its tables and no superuser, so that the wall between offices stands. */
const PAPEL = 'malote_campanha';
/** Connections of `tomarConexoes`. */
const TOMADA = 'campanha-tomada';
const SERVICE_CONNECTIONS = 'select * from pg_stat_activity where usename = $1 and application_name <> $2';
const READY_WITHIN_MS = 20_000;
const CONNECTED_WITHIN_MS = 10_000;
const TOO_MANY_CONNECTIONS = '53300';
/** `postgres` refuses to run as root. */
const NOBODY = 65_534;

export interface BancoDaCampanha {
  /** As the service's own role. */
  url: string;
  urlDoAdministrador: string;
}

export class ServidorPostgres implements AsyncDisposable {
  readonly #folder: string;
  readonly #data: string;
  readonly #programs: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  #guard: ChildProcess | null = null;
  #databases = 0;

  private constructor(fields: {
    folder: string;
    programs: string;
    port: number;
    settings: readonly string[];
  }) {
    this.#folder = fields.folder;
    this.#data = join(fields.folder, 'dados');
    this.#programs = fields.programs;
    this.#port = fields.port;
    this.#settings = fields.settings;
  }

  /**
   * @param options.somas with checksums of pages
   * @throws Pulado where no program of PostgreSQL can be run
   */
  static async abrir(
    settings: readonly string[] = [],
    options: { somas?: boolean } = {},
  ): Promise<ServidorPostgres> {
    const [found] = findBinarios();
    if (!found) throw new Pulado('não há PostgreSQL 15 ou mais novo nesta máquina');
    const folder = novaPasta('postgres');
    const asOther = userInfo().uid === 0;
    if (asOther) chownSync(folder, NOBODY, NOBODY);
    const programs = prepareBinarios(found, { comoOutro: asOther, destino: join(folder, 'programas') });
    const server = new ServidorPostgres({ folder, programs, port: await portaLivre(), settings });
    const made = spawnSync(
      join(programs, 'initdb'),
      [
        ...['-D', server.#data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
        ...(options.somas ? ['--data-checksums'] : []),
      ],
      { ...server.#user(), encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Pulado(`initdb não funciona aqui: ${(made.stderr ?? '').slice(0, 200)}`);
    mkdirSync(join(folder, 'soquete'), { recursive: true });
    if (asOther) chownSync(join(folder, 'soquete'), NOBODY, NOBODY);
    await server.iniciar();
    await server.comoAdministrador((client) => client.query(`create role ${PAPEL} login`));
    return server;
  }

  /** Of its data: to be touched while it is down. */
  get dados(): string {
    return this.#data;
  }

  /** Who the service connects as. */
  get papel(): string {
    return PAPEL;
  }

  #user(): { uid?: number; gid?: number; cwd: string } {
    return userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY, cwd: '/' } : { cwd: '/' };
  }

  /** A shell stands between: when this process is gone its input ends, and it ends the server. */
  async iniciar(): Promise<void> {
    const options = [
      `listen_addresses=127.0.0.1`,
      `port=${this.#port}`,
      `unix_socket_directories=${join(this.#folder, 'soquete')}`,
      'shared_buffers=64MB',
      'max_connections=100',
      ...this.#settings,
    ].flatMap((setting) => ['-c', setting]);
    const guard = spawn(
      'sh',
      [
        '-c',
        '"$@" </dev/null & server=$!; cat >/dev/null; kill -QUIT $server; wait $server',
        'guarda',
        join(this.#programs, 'postgres'),
        '-D',
        this.#data,
        ...options,
      ],
      { ...this.#user(), stdio: ['pipe', 'ignore', 'ignore'] },
    );
    // Input of a shell that has ended already.
    guard.stdin?.on('error', () => {});
    this.#guard = guard;
    const ready = await ate(() => this.#answers(), READY_WITHIN_MS);
    if (!ready) throw new Error('PostgreSQL did not start');
  }

  async #answers(): Promise<boolean> {
    try {
      await this.comoAdministrador((client) => client.query('select 1'));
      return true;
    } catch {
      return false;
    }
  }

  /** `pg_ctl stop -m immediate`: every process of the server ends at once, nothing is written any more. */
  async derrubar(): Promise<void> {
    const guard = this.#guard;
    if (!guard) return;
    const pid = this.#first();
    process.kill(pid, 'SIGQUIT');
    await ate(() => !alive(pid), READY_WITHIN_MS);
    const ended = once(guard, 'exit');
    guard.stdin?.end();
    await ended;
    this.#guard = null;
  }

  /** Every process of the server stands still: connections stay, and nobody answers on them. @returns what lets it go on */
  congelar(): AsyncDisposable {
    const pids = this.#processes();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return {
      async [Symbol.asyncDispose]() {
        for (const pid of pids) if (alive(pid)) process.kill(pid, 'SIGCONT');
      },
    };
  }

  #first(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** The server and its own processes; what it starts later is started by the first, which stands still with them. */
  #processes(): number[] {
    const first = this.#first();
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8');
    return [first, ...children.split(' ').filter(Boolean).map(Number)];
  }

  /** `pg_ctl restart -m immediate`. @returns ms without a server */
  async reiniciarJa(): Promise<number> {
    const downAt = performance.now();
    await this.derrubar();
    await this.iniciar();
    return performance.now() - downAt;
  }

  /** Ends every connection of the service in a database. @returns how many */
  async cutConexoes(): Promise<number> {
    const { rowCount } = await this.comoAdministrador((client) =>
      client.query(SERVICE_CONNECTIONS.replace('*', 'pg_terminate_backend(pid)'), [PAPEL, TOMADA]),
    );
    return rowCount ?? 0;
  }

  /** Takes every connection that the service could get, and holds them. @returns what gives them back, whatever happens */
  async tomarConexoes(): Promise<AsyncDisposable> {
    const taken: pg.Client[] = [];
    const take = async (): Promise<boolean> => {
      const client = new pg.Client({
        connectionString: this.#url(PAPEL, 'postgres'),
        application_name: TOMADA,
      });
      client.on('error', () => {});
      try {
        await client.connect();
        taken.push(client);
        return true;
      } catch {
        await client.end().catch(() => {});
        return false;
      }
    };
    while (await take());
    let holding = true;
    // What the service loses meanwhile is taken too.
    const loop = (async () => {
      while (holding) if (!(await take())) await delay(20);
    })();
    const release = async () => {
      holding = false;
      await loop;
      await Promise.all(taken.map((client) => client.end()));
    };
    return { [Symbol.asyncDispose]: release };
  }

  /** Whether the service has a connection just now. */
  async temConexaoDoServico(): Promise<boolean> {
    const { rowCount } = await this.comoAdministrador((client) =>
      client.query(SERVICE_CONNECTIONS.replace('*', 'pid'), [PAPEL, TOMADA]),
    );
    return (rowCount ?? 0) > 0;
  }

  async createBanco(): Promise<BancoDaCampanha> {
    this.#databases += 1;
    const nome = `campanha_${this.#databases}`;
    await this.comoAdministrador((client) => client.query(`create database ${nome} owner ${PAPEL}`));
    return { url: this.#url(PAPEL, nome), urlDoAdministrador: this.#url('postgres', nome) };
  }

  async comoAdministrador<T>(act: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = await this.#conectarAdministrador();
    try {
      return await act(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Of the few connections that are kept for it, the ones before may not be back yet: a client is gone sooner than its server. */
  async #conectarAdministrador(): Promise<pg.Client> {
    const deadline = performance.now() + CONNECTED_WITHIN_MS;
    for (;;) {
      const client = new pg.Client({ connectionString: this.#url('postgres', 'postgres') });
      client.on('error', () => {});
      try {
        await client.connect();
        return client;
      } catch (error) {
        await client.end().catch(() => {});
        const full = error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS;
        if (!full || performance.now() > deadline) throw error;
        await delay(20);
      }
    }
  }

  #url(role: string, database: string): string {
    return `postgres://${role}@127.0.0.1:${this.#port}/${database}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const guard = this.#guard;
    if (guard && guard.exitCode === null) {
      const ended = once(guard, 'exit');
      guard.stdin?.end();
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function alive(pid: number): boolean {
  try {
    // A zombie that nobody has reaped yet is dead: its folder can be opened again.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

let shared: Promise<ServidorPostgres> | null = null;

/** One server for all scenarios that leave it alone. It goes with this process. */
export function servidorComum(): Promise<ServidorPostgres> {
  shared ??= ServidorPostgres.abrir();
  return shared;
}

/** Ends the shared server, so that its folder does not stay behind. */
export async function closeServidorComum(): Promise<void> {
  const server = await shared?.catch(() => null);
  shared = null;
  await server?.[Symbol.asyncDispose]();
}
