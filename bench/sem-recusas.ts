/**
 * `npm run sem-recusas`: nobody is refused by default. 10,000 requests of one token, one after the other on one kept
 * connection, and 10,000 of fifty tokens of fifty offices at once, on a server as it comes: addresses for uploads, states
 * and pages in turn, as a program of an office asks for them. Ends with 1 when any answer is no 200, such as a 429 or a
 * 503. `-- --json` prints one object; `-- --pedidos n` changes how many.
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { createToken } from '../src/autorizacao/tokens.ts';
import { createContador } from '../src/contas/contadores.ts';
import {
  createCliente,
  type Escritorio,
  type Malote,
  startMalote,
  withDeps,
} from '../test/support/malote.ts';

/** In the feed of whom nothing is: it is the asking that counts. */
const CLIENTE = '11222333000181';
const ESCRITORIOS = 50;

export interface Medida {
  pedidos: number;
  segundos: number;
  /** How often each status was answered. */
  status: Record<string, number>;
}

type Remetente = Pick<Escritorio, 'codigoCrm' | 'token'>;

/** Sends one request and reads its answer to the end. */
function ask(
  url: string,
  { agent, token, json }: { agent: Agent; token: string; json?: object },
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(json ? { 'content-type': 'application/json' } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: json ? 'POST' : 'GET' }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject);
    sent.end(json ? JSON.stringify(json) : undefined);
  });
}

/** One sender: it never has two requests under way. */
async function perguntar(
  malote: Pick<Malote, 'url'>,
  { token, codigoCrm }: Remetente,
  { pedidos, medida }: { pedidos: number; medida: Medida },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let id = '';
  const ways = [
    async () => {
      const json = { size: 100, extension: '.xml' };
      const answer = await ask(`${malote.url}/storage`, { agent, token, json });
      id = answer.status === 200 ? JSON.parse(answer.text).id : '';
      return answer;
    },
    () => ask(`${malote.url}/storage/arquivo/${id}`, { agent, token }),
    () => ask(`${malote.url}/api/v1/${codigoCrm}/${CLIENTE}/documentos/0/novos`, { agent, token }),
  ];
  for (let at = 0; at < pedidos; at++) {
    const answer = await ways[at % ways.length]?.();
    const status = String(answer?.status);
    medida.status[status] = (medida.status[status] ?? 0) + 1;
  }
  agent.destroy();
}

/** Requests of some offices at once, as many of each. */
async function medir(
  malote: Pick<Malote, 'url'>,
  escritorios: readonly Remetente[],
  pedidos: number,
): Promise<Medida> {
  const medida: Medida = { pedidos, segundos: 0, status: {} };
  const each = pedidos / escritorios.length;
  const before = performance.now();
  await Promise.all(escritorios.map((one) => perguntar(malote, one, { pedidos: each, medida })));
  medida.segundos = (performance.now() - before) / 1_000;
  return medida;
}

function abrir(malote: Malote): Promise<Remetente[]> {
  return withDeps(malote.dataFolder, async (deps) => {
    const abertos: Remetente[] = [];
    for (let n = 1; n <= ESCRITORIOS; n++) {
      const { id, codigoCrm } = await createContador(deps, {
        codigoCrm: String(500_000 + n),
        nome: `Escritório ${n}`,
        email: 'contato@exemplo.com.br',
      });
      await createCliente(deps, { contadorId: id, cpfCnpj: CLIENTE });
      abertos.push({ codigoCrm, token: (await createToken(deps, { contadorId: id })).token });
    }
    return abertos;
  });
}

/** Both runs, on a server that is there already. @param pedidos of each run; a multiple of fifty */
export async function semRecusas(
  malote: Malote,
  pedidos: number,
): Promise<Record<'um' | 'cinquenta', Medida>> {
  const escritorios = await abrir(malote);
  const um = await medir(malote, escritorios.slice(0, 1), pedidos);
  return { um, cinquenta: await medir(malote, escritorios, pedidos) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { pedidos: { type: 'string', default: '10000' }, json: { type: 'boolean', default: false } },
  });
  await using malote = await startMalote({ medido: true });
  const medidas = await semRecusas(malote, Number(values.pedidos));
  if (values.json) console.log(JSON.stringify(medidas));
  else
    for (const [quem, { pedidos, segundos, status }] of Object.entries(medidas))
      console.log(
        `${quem}: ${pedidos} pedidos em ${segundos.toFixed(1)} s, respostas ${JSON.stringify(status)}`,
      );
  const refused = Object.values(medidas).some(({ pedidos, status }) => status['200'] !== pedidos);
  process.exitCode = refused ? 1 : 0;
}

if (import.meta.main) await main();
