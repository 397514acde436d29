/**
 * The guard of one PostgreSQL server of the tests: a process of its own that starts the server, tells its folder, and
 * ends both when its standard input ends, which it does however the tests' process ends, killed ones included.
 *
 * `node guarda.ts <folder of the programs> <maquina|npm> <disco|memoria|medida>`; a line of JSON on standard output says how that went. Then
 * each line on standard input is an order (`parar`: as a power cut would; `iniciar`; `congelar`, `descongelar`: it hangs,
 * and goes on), answered by a line `feito`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { alcancavelPorTodos, type Binarios, prepareBinarios } from './binarios.ts';
import { inicioDoProcesso, lugaresDosDados, MEMORIA, PREFIXO, varrerSobras } from './sobras.ts';

/** What the guard tells. */
export type Anuncio = { ok: true; socket: string } | { ok: false; motivo: string };

/** Far more than the 36 ms that it takes. */
const READY_WITHIN_MS = 120_000;
/** An immediate shutdown takes milliseconds. */
const STOP_WITHIN_MS = 5_000;
/** The path of a socket has 107 bytes on Linux and 103 on macOS. */
const FOLDER_CHARACTERS = 80;

/** Nothing of a test must outlive a power cut; a server that is killed loses nothing, since the kernel has the pages. */
const SEM_QUEDA_DE_ENERGIA = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
};
/**
 * Of every server; what is measured has nothing else, so that all is as it comes, its durability first. Many test files
 * share one, each of their services with its own pool.
 */
const AJUSTES = {
  listen_addresses: '',
  max_connections: '300',
  log_min_messages: 'warning',
  log_timezone: 'UTC',
};

