/** What should have come and what came, and when. */

import { gunzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import type { Servico } from '../../src/banco/tabelas-captura.ts';
import type { PedidoHttp } from '../../src/captura/client/tipos.ts';
import type { Database } from '../../src/platform/db/connect.ts';
import type { Simulador } from '../../src/simulador/simulador.ts';
import { esperaDe, type Periodo } from './espera.ts';
import type { ClienteDoAno } from './malote.ts';

export interface Resultado {
  bloqueios: number;
  perdidos: number;
  dobrados: number;
  limites_violados: number;
  mediana_min: number;
  pior_min: number;
  documentos: number;
}

interface Esperado {
  cliente: ClienteDoAno;
  chave: string;
  servico: Servico;
  /** ms of coming into the queue. */
  em: number;
  /** ms of coming to Malote. */
  chegouEm: number | null;
}

/** A time in which nothing can come to somebody, or from some service. */
interface Desculpa extends Periodo {
  cliente?: ClienteDoAno;
  servico?: Servico;
}

const MINUTO_MS = 60_000;

export class Placar {
  readonly #simulador: Simulador;
  readonly #esperados = new Map<string, Esperado>();
  readonly #resumos = new Set<string>();
  #chegados = 0;
  readonly #desculpas: Desculpa[] = [];
  #isSorted = false;
  /** The worst ones in words. */
  readonly notas: string[] = [];

  constructor(simulador: Simulador) {
    this.#simulador = simulador;
  }

  get chegados(): number {
    return this.#chegados;
  }

  get esperados(): number {
    return this.#esperados.size;
  }

  expect(
    cliente: ClienteDoAno,
    { chave, servico, em }: { chave: string; servico: Servico; em: number },
  ): void {
    this.#esperados.set(`${cliente.cpfCnpj}/${chave}`, { cliente, chave, servico, em, chegouEm: null });
  }

  expectResumo(cliente: ClienteDoAno, chave: string): void {
    this.#resumos.add(`${cliente.cpfCnpj}/${chave}`);
  }

  excuse(desculpa: Desculpa): void {
    this.#desculpas.push(desculpa);
    this.#isSorted = false;
  }

  /** An answer that came to Malote: what it holds has come. */
  see(pedido: PedidoHttp, bytes: Buffer, agora: number): void {
    if (bytes.length < 1_000) return;
    const text = bytes.toString('latin1');
    const asked = /<CNPJ>(\w{14})</.exec(pedido.body?.toString('latin1') ?? '')?.[1];
    const who = asked ?? /cnpjConsulta=(\w{14})/.exec(pedido.url)?.[1] ?? null;
    for (const xml of documentsOf(text)) {
      const chave = /\sId="(?:NFe|CTe|NFS)([0-9A-Z]{44,50})"/.exec(xml)?.[1];
      if (!chave) continue;
      const owner = who ?? chave.slice(6, 20);
      const expected = this.#esperados.get(`${owner}/${chave}`);
      if (!expected || expected.chegouEm !== null) continue;
      expected.chegouEm = agora;
      this.#chegados++;
    }
  }

  async judge(db: Database<Tabelas>, agente: string): Promise<Resultado> {
    const counts = this.#simulador.relatorio.de(agente);
    const feed = await readFeed(db.read);
    const all = [...this.#esperados.values()];
    const lost = all.filter(({ cliente, chave }) => !feed.has(`${cliente.id}/${chave}`));
    const timed = all.flatMap((one) => {
      const wait = this.#waitOf(one);
      return wait === null ? [] : [{ one, wait }];
    });
    const waits = timed.map(({ wait }) => wait).sort((a, b) => a - b);
    for (const { servico, chave, em } of lost.slice(0, 10))
      this.notas.push(`perdido: ${servico} ${chave}, distribuído em ${new Date(em).toISOString()}`);
    const own = this.#simulador.relatorio.violacoes.filter((one) => one.agente === agente);
    for (const { regra, chave, em, detalhe } of own.slice(0, 20))
      this.notas.push(`violação: ${regra} ${chave} em ${new Date(em).toISOString()} ${detalhe}`);
    for (const { one } of timed.filter(({ wait }) => wait > 180 * MINUTO_MS).slice(0, 10))
      this.notas.push(
        `tarde: ${one.servico} ${one.cliente.cpfCnpj} ${one.chave} de ${new Date(one.em).toISOString()} a ${new Date(one.chegouEm ?? 0).toISOString()}`,
      );
    this.notas.push(
      `bloqueios que outros causaram: ${counts.bloqueios_alheios}; chamadas: ${counts.chamadas}; resumos: ${this.#resumos.size}`,
    );
    return {
      bloqueios: counts.bloqueios,
      perdidos: lost.length,
      dobrados: [...feed.values()].filter((times) => times > 1).length,
      limites_violados: counts.violacoes,
      mediana_min: minutes(waits[Math.floor(waits.length / 2)] ?? 0),
      pior_min: minutes(waits.at(-1) ?? 0),
      documentos: feed.size,
    };
  }

  #waitOf({ cliente, servico, em, chegouEm }: Esperado): number | null {
    if (chegouEm === null) return null;
    const own = this.#sorted().filter(
      (excuse) => (excuse.cliente ?? cliente) === cliente && (excuse.servico ?? servico) === servico,
    );
    return esperaDe(em, chegouEm, own);
  }

  #sorted(): readonly Desculpa[] {
    if (!this.#isSorted) this.#desculpas.sort((a, b) => a.de - b.de);
    this.#isSorted = true;
    return this.#desculpas;
  }
}

const minutes = (ms: number) => Math.round(ms / 6_000) / 10;

/** Whole documents of an answer, whichever service gave it. */
function documentsOf(text: string): string[] {
  const zipped = [...text.matchAll(/(?:<docZip[^>]*>|"ArquivoXml":")([A-Za-z0-9+/=]+)/g)];
  if (zipped.length === 0) return [text];
  return zipped.flatMap(([, base64 = '']) => {
    try {
      return [gunzipSync(Buffer.from(base64, 'base64')).toString('utf8')];
    } catch {
      return [];
    }
  });
}

/** How often each document came newly into each client's feed, by `cliente/chave`. */
async function readFeed(db: Kysely<Tabelas>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('entrada')
    .innerJoin('documento', 'documento.id', 'entrada.documento_id')
    .select(['entrada.cliente_id', 'documento.chave'])
    .where('entrada.motivo', 'is', null)
    .execute();
  const found = new Map<string, number>();
  for (const { cliente_id, chave } of rows) {
    const id = `${cliente_id}/${chave}`;
    found.set(id, (found.get(id) ?? 0) + 1);
  }
  return found;
}
