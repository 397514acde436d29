/**
 * HTTPS with a client certificate. One agent for each certificate and host, with one connection, which lives as long as a run
 * of pages: nothing of a key is left a few seconds after it. Redirects are never followed, and the server's certificate is
 * always verified. Not `fetch`: it cannot carry a client certificate, and hosts that ask for it by renegotiation know HTTP/1.1
 * only.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import tls, { type TLSSocket } from 'node:tls';
import type { CertificadoEmUso } from '../../contas/certificado/guardar.ts';
import { UnsealError } from '../../platform/crypto/cofre.ts';
import { falhaDe } from './falhas.ts';
import {
  type CertificadoDeCliente,
  FalhaDeTransporte,
  type PedidoHttp,
  type RespostaHttp,
  type Transporte,
} from './tipos.ts';

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 60_000;
/** Longer than the pause between two pages, shorter than servers keep a connection that nobody uses. */
const KEPT_MS = 4_000;

interface OpcoesDoTransporte {
  /** Authorities (PEM, one each) that a server may stand under besides those that Node trusts. */
  autoridades: () => readonly string[];
  /** As this program names itself to the services. */
  agente: string;
  connectWithinMs?: number;
  answerWithinMs?: number;
}

interface Aberto {
  impressao: string;
  /** Made once, however many calls begin before it is there: one that is made twice would be closed by nobody. */
  agent: Promise<Agent>;
  /** Requests that are under way. */
  uses: number;
  timer: NodeJS.Timeout | undefined;
}

export class TransporteHttps implements Transporte {
  readonly #opcoes: OpcoesDoTransporte;
  readonly #abertos = new Map<string, Aberto>();

  constructor(opcoes: OpcoesDoTransporte) {
    this.#opcoes = opcoes;
  }

  /** Connections that are kept now: what tests look at. */
  get abertos(): number {
    return this.#abertos.size;
  }

