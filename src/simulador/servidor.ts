/**
 * The simulated services behind HTTPS, which asks for a client certificate, and a control port without one, for whoever
 * moves the clock, publishes documents and puts faults in.
 */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { DerFault } from '../fiscal/certificado/der.ts';
import { titularDoCertificado } from '../fiscal/certificado/titular.ts';
import { autoridadesEmPem, certificadoDoServidor } from './certificados.ts';
import { type Controle, control } from './controle.ts';
import type { Simulador } from './simulador.ts';
import type { CertificadoApresentado, Desfecho, Pedido, Servico } from './tipos.ts';

/** Where each service stands below the address of the server. */
const CAMINHOS: Readonly<Record<Servico, string>> = {
  nfe: '/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
  nfe_eventos: '/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
  cte: '/CTeDistribuicaoDFe/CTeDistribuicaoDFe.asmx',
  cte_eventos: '/CTeRecepcaoEventoV4/CTeRecepcaoEventoV4.asmx',
  adn: '/contribuintes',
  sefin: '/SefinNacional',
  sae_chaves: '/ws/NFCeListagemChaves.asmx',
  sae_download: '/ws/NFCeDownloadXML.asmx',
  convenio: '/parametrizacao',
};

const CORPO_MAX_BYTES = 12_000_000;

export interface SimuladorNoAr {
  /** Base address of each service. */
  enderecos: Record<Servico, string>;
  /** Address of the control port, `http://127.0.0.1:…`. */
  controle: string;
  [Symbol.asyncDispose](): Promise<void>;
}

interface OpcoesDoServidor extends Controle {
  /** Of the services; 0: any that is free. */
  porta?: number;
  portaDeControle?: number;
}

/** Puts a simulator on the air, on this machine only. */
export async function serveSimulador(opcoes: OpcoesDoServidor): Promise<SimuladorNoAr> {
  const { simulador } = opcoes;
  const identity = certificadoDoServidor('localhost', new Date());
  const services = createServer(
    {
      ...identity,
      ca: autoridadesEmPem(),
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.2',
      requestCert: true,
      // Whom it does not know it answers in words, as the real ones do.
      rejectUnauthorized: false,
    },
    (req, res) => void answer(simulador, req, res),
  );
  const controls = createHttpServer((req, res) => void control(opcoes, req, res));
  const port = await listen(services, opcoes.porta ?? 0);
  const controlPort = await listen(controls, opcoes.portaDeControle ?? 0);
  const base = `https://localhost:${port}`;
  return {
    enderecos: Object.fromEntries(
      Object.entries(CAMINHOS).map(([servico, caminho]) => [servico, base + caminho]),
    ) as Record<Servico, string>,
    controle: `http://127.0.0.1:${controlPort}`,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(services), close(controls)]);
    },
  };
}

async function listen(server: Server | ReturnType<typeof createServer>, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function close(server: Server | ReturnType<typeof createServer>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(simulador: Simulador, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const found = serviceOf(req.url ?? '/');
  const corpo = await readBody(req);
  if (!found || corpo === null) {
    res.writeHead(found ? 413 : 404).end();
    return;
  }
  const pedido: Pedido = {
    ...found,
    metodo: req.method ?? 'GET',
    cabecalhos: Object.fromEntries(
      Object.entries(req.headers).map(([nome, valor]) => [
        nome,
        Array.isArray(valor) ? valor.join(', ') : valor,
      ]),
    ),
    corpo,
    certificado: readCertificado(req.socket as TLSSocket),
  };
  write(await simulador.call(pedido), req, res);
}

function write(desfecho: Desfecho, req: IncomingMessage, res: ServerResponse): void {
  if (desfecho.tipo === 'resposta') {
    const { status, cabecalhos, corpo } = desfecho.resposta;
    const bytes = Buffer.from(corpo);
    res.writeHead(status, { ...cabecalhos, 'content-length': bytes.length });
    res.end(req.method === 'HEAD' ? undefined : bytes);
    return;
  }
  // A timeout says nothing until the caller hangs up.
  if (desfecho.queda === 'reset') req.socket.destroy();
}

function serviceOf(url: string): { servico: Servico; caminho: string } | null {
  for (const [servico, base] of Object.entries(CAMINHOS) as [Servico, string][])
    if (url === base || url.startsWith(`${base}/`) || url.startsWith(`${base}?`))
      return { servico, caminho: url.slice(base.length) };
  return null;
}

async function readBody(req: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > CORPO_MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readCertificado(socket: TLSSocket): CertificadoApresentado | null {
  const { raw, valid_from, valid_to } = socket.getPeerCertificate();
  if (!raw) return null;
  const error = socket.authorizationError as unknown;
  // Dates are judged by the simulator's own clock.
  const confiavel = socket.authorized || /EXPIRED|NOT_YET_VALID/.test(String(error));
  return {
    titular: titularOf(raw),
    validoDe: Date.parse(valid_from),
    validoAte: Date.parse(valid_to),
    confiavel,
  };
}

function titularOf(der: Buffer): string | null {
  try {
    return titularDoCertificado(der).cpfCnpj;
  } catch (error) {
    if (error instanceof DerFault) return null;
    throw error;
  }
}
