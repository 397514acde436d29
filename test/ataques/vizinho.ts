/**
 * The honest office beside an attack: it sends single notes and waits until its client has them, reads pages of its feed
 * and of its console, and does as it is told (`Retry-After`). What it waits is what an attack costs others.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Resposta, send } from '../support/pedido.ts';
import type { Lado } from './lado.ts';

const PAUSE_MS = 250;
const POLL_MS = 50;
const AGAIN_MS = 250;
/** No client waits longer for one answer. */
const ANSWER_WITHIN_MS = 60_000;
/** What is under way when the attack is over gets so long; then it is counted as it stands. */
const GRACE_MS = 60_000;
const RETRY_AFTER_MAX_MS = 10_000;

export interface Esperas {
  /** ms from asking for a ticket to the note in the feed, of each note. */
  notas: number[];
  /** ms of each page, tries that failed included. */
  paginas: number[];
  /** Notes that had not come by the end. */
  porChegar: number;
}

function semEsperas(): Esperas {
  return { notas: [], paginas: [], porChegar: 0 };
}

export class Vizinho {
  esperas = semEsperas();
  /** The longest of `medirSossego`, ms. */
  sossegoMs = 0;
  /** Keys of what has come. */
  readonly entregues: string[] = [];
  /** Uploads, or tickets, that were answered 503. */
  recusas = 0;
  readonly #lado: Lado;
  readonly #url: string;
  readonly #cookie: string;
  #nsu = 0;
  #correndo = false;
  #fim = Number.POSITIVE_INFINITY;
  #lacos: Promise<void>[] = [];

  constructor(input: { lado: Lado; url: string; cookie: string }) {
    this.#lado = input.lado;
    this.#url = input.url;
    this.#cookie = input.cookie;
  }

  /** Goes on until `parar`. */
  iniciar(): void {
    this.#correndo = true;
    this.#fim = Number.POSITIVE_INFINITY;
    this.#lacos = [
      this.#repetir(() => this.deliverOne()),
      this.#repetir(() => this.#readPagina(this.#feed(0))),
      this.#repetir(() => this.#readPagina('/console/api/inicio')),
      this.#repetir(() => this.#readPagina('/console/api/documentos?Tamanho=50')),
    ];
  }

  /** What it has waited for so far counts no more. */
  recomecar(): void {
    this.esperas = semEsperas();
    this.sossegoMs = 0;
    this.recusas = 0;
    this.#fim = Number.POSITIVE_INFINITY;
  }

  /** Looks what it waits for while nobody attacks; that is not counted with the rest. */
  async medirSossego(ms: number): Promise<void> {
    this.iniciar();
    await delay(ms);
    await this.parar();
    this.sossegoMs = this.piorMs;
    this.esperas = semEsperas();
  }

  /** Waits for what is under way, within reason. */
  async parar(): Promise<void> {
    this.#correndo = false;
    this.#fim = performance.now() + GRACE_MS;
    await Promise.all(this.#lacos);
    this.#lacos = [];
  }

  get piorMs(): number {
    return Math.max(0, ...this.esperas.notas, ...this.esperas.paginas);
  }

  async #repetir(volta: () => Promise<void>): Promise<void> {
    while (this.#correndo) {
      await volta();
      await delay(PAUSE_MS);
    }
  }

  /** One note, from the asking for its ticket to its place in the feed. */
  async deliverOne(withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { chave, bytes } = this.#lado.proximaNota();
    const since = performance.now();
    const inTime = () => performance.now() < Math.min(this.#fim, since + withinMs);
    let aceita = false;
    let chegou = false;
    while (!chegou && inTime()) {
      aceita ||= await this.#enviar(bytes);
      chegou = aceita && (await this.#temNoFeed(chave));
      if (aceita && !chegou) await delay(POLL_MS);
    }
    this.esperas.notas.push(performance.now() - since);
    if (chegou) this.entregues.push(chave);
    else this.esperas.porChegar += 1;
  }

  async #enviar(bytes: Uint8Array): Promise<boolean> {
    const ticket = await this.#pedir('/storage', {
      method: 'POST',
      json: { size: bytes.length, extension: '.xml' },
    });
    const { url } = ticket?.status === 200 ? JSON.parse(ticket.text) : { url: null };
    const put = url === null ? null : await this.#pedir(url, { method: 'PUT', bytes });
    if (put?.status === 200) return true;
    const refused = put ?? ticket;
    if (refused?.status === 503) this.recusas += 1;
    await delay(esperaPedida(refused));
    return false;
  }

  async #temNoFeed(chave: string): Promise<boolean> {
    const page = await this.#pedir(this.#feed(this.#nsu));
    if (page?.status !== 200) return false;
    const { documentos } = JSON.parse(page.text) as { documentos: { nsu: number; chave: string }[] };
    this.#nsu = documentos.at(-1)?.nsu ?? this.#nsu;
    return documentos.some((documento) => documento.chave === chave);
  }

  #feed(nsu: number): string {
    const { codigoCrm, cliente } = this.#lado;
    return `/api/v1/${codigoCrm}/${cliente.id}/documentos/${nsu}/novos?Tamanho=50`;
  }

  async #readPagina(path: string): Promise<void> {
    const since = performance.now();
    for (;;) {
      const answer = await this.#pedir(path);
      if (answer?.status === 200 || performance.now() > this.#fim) break;
      await delay(esperaPedida(answer));
    }
    this.esperas.paginas.push(performance.now() - since);
  }

  /** @returns null when there is no answer */
  async #pedir(
    path: string,
    { method = 'GET', json, bytes }: { method?: string; json?: unknown; bytes?: Uint8Array } = {},
  ): Promise<Resposta | null> {
    const credencial: [string, string] = path.startsWith('/console/')
      ? ['Cookie', this.#cookie]
      : ['Authorization', `Bearer ${this.#lado.token}`];
    const body = json === undefined ? bytes : JSON.stringify(json);
    return send({
      method,
      url: path.startsWith('http') ? path : this.#url + path,
      headers: path.startsWith('http') ? [] : [credencial, ['Content-Type', 'application/json']],
      ...(body === undefined ? {} : { body }),
      withinMs: ANSWER_WITHIN_MS,
    }).catch(() => null);
  }
}

/** As the server asks, where it does, ms. */
export function esperaPedida(answer: Resposta | null): number {
  const seconds = Number(answer?.headers['retry-after'] ?? 0);
  return seconds > 0 ? Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS) : AGAIN_MS;
}
