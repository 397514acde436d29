/**
 * The outside checker of the reliability plan: black box, over HTTP, with its own journal. It knows what was
 * acknowledged and what a live poller saw, and compares both with the feed at the end.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fetchJson } from './malote.ts';

/** Where the server can be reached just now; a restart changes it. */
export interface Endereco {
  url: string;
}

export interface EntradaVista {
  nsu: number;
  chave: string;
  /** `chave`, and for an event its code and sequence too. */
  identidade: string;
  sha256: string;
}

interface Feed {
  codigoCrm: string;
  token: string;
  cpfCnpj: string;
}

const PAGE = 100;
/** Each look is work of the server too. */
const PAUSE_MS = 100;

/** Reads one client's feed from its beginning for as long as it runs; a server that is away is asked again. */
export class Acompanhante {
  readonly vistas: EntradaVista[] = [];
  readonly feed: Feed;
  readonly #endereco: Endereco;
  #running = true;
  readonly #loop: Promise<void>;

  constructor(endereco: Endereco, feed: Feed) {
    this.#endereco = endereco;
    this.feed = feed;
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#running) {
      const last = this.vistas.at(-1)?.nsu ?? 0;
      const page = await readPagina(this.#endereco, this.feed, last).catch(() => null);
      if (page && page.length > 0) this.vistas.push(...page);
      else await delay(PAUSE_MS);
    }
  }
}

async function readPagina(endereco: Endereco, feed: Feed, nsu: number): Promise<EntradaVista[]> {
  const { codigoCrm, cpfCnpj, token } = feed;
  const path = `/api/v1/${codigoCrm}/${cpfCnpj}/documentos/${nsu}/novos?Tamanho=${PAGE}&Xml=true`;
  const { status, body } = await fetchJson(endereco.url + path, { token });
  assert.equal(status, 200);
  return body.documentos.map(
    (doc: {
      nsu: number;
      chave: string;
      xml: string;
      evento: { codigo: string; sequencia: number; xml: string } | null;
    }) => ({
      nsu: doc.nsu,
      chave: doc.chave,
      identidade: doc.evento ? `${doc.chave}/${doc.evento.codigo}/${doc.evento.sequencia}` : doc.chave,
      sha256: createHash('sha256')
        .update(doc.evento?.xml || doc.xml)
        .digest('hex'),
    }),
  );
}

/** The whole feed of a client, page by page. */
export async function lerFeed(endereco: Endereco, feed: Feed): Promise<EntradaVista[]> {
  const all: EntradaVista[] = [];
  for (;;) {
    const page = await readPagina(endereco, feed, all.at(-1)?.nsu ?? 0);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/**
 * Invariants I2–I5 for one feed.
 * @param input.esperadas what the client must have, as identity → SHA-256 of the bytes sent
 */
export async function checkFeed(
  endereco: Endereco,
  input: { feed: Feed; vistas: readonly EntradaVista[]; esperadas: ReadonlyMap<string, string> },
): Promise<void> {
  const final = await lerFeed(endereco, input.feed);
  assert.deepEqual(
    final.map((entrada) => entrada.nsu),
    final.map((_, index) => index + 1),
    'I4: NSUs are 1, 2, 3 … without holes',
  );
  assert.deepEqual(input.vistas, final, 'I3: the poller saw exactly what the feed holds, in its order');
  assert.deepEqual(
    final.map((entrada) => entrada.identidade).sort(),
    [...input.esperadas.keys()].sort(),
    'I2: every document of the client is there once',
  );
  for (const { identidade, sha256 } of final) {
    assert.equal(sha256, input.esperadas.get(identidade), `I5: the bytes of ${identidade} are those sent`);
  }
}
