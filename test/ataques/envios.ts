/** What the attacker sends, and whether each of it came to an end that somebody can see. */
import { setTimeout as delay } from 'node:timers/promises';
import { zipDe } from '../../src/gerador/zip.ts';
import { ate } from '../confiabilidade/processo.ts';
import { type Resposta, send } from '../support/pedido.ts';
import type { Lado } from './lado.ts';

const ANSWER_WITHIN_MS = 60_000;
const POLL_MS = 200;
const PAGE = 500;
const FINAIS = new Set(['Uploaded', 'Com Erro', 'Expirado']);

export interface Entrada {
  nome: string;
  bytes: Uint8Array;
}

/** An upload that was acknowledged. */
export interface Aceito {
  id: string;
  /** Names of what it holds, one document each. */
  nomes: string[];
  /** When it was acknowledged, on the clock of `performance`. */
  em: number;
}

export interface Linha {
  caminho: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string | null;
}

export class Envios {
  readonly aceitos: Aceito[] = [];
  readonly #url: () => string;
  readonly #lado: Lado;

  constructor(url: () => string, lado: Lado) {
    this.#url = url;
    this.#lado = lado;
  }

  /** @returns null when it was not accepted: the sender knows */
  async enviar(input: { bytes: Uint8Array; extension: string; nomes: string[] }): Promise<Aceito | null> {
    const { bytes, extension, nomes } = input;
    const ticket = await this.pedir('/storage', {
      method: 'POST',
      json: { size: bytes.length, extension },
    });
    if (ticket?.status !== 200) return null;
    const { id, url } = JSON.parse(ticket.text);
    const put = await send({
      method: 'PUT',
      url,
      headers: [],
      body: bytes,
      withinMs: ANSWER_WITHIN_MS,
    }).catch(() => null);
    if (put?.status !== 200) return null;
    const aceito = { id, nomes, em: performance.now() };
    this.aceitos.push(aceito);
    return aceito;
  }

  async sendZip(entradas: readonly Entrada[]): Promise<Aceito | null> {
    const bytes = await zipDe(entradas);
    return this.enviar({ bytes, extension: '.zip', nomes: entradas.map(({ nome }) => nome) });
  }

  sendXml(entrada: Entrada): Promise<Aceito | null> {
    return this.enviar({ bytes: entrada.bytes, extension: '.xml', nomes: [entrada.nome] });
  }

  /** What the rest of an attack stands on. @throws when it is not accepted, or not done in time */
  async importar(entradas: readonly Entrada[], withinMs = 120_000): Promise<Aceito> {
    const aceito = await this.sendZip(entradas);
    if (!aceito || !(await this.terminou(aceito, withinMs)))
      throw new Error('a preparation was not imported');
    return aceito;
  }

  /** Waits for its final state. @returns ms since it was acknowledged; null when it has none by then */
  async terminou({ id, em }: Aceito, withinMs: number): Promise<number | null> {
    const done = await ate(async () => {
      const status = await this.status(id);
      if (status !== null && FINAIS.has(status)) return true;
      await delay(POLL_MS);
      return false;
    }, withinMs);
    return done ? performance.now() - em : null;
  }

  async status(id: string): Promise<string | null> {
    const answer = await this.pedir(`/storage/arquivo/${id}`);
    return answer?.status === 200 ? JSON.parse(answer.text).status : null;
  }

  /** All rows of an upload. @throws when a page of them does not come */
  async linhas(id: string): Promise<Linha[]> {
    const all: Linha[] = [];
    for (let pagina = 1; ; pagina++) {
      const answer = await this.pedir(`/storage/arquivo/${id}/itens?Tamanho=${PAGE}&Pagina=${pagina}`);
      if (answer?.status !== 200) throw new Error(`rows of ${id}: ${answer?.status ?? 'no answer'}`);
      const { itens, paginas } = JSON.parse(answer.text) as { itens: Linha[]; paginas: number };
      all.push(...itens);
      if (pagina >= paginas) return all;
    }
  }

  /** Counts what was acknowledged and has come to nothing: uploads without an end, documents without a row. */
  async semDono(withinMs: number): Promise<number> {
    const deadline = performance.now() + withinMs;
    let count = 0;
    for (const aceito of this.aceitos) {
      const left = Math.max(1_000, deadline - performance.now());
      const done = await this.terminou(aceito, left);
      count += done === null ? 1 : await this.#documentosSemDono(aceito);
    }
    return count;
  }

  async #documentosSemDono({ id, nomes }: Aceito): Promise<number> {
    const linhas = await this.linhas(id).catch(() => []);
    const known = new Set(nomes);
    // A row about the file itself tells of the rest of it.
    const doArquivo = nomes.length > 1 && linhas.some(({ caminho }) => !known.has(caminho));
    return doArquivo ? 0 : Math.max(0, nomes.length - linhas.length);
  }

  /** With the attacker's token. @returns null when there is no answer */
  pedir(
    path: string,
    { method = 'GET', json }: { method?: string; json?: unknown } = {},
  ): Promise<Resposta | null> {
    return send({
      method,
      url: this.#url() + path,
      headers: [
        ['Authorization', `Bearer ${this.#lado.token}`],
        ['Content-Type', 'application/json'],
      ],
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      withinMs: ANSWER_WITHIN_MS,
    }).catch(() => null);
  }
}
