/**
 * The checker's own HTTP client: what an integrator's program does, and a suspicious look at every answer. It knows
 * the contract only, nothing of the product's code.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MARCA_DO_BALANCEADOR } from './balanceador.ts';
import type { Diario, EntradaVista, Escopo } from './diario.ts';

export interface Escritorio {
  codigoCrm: string;
  token: string;
}

export interface Resposta {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any route, whose shape its reader knows
  body: any;
}

export interface Ticket {
  id: string;
  url: string;
  pedidoEm: number;
}

/** An answer takes milliseconds; what takes this long is taken for none, as clients do. */
const TIMEOUT_MS = 30_000;
/** A start takes seconds, and dozens of files may wait for its end. */
const RETRY_MS = 200;
/** An address is good for 60 s; a client with some sense asks for a new one a little before. */
const TICKET_MS = 55_000;
const PAGE = 200;

const STACK = /\n\s+at \S+|node_modules|\.[cm]?[jt]s:\d+:\d+/;

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export class Sonda {
  readonly diario: Diario;
  /** Texts that no answer and no log may hold. */
  readonly segredos: string[] = [];
  /** Answers 503 with `Retry-After` so far. */
  recusas = 0;
  /** The bench is gone: nobody sends any more. */
  #closed = false;
  readonly #url: () => string;

  /** @param url where clients reach the service; may change with a restart */
  constructor(diario: Diario, url: () => string) {
    this.diario = diario;
    this.#url = url;
  }

  get url(): string {
    return this.#url();
  }

  /** One request. @throws when there is no answer (a killed process, a cut connection) */
  async pedir(
    path: string,
    options: { token?: string; method?: string; json?: unknown; bytes?: Uint8Array } = {},
  ): Promise<Resposta> {
    const { token, json, bytes } = options;
    const method = options.method ?? (json === undefined ? (bytes ? 'PUT' : 'GET') : 'POST');
    const answer = await fetch(path.startsWith('http') ? path : this.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json === undefined ? (bytes ? new Uint8Array(bytes) : null) : JSON.stringify(json),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    const nobody = answer.headers.get(MARCA_DO_BALANCEADOR);
    if (nobody !== null) throw new Error(`no process behind the balancer answered: ${nobody}`);
    const { status, headers } = answer;
    this.#olhar({ status, headers, text, onde: `${method} ${path.replace(/\?.*/, '').slice(0, 100)}` });
    return { status, headers, text, body: parsed(text) };
  }

  /** I9 and the few things that no answer may be, whatever happens around. */
  #olhar(input: { status: number; headers: Headers; text: string; onde: string }): void {
    const { status, headers, text, onde } = input;
    if (status < 400) return;
    const secret = this.segredos.find((one) => text.includes(one));
    if (STACK.test(text) || secret) {
      this.diario.anotar({ fato: 'vazamento', onde, trecho: secret ? 'um segredo' : text.slice(0, 300) });
    }
    const allowed = status < 500 || status === 507 || (status === 503 && headers.has('retry-after'));
    if (status === 503 && allowed) this.recusas += 1;
    if (!allowed) this.diario.anotar({ fato: 'resposta_indevida', status, onde, trecho: text.slice(0, 300) });
  }

  /** Announces a file. @returns null when the service does not answer, or says 503 */
  async ticket(
    escritorio: Escritorio,
    arquivo: { nome: string; size: number; extension: string },
  ): Promise<Ticket | null> {
    const { nome, size, extension } = arquivo;
    const pedidoEm = Date.now();
    const answer = await this.pedir('/storage', {
      token: escritorio.token,
      json: { size, extension },
    }).catch(() => null);
    if (answer?.status !== 200) return null;
    const { id, url } = answer.body;
    this.diario.anotar({ fato: 'ticket', id, arquivo: nome });
    return { id, url, pedidoEm };
  }

  /** Sends the bytes. @returns the status of the answer, 0 for none */
  async put(ticket: Pick<Ticket, 'id' | 'url'>, bytes: Uint8Array): Promise<number> {
    const answer = await this.pedir(ticket.url, { bytes }).catch(() => null);
    if (answer?.status === 200) this.diario.anotar({ fato: 'aceito', id: ticket.id, em: Date.now() });
    return answer?.status ?? 0;
  }

  /**
   * Sends a file as any client does: the same address again while it is good, then a new one, until it is
   * acknowledged. @returns its id; null when `enquanto` said no first
   */
  async enviar(
    escritorio: Escritorio,
    arquivo: { nome: string; extension: string; bytes: Uint8Array },
    enquanto: () => boolean = () => true,
  ): Promise<string | null> {
    const { nome, extension, bytes } = arquivo;
    let ticket: Ticket | null = null;
    while (enquanto() && !this.#closed) {
      if (ticket === null || Date.now() - ticket.pedidoEm > TICKET_MS) {
        ticket = await this.ticket(escritorio, { nome, size: bytes.length, extension });
      }
      const status: number = ticket ? await this.put(ticket, bytes) : 0;
      if (ticket && status === 200) return ticket.id;
      if (ticket && status === 409) {
        const trecho = 'os mesmos bytes de novo';
        this.diario.anotar({ fato: 'resposta_indevida', status, onde: `PUT ${ticket.id}`, trecho });
      }
      if (status >= 400 && status < 500) ticket = null;
      await delay(RETRY_MS);
    }
    return null;
  }

  fechar(): void {
    this.#closed = true;
  }

  /** @throws when there is no answer, or it is not 200 */
  async status(escritorio: Escritorio, id: string): Promise<{ status: string; log: string }> {
    const { status, body } = await this.pedir(`/storage/arquivo/${id}`, { token: escritorio.token });
    if (status !== 200) throw new Error(`status of ${id}: ${status}`);
    return body;
  }

  /** One page of a feed. @throws when there is no answer, or it is not 200 */
  async novos(
    escritorio: Escritorio,
    feed: { cpfCnpj: string; nsu: number },
    options: { tamanho?: number; pagina?: number } = {},
  ): Promise<{ total: number; entradas: EntradaVista[]; downloads: string[] }> {
    const { tamanho = PAGE, pagina = 1 } = options;
    const path =
      `/api/v1/${escritorio.codigoCrm}/${feed.cpfCnpj}/documentos/${feed.nsu}/novos` +
      `?Tamanho=${tamanho}&Pagina=${pagina}&Xml=true`;
    const { status, body } = await this.pedir(path, { token: escritorio.token });
    if (status !== 200) throw new Error(`feed: ${status}`);
    return {
      total: body.total,
      entradas: body.documentos.map(entradaDe),
      downloads: body.documentos.map((record: Registro) => doProprio(record).url_download),
    };
  }

  /** A log line of the service: I9 for logs. */
  lookAtRegistro(line: string, processo: string): void {
    const secret = this.segredos.some((one) => line.includes(one)) || /[?&]Signature=/.test(line);
    if (secret)
      this.diario.anotar({ fato: 'vazamento', onde: `registro de ${processo}`, trecho: 'um segredo' });
  }
}

interface Registro {
  nsu: number;
  chave: string;
  xml: string;
  url_download: string;
  evento: { codigo: string; sequencia: number; xml: string; url_download: string } | null;
}

function entradaDe(registro: Registro): EntradaVista {
  const { identidade, xml } = doProprio(registro);
  return { nsu: registro.nsu, identidade, sha256: sha256(xml) };
}

/** What the entry is of: an event with bytes of its own, else the document. */
function doProprio({ chave, xml, url_download, evento }: Registro) {
  if (!evento?.url_download) return { identidade: chave, xml, url_download };
  return { ...evento, identidade: `${chave}/${evento.codigo}/${evento.sequencia}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function escopoDe(escritorio: Pick<Escritorio, 'codigoCrm'>, cpfCnpj: string): Escopo {
  return `${escritorio.codigoCrm}/${cpfCnpj}`;
}