interface Usuario {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: `nobody` runs it then, without any account being made. */
function outroUsuario(): Usuario | null {
  if (process.getuid?.() !== 0) return null;
  const linha = existsSync('/etc/passwd')
    ? readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .find((line) => line.startsWith('nobody:'))
    : undefined;
  const [, , uid, gid] = linha?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

function pastaTemporaria(comoOutro: boolean): string {
  const candidatas = [tmpdir(), '/tmp'];
  const boa = candidatas.find(
    (pasta) => pasta.length < FOLDER_CHARACTERS && (!comoOutro || alcancavelPorTodos(pasta)),
  );
  if (boa === undefined) throw new Error(`nenhuma pasta temporária serve (${candidatas.join(', ')})`);
  return mkdtempSync(join(boa, PREFIXO));
}

/** What the databases of a run of the tests certainly fit in. */
const MEMORY_BYTES = 4 * 2 ** 30;

function cabeNaMemoria(): boolean {
  if (!existsSync(MEMORIA) || freemem() < MEMORY_BYTES) return false;
  const { bavail, bsize } = statfsSync(MEMORIA);
  return bavail * bsize >= MEMORY_BYTES;
}

class Servidor {
  readonly #pasta: string;
  readonly #dados: string;
  readonly #usuario: Usuario | null;
  readonly #ajustes: Readonly<Record<string, string>>;
  #processo: ChildProcess | null = null;
  #programas = '';

  /** @param lugar `memoria`: if there is room, the data lie there, as nothing of them has to outlive the server */
  constructor(lugar: string) {
    const naMemoria = lugar === 'memoria';
    this.#ajustes = lugar === 'medida' ? AJUSTES : { ...AJUSTES, ...SEM_QUEDA_DE_ENERGIA };
    this.#usuario = outroUsuario();
    this.#pasta = pastaTemporaria(this.#usuario !== null);
    const lugares = lugaresDosDados(this.#pasta);
    this.#dados = naMemoria && cabeNaMemoria() ? lugares.naMemoria : lugares.noDisco;
    writeFileSync(join(this.#pasta, 'guarda'), `${process.pid} ${inicioDoProcesso(process.pid)}\n`);
  }

  async start(binarios: Binarios): Promise<string> {
    const usuario = this.#usuario;
    const programas = prepareBinarios(binarios, {
      comoOutro: usuario !== null,
      destino: join(this.#pasta, 'programas'),
    });
    mkdirSync(this.#dados, { mode: 0o700 });
    chmodSync(this.#pasta, 0o755);
    if (usuario) chownSync(this.#dados, usuario.uid, usuario.gid);
    this.#initdb(programas);
    this.#programas = programas;
    await this.iniciar();
    return this.#dados;
  }

  /** Starts the server on its folder, as it was left. */
  async iniciar(): Promise<void> {
    const ajustes = Object.entries(this.#ajustes).flatMap(([nome, valor]) => ['-c', `${nome}=${valor}`]);
    this.#processo = spawn(
      join(this.#programas, 'postgres'),
      ['-D', this.#dados, '-k', this.#dados, ...ajustes],
      this.#opcoes(),
    );
    let fim = '';
    this.#processo.stderr?.on('data', (chunk) => {
      fim = (fim + chunk).slice(-2_000);
    });
    await this.#pronto(() => fim);
  }

  /** Ends the server at once and removes its folder. */
  async stop(): Promise<void> {
    this.mandarATodos('SIGCONT');
    await this.parar();
    for (const folder of [this.#dados, this.#pasta])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Immediate shutdown: connections are cut, nothing is finished; the next start recovers. */
  async parar(): Promise<void> {
    const processo = this.#processo;
    if (processo && processo.exitCode === null && processo.signalCode === null) {
      const ended = once(processo, 'exit');
      processo.kill('SIGQUIT');
      const late = setTimeout(() => processo.kill('SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(late);
    }
  }

  /** The server and those that it has started, itself first: it starts no more of them when it is stopped. */
  mandarATodos(sinal: 'SIGSTOP' | 'SIGCONT'): void {
    const { pid } = this.#processo ?? {};
    if (pid === undefined || this.#processo?.exitCode !== null) return;
    process.kill(pid, sinal);
    for (const filho of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean))
      process.kill(Number(filho), sinal);
  }

  #opcoes() {
    return {
      ...(this.#usuario ?? {}),
      cwd: this.#pasta,
      // Settings of libpq (PGHOST, PGDATA …) of the one who runs the tests are not for this server.
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    };
  }

  /** Sorts text as a Brazilian would unless a column says otherwise, so that a column that does not say it shows. */
  #initdb(programas: string): void {
    const comum = [
      '-D',
      this.#dados,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
      '--no-locale',
    ];
    const tentativas = [[...comum, '--locale-provider=icu', '--icu-locale=pt-BR'], comum];
    let motivo = '';
    for (const args of tentativas) {
      const feito = spawnSync(join(programas, 'initdb'), args, { ...this.#opcoes(), encoding: 'utf8' });
      if (feito.status === 0) return;
      motivo = feito.stderr?.trim() || String(feito.error ?? `initdb terminou com ${feito.status}`);
      rmSync(join(this.#dados), { recursive: true, force: true });
      mkdirSync(this.#dados, { mode: 0o700 });
      if (this.#usuario) chownSync(this.#dados, this.#usuario.uid, this.#usuario.gid);
    }
    throw new Error(motivo);
  }

  async #pronto(registro: () => string): Promise<void> {
    const limite = performance.now() + READY_WITHIN_MS;
    while (performance.now() < limite) {
      if (this.#processo?.exitCode !== null) throw new Error(`o servidor terminou: ${registro()}`);
      const client = new pg.Client({ host: this.#dados, user: 'postgres', database: 'postgres' });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.end();
        return;
      } catch {
        await sleep(20);
      }
    }
    throw new Error(`o servidor não ficou pronto: ${registro()}`);
  }
}

async function main(): Promise<void> {
  const [pasta = '', origem = '', lugar = ''] = process.argv.slice(2);
  varrerSobras();
  const servidor = new Servidor(lugar);
  const announce = (anuncio: Anuncio) => process.stdout.write(`${JSON.stringify(anuncio)}\n`);
  // Signals of the terminal reach the whole group: this process ends when the tests' does.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stdout.on('error', () => {});
  try {
    announce({
      ok: true,
      socket: await servidor.start({ pasta, origem: origem === 'npm' ? 'npm' : 'maquina' }),
    });
    for await (const ordem of createInterface({ input: process.stdin })) {
      if (ordem === 'parar') await servidor.parar();
      if (ordem === 'iniciar') await servidor.iniciar();
      if (ordem === 'congelar') servidor.mandarATodos('SIGSTOP');
      if (ordem === 'descongelar') servidor.mandarATodos('SIGCONT');
      process.stdout.write('feito\n');
    }
  } catch (error) {
    announce({ ok: false, motivo: (error as Error).message });
  }
  await servidor.stop();
}

await main();