  async pedir(pedido: PedidoHttp): Promise<RespostaHttp> {
    const key = keyOf(pedido);
    const aberto = this.#abertos.get(key) ?? this.#open(key, pedido);
    aberto.uses++;
    clearTimeout(aberto.timer);
    try {
      return await this.#send(pedido, await aberto.agent);
    } finally {
      aberto.uses--;
      if (aberto.uses === 0) aberto.timer = setTimeout(() => this.#drop(key, aberto), KEPT_MS).unref();
    }
  }

  close(except: ReadonlySet<string> = new Set()): void {
    for (const [key, aberto] of this.#abertos) if (!except.has(aberto.impressao)) this.#drop(key, aberto);
  }

  #drop(key: string, aberto: Aberto): void {
    if (this.#abertos.get(key) === aberto) this.#abertos.delete(key);
    clearTimeout(aberto.timer);
    aberto.agent.then(
      (agent) => agent.destroy(),
      () => undefined,
    );
  }

  #open(key: string, { certificado }: PedidoHttp): Aberto {
    const agent = this.#makeAgent(certificado);
    const aberto: Aberto = { impressao: certificado.impressao, agent, uses: 0, timer: undefined };
    this.#abertos.set(key, aberto);
    // Whoever comes next tries anew.
    agent.catch(() => this.#drop(key, aberto));
    return aberto;
  }

  async #makeAgent(certificado: CertificadoDeCliente): Promise<Agent> {
    const secureContext = await contextFor(certificado, this.#opcoes.autoridades());
    return new Agent({
      keepAlive: true,
      maxSockets: 1,
      maxFreeSockets: 1,
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      // Without sessions, each connection shows the certificate again.
      maxCachedSessions: 0,
    });
  }

  #send(pedido: PedidoHttp, agent: Agent): Promise<RespostaHttp> {
    const { agente, connectWithinMs = CONNECT_WITHIN_MS, answerWithinMs = ANSWER_WITHIN_MS } = this.#opcoes;
    const { method, body } = pedido;
    const headers = {
      'user-agent': agente,
      ...pedido.headers,
      ...(body ? { 'content-length': String(body.length) } : {}),
    };
    return new Promise((resolve, reject) => {
      let enviado = false;
      const req = request(pedido.url, { method, headers, agent });
      const total = setTimeout(
        () => req.destroy(new FalhaDeTransporte('prazo_de_resposta', { enviado })),
        answerWithinMs,
      );
      whenConnected(req, connectWithinMs, () => {
        enviado = true;
      });
      req.on('error', (error) => reject(falhaDe(error, { enviado })));
      req.on('response', (response) => {
        readAnswer(response, pedido.maxBytes).then(resolve, (error: unknown) => {
          req.destroy();
          reject(falhaDe(error, { enviado: true }));
        });
      });
      req.on('close', () => clearTimeout(total));
      req.end(body);
    });
  }
}

function keyOf({ certificado, url }: PedidoHttp): string {
  return `${certificado.impressao} ${new URL(url).host}`;
}

/** The key is in OpenSSL's hands alone; the agent's options hold none. */
async function contextFor(
  certificado: CertificadoDeCliente,
  autoridades: readonly string[],
): Promise<tls.SecureContext> {
  const { chave, cadeia } = await openCertificado(certificado);
  const key = pemOf('PRIVATE KEY', chave);
  try {
    const context = tls.createSecureContext({
      key,
      cert: Buffer.concat(cadeia.map((der) => pemOf('CERTIFICATE', der))),
      minVersion: 'TLSv1.2',
    });
    for (const autoridade of autoridades) trustBesides(context, autoridade);
    return context;
  } catch (error) {
    throw new FalhaDeTransporte('certificado_nao_abre', {
      enviado: false,
      causa: falhaDe(error, { enviado: false }).causa,
    });
  } finally {
    key.fill(0);
    chave.fill(0);
  }
}

/**
 * What the option `ca` does for each of its certificates. The option would take the place of what Node trusts, whose hundred
 * and fifty would have to be given along: read anew for each connection they take 14 ms and half a megabyte, and those that
 * Node has read already nothing.
 */
function trustBesides({ context }: tls.SecureContext, autoridade: string): void {
  (context as { addCACert(pem: string): void }).addCACert(autoridade);
}

async function openCertificado(certificado: CertificadoDeCliente): Promise<CertificadoEmUso> {
  try {
    return await certificado.open();
  } catch (error) {
    if (error instanceof UnsealError) throw new FalhaDeTransporte('certificado_nao_abre', { enviado: false });
    throw error;
  }
}

const BASE64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

/** In bytes that can be overwritten: a text of a key would stay in memory until somebody cleans up. */
function pemOf(label: string, der: Buffer): Buffer {
  const head = `-----BEGIN ${label}-----\n`;
  const tail = `\n-----END ${label}-----\n`;
  const groups = Math.ceil(der.length / 3);
  const pem = Buffer.alloc(head.length + 4 * groups + Math.floor((groups - 1) / 16) + tail.length, '=');
  let at = pem.write(head, 'latin1');
  for (let group = 0; group < groups; group++) {
    if (group > 0 && group % 16 === 0) at = pem.writeUInt8(0x0a, at);
    const from = 3 * group;
    const bits = ((der[from] ?? 0) << 16) | ((der[from + 1] ?? 0) << 8) | (der[from + 2] ?? 0);
    const digits = Math.min(4, der.length - from + 1);
    for (let digit = 0; digit < digits; digit++)
      pem[at + digit] = BASE64[(bits >> (18 - 6 * digit)) & 0x3f] ?? 0;
    at += 4;
  }
  pem.write(tail, at, 'latin1');
  return pem;
}

/** From the handshake on, the service may have seen the request. One that shows no certificate is given up before. */
function whenConnected(req: ClientRequest, withinMs: number, connected: () => void): void {
  req.on('socket', (socket) => {
    const secure = socket as TLSSocket;
    if (req.reusedSocket) {
      connected();
      return;
    }
    const late = setTimeout(
      () => req.destroy(new FalhaDeTransporte('prazo_de_conexao', { enviado: false })),
      withinMs,
    );
    secure.once('close', () => clearTimeout(late));
    secure.once('secureConnect', () => {
      clearTimeout(late);
      const own = secure.getCertificate();
      if (own && Object.keys(own).length > 0) connected();
      else req.destroy(new FalhaDeTransporte('certificado_nao_apresentado', { enviado: false }));
    });
  });
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<RespostaHttp> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400 && status !== 304)
    throw new FalhaDeTransporte('redirecionamento', { enviado: true, causa: `HTTP_${status}` });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new FalhaDeTransporte('resposta_grande', { enviado: true });
    chunks.push(chunk);
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return { status, headers, bytes: Buffer.concat(chunks, length) };
}
