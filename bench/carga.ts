/** nginx and wrk, for measures of what is served: both as the system has them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export const CONEXOES = 32;

/** What is missing of the two; null when both are here. */
export function faltaDeFerramenta(): string | null {
  const missing = ['nginx', 'wrk'].filter((name) => spawnSync(name, ['-v']).error !== undefined);
  return missing.length === 0 ? null : `não está instalado: ${missing.join(' e ')}`;
}

export interface Estatico extends AsyncDisposable {
  url: string;
}

/**
 * nginx over a folder: one worker for each core, `sendfile`, open files remembered, no log. A file `x.gz` is what it
 * answers for `x`, as it lies there, to who takes gzip.
 */
export async function openNginx(pasta: string): Promise<Estatico> {
  const port = await freePort();
  const own = join(pasta, 'nginx');
  mkdirSync(own, { recursive: true });
  const config = join(own, 'nginx.conf');
  writeFileSync(config, configOf({ pasta, own, port }));
  const child = spawn('nginx', ['-c', config, '-e', join(own, 'error.log')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child);
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function configOf({ pasta, own, port }: { pasta: string; own: string; port: number }): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${own}/${name};`)
    .join('\n  ');
  // Its workers would else be a user who may not read the folder.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}daemon off;
worker_processes auto;
pid ${own}/pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${temp}
  sendfile on;
  tcp_nopush on;
  gzip_static on;
  keepalive_requests 10000000;
  open_file_cache max=10000 inactive=60s;
  types { application/json json; }
  server { listen 127.0.0.1:${port}; root ${pasta}; }
}
`;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error('nginx did not start');
    if (await fetch(url).catch(() => null)) return;
    await pause(50);
  }
  throw new Error('nginx does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

export interface Medida {
  porSegundo: number;
  medianaMs: number;
  p99Ms: number;
  pedidos: number;
  /** Answers that were no 200, and connections that broke. */
  erros: number;
}

/**
 * Requests a list of paths with wrk at 32 connections: each once, in order, until the list or the time ends; or, with
 * `repetir`, over and over until the time ends.
 */
export async function measureCarga(input: {
  pasta: string;
  url: string;
  caminhos: readonly string[];
  headers: Record<string, string>;
  segundos: number;
  repetir: boolean;
}): Promise<Medida> {
  const script = join(input.pasta, 'carga.lua');
  writeFileSync(script, scriptOf(input));
  const child = spawn(
    'wrk',
    ['-t1', `-c${CONEXOES}`, `-d${input.segundos}s`, '--timeout', '10s', '-s', script, input.url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  await once(child, 'close');
  const found = /^medida (.*)$/m.exec(said)?.[1];
  if (!found) throw new Error(`wrk gave no figures:\n${said}`);
  const [pedidos = 0, micros = 1, p50 = 0, p99 = 0, erros = 0] = found.split(' ').map(Number);
  return {
    pedidos,
    erros,
    porSegundo: pedidos / (micros / 1e6),
    medianaMs: p50 / 1_000,
    p99Ms: p99 / 1_000,
  };
}

function scriptOf(input: {
  caminhos: readonly string[];
  headers: Record<string, string>;
  repetir: boolean;
}): string {
  const lua = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const headers = Object.entries(input.headers).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
  return `
local paths = {${input.caminhos.map(lua).join(',\n')}}
local headers = {${headers.join(',')}}
local requests = {}
local threads = {}
local at = 0
local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long ns; } malote_time; int clock_gettime(int clock, malote_time *t);")
local function micros_now()
  local t = ffi.new("malote_time")
  ffi.C.clock_gettime(1, t)
  return tonumber(t.s) * 1e6 + tonumber(t.ns) / 1e3
end
first, last = 0, 0
function setup(thread) threads[#threads + 1] = thread end
function init()
  for i = 1, #paths do requests[i] = wrk.format("GET", paths[i], headers) end
end
function request()
  at = at + 1
  if at == 1 then first = micros_now() end
  if not ${input.repetir} and at == #requests then
    last = micros_now()
    wrk.thread:stop()
  end
  return requests[(at - 1) % #requests + 1]
end
function done(summary, latency)
  local e = summary.errors
  local micros = threads[1]:get("last") - threads[1]:get("first")
  if micros <= 0 then micros = summary.duration end
  print(string.format("medida %d %d %d %d %d", summary.requests, micros, latency:percentile(50),
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}
