import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClienteOauth } from '../../src/autorizacao/cliente-oauth.ts';
import { createEscritorio, startMalote, withDeps } from '../../test/support/malote.ts';
import type { Resultado } from '../razoes.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;

interface Alvo {
  url: string;
  clientId: string;
  clientSecret: string;
}

/** Access tokens a second of a client-credentials endpoint, its process on one core: ours, and oidc-provider's. */
export async function medirTokens(input: { segundos: number }): Promise<Resultado> {
  const { porSegundo: base, preso } = await measureOidcProvider(input);
  const { porSegundo: nosso } = await measureMalote(input);
  const como = preso ? 'processo preso a um núcleo' : 'sem taskset: o processo pôde usar todos os núcleos';
  return {
    titulo: 'Emissão de tokens (client_credentials, JWT RS256 de 2048 bits, por HTTP)',
    linhas: [
      { oQue: 'oidc-provider', valor: base, unidade: 'tokens/s', nota: como },
      {
        oQue: 'Malote, com refresh token',
        valor: nosso,
        unidade: 'tokens/s',
        nota: `${(nosso / base).toFixed(2)}x oidc-provider na mesma execução; ${como}`,
      },
    ],
    razoes: {},
    motivos: {},
  };
}

async function measureMalote({ segundos }: { segundos: number }) {
  await using malote = await startMalote({ env: { MALOTE_LOG: 'warn', MALOTE_MODO: 'api' } });
  const { contadorId } = await createEscritorio(malote.dataFolder, { crm: '1' });
  const cliente = await withDeps(malote.dataFolder, (deps) =>
    createClienteOauth(deps, { contadorIds: [contadorId], nome: 'bench' }),
  );
  const url = `${malote.url}/auth/realms/service/protocol/openid-connect/token`;
  return await measure(malote.process, { alvo: { url, ...cliente }, segundos });
}

async function measureOidcProvider({ segundos }: { segundos: number }) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'oidc-provider.ts')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  try {
    const alvo = { url: await addressOf(child), clientId: 'bench', clientSecret: 'bench-secret' };
    return await measure(child, { alvo, segundos });
  } finally {
    child.kill();
    await once(child, 'exit');
  }
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

async function measure(
  child: ChildProcess,
  { alvo, segundos }: { alvo: Alvo; segundos: number },
): Promise<{ porSegundo: number; preso: boolean }> {
  const preso = spawnSync('taskset', ['-a', '-c', '-p', '0', String(child.pid)]).status === 0;
  await askFor(alvo, Math.min(WARM_UP_SECONDS, segundos));
  const answers = await askFor(alvo, segundos);
  return { porSegundo: answers / segundos, preso };
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
