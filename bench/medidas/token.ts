import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClienteOauth } from '../../src/autorizacao/cliente-oauth.ts';
import { createEscritorio, startMalote, withDeps } from '../../test/support/malote.ts';
import { middle } from '../melhor.ts';
import type { Resultado } from '../razoes.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
/** Both take turns this often; the middle ratio counts, for the machine changes between turns. */
const TURNS = 5;
/** A trial. */
const BREVE = { segundos: 0.2, turns: 1 };

interface Alvo {
  url: string;
  clientId: string;
  clientSecret: string;
}

/** Access tokens a second of a client-credentials endpoint, its process on one core: ours, and oidc-provider's. */
export async function measureTokens(input: { segundos: number; breve: boolean }): Promise<Resultado> {
  await using malote = await startMalote({ env: { MALOTE_LOG: 'warn', MALOTE_MODO: 'api' }, medido: true });
  await using base = await startOidcProvider();
  const preso = [malote.process, base.process].every(pinToOneCore);
  const { segundos, turns } = input.breve ? BREVE : { ...input, turns: TURNS };
  const alvos = { nosso: await alvoOf(malote), base: base.alvo };
  for (const alvo of Object.values(alvos)) await askFor(alvo, Math.min(WARM_UP_SECONDS, segundos));
  const turnos: { nosso: number; base: number }[] = [];
  for (let turn = 0; turn < turns; turn++) {
    turnos.push({
      base: await tokensPerSecond(alvos.base, segundos),
      nosso: await tokensPerSecond(alvos.nosso, segundos),
    });
  }
  const ratio = middle(turnos.map(({ nosso, base }) => nosso / base));
  const como = preso ? 'processo preso a um núcleo' : 'sem taskset: o processo pôde usar todos os núcleos';
  return {
    titulo: 'Emissão de tokens (client_credentials, JWT RS256 de 2048 bits, por HTTP)',
    linhas: [
      { oQue: 'oidc-provider', valor: middle(turnos.map((t) => t.base)), unidade: 'tokens/s', nota: como },
      {
        oQue: 'Malote, com refresh token',
        valor: middle(turnos.map((t) => t.nosso)),
        unidade: 'tokens/s',
        nota: `${ratio.toFixed(2)}x oidc-provider na mesma execução; ${como}`,
      },
    ],
    razoes: {},
    motivos: {},
  };
}

async function alvoOf({ url, dataFolder }: { url: string; dataFolder: string }): Promise<Alvo> {
  const { contadorId } = await createEscritorio(dataFolder, { crm: '1' });
  const cliente = await withDeps(dataFolder, (deps) =>
    createClienteOauth(deps, { contadorIds: [contadorId], nome: 'bench' }),
  );
  return { url: `${url}/auth/realms/service/protocol/openid-connect/token`, ...cliente };
}

async function startOidcProvider() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'oidc-provider.ts')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return {
    process: child,
    alvo: { url: await addressOf(child), clientId: 'bench', clientSecret: 'bench-secret' },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

/** Its other lines are read too, to the end: a closed pipe would end the process. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error('standard output is not piped');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('http')) resolve(line);
    });
    child.once('exit', () => reject(new Error('oidc-provider did not start')));
  });
}

/** @returns false where there is no taskset */
function pinToOneCore({ pid }: ChildProcess): boolean {
  return spawnSync('taskset', ['-a', '-c', '-p', '0', String(pid)]).status === 0;
}

async function tokensPerSecond(alvo: Alvo, seconds: number): Promise<number> {
  return (await askFor(alvo, seconds)) / seconds;
}

/** Asks over some connections for so long. @returns how many tokens came */
async function askFor(alvo: Alvo, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const until = performance.now() + seconds * 1_000;
  let answers = 0;
  const loop = async () => {
    while (performance.now() < until) {
      await askOnce(alvo, agent);
      answers++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  agent.destroy();
  return answers;
}

function askOnce({ url, clientId, clientSecret }: Alvo, agent: Agent): Promise<void> {
  const body = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`the token endpoint answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
