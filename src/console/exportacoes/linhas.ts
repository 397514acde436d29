/** Rows of exported tables: of documents, of their items, of their events; one of each for each client who has a part in it. */
import type { Db } from '../../banco/tabelas.ts';
import { lerEmissao } from '../../documentos/lean/emissao-guardada.ts';
import { type Direcao, direcaoDe } from '../../fiscal/direcao.ts';
import type { Modelo, Papel } from '../../fiscal/tipos.ts';
import type { ItemEscriturado, ValoresDoDocumento } from '../../fiscal/valores/tipos.ts';
import { NoPlace } from '../../platform/threads/shares.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from '../documento/leitor-de-documentos.ts';
import type { Documento } from '../documentos/apresentar.ts';
import * as queries from './queries-exportacoes.ts';
import type { ArquivoGuardado } from './zip.ts';

/** Bytes that are read in one step of a thread, about: far less than a page of large documents. */
const BYTES_DE_UMA_VEZ = 4_000_000;

export interface LinhaDeDocumento {
  documento: Documento;
  /** Null of what is no document, or has no bytes that can be read. */
  valores: ValoresDoDocumento | null;
  direcao: Direcao | null;
  /** False where the row of another client has the same document: then it must not be added a second time. */
  conta: boolean;
}

export interface LinhaDeItem extends LinhaDeDocumento {
  item: ItemEscriturado;
}

export interface LinhaDeEvento {
  documento: Documento;
  evento: queries.EventoDaNota & { data: string };
  /** Reason of a cancellation, text of a correction. */
  palavras: string | null;
}

export interface PaginaDeLinhas {
  documentos: LinhaDeDocumento[];
  eventos: LinhaDeEvento[];
}

interface LinhasDeps {
  db: Db;
  leitor: LeitorDeDocumentos;
  /** The bytes of served versions, by document; nothing of one that has none any more. */
  arquivosDe(documentoIds: readonly number[]): Promise<ReadonlyMap<number, ArquivoGuardado>>;
}

/** Makes rows of pages. Rows of one document stand together in a listing, so one page remembers no more than its last. */
export class Linhas {
  readonly #deps: LinhasDeps;
  readonly #input: { contadorId: number; comEventos: boolean };
  #ultimo: number | null = null;

  constructor(deps: LinhasDeps, input: { contadorId: number; comEventos: boolean }) {
    this.#deps = deps;
    this.#input = input;
  }

  /** @throws NoPlace when a thread's turn did not come */
  async daPagina(pagina: readonly Documento[]): Promise<PaginaDeLinhas> {
    const { db } = this.#deps;
    const ids = [...new Set(pagina.flatMap(({ id, classe }) => (classe === 'documento' && id ? [id] : [])))];
    const valores = await this.#ler(ids, lerValores);
    const partes = Map.groupBy(await queries.findPartes(db, ids), ({ documento_id }) => documento_id);
    const documentos = pagina.map((documento) => {
      const { id } = documento;
      const conta = id === null || id !== this.#ultimo;
      this.#ultimo = id;
      const valoresDele = valores.get(id ?? 0) ?? null;
      return {
        documento,
        conta,
        valores: valoresDele,
        direcao: direcao(documento, partes.get(id ?? 0) ?? []),
      };
    });
    return { documentos, eventos: this.#input.comEventos ? await this.#eventos(pagina, ids) : [] };
  }

  async #eventos(pagina: readonly Documento[], documentoIds: readonly number[]): Promise<LinhaDeEvento[]> {
    const { contadorId } = this.#input;
    const achados = await queries.findEventosDasNotas(this.#deps.db, { contadorId, documentoIds });
    const palavras = await this.#ler(
      achados.map(({ id }) => id),
      lerPalavras,
    );
    const daNota = Map.groupBy(achados, ({ nota_id }) => nota_id);
    return pagina.flatMap((documento) =>
      (daNota.get(documento.id ?? 0) ?? []).map((evento) => ({
        documento,
        evento: { ...evento, data: lerEmissao(evento) },
        palavras: palavras.get(evento.id) ?? null,
      })),
    );
  }

  /** What is read out of the bytes of each, some at a time; nothing of one that cannot be read. */
  async #ler<T>(ids: readonly number[], ler: LerPedacos<T>): Promise<Map<number, T>> {
    const found = new Map<number, T>();
    let juntos: Pedaco[] = [];
    let tamanho = 0;
    const readJuntos = async () => {
      for (const [id, lido] of await this.#lerPedacos(juntos, ler)) found.set(id, lido);
      juntos = [];
      tamanho = 0;
    };
    for (const [id, arquivo] of await this.#deps.arquivosDe(ids)) {
      const bytes = await arquivo.xml();
      juntos.push({ id, bytes });
      tamanho += bytes.length;
      if (tamanho >= BYTES_DE_UMA_VEZ) await readJuntos();
    }
    await readJuntos();
    return found;
  }

  /** One that brings its thread down takes the others with it: then each is read by itself. */
  async #lerPedacos<T>(pedacos: readonly Pedaco[], ler: LerPedacos<T>): Promise<[number, T][]> {
    if (pedacos.length === 0) return [];
    const bytes = Buffer.concat(pedacos.map((each) => each.bytes));
    const tamanhos = pedacos.map((each) => each.bytes.length);
    try {
      const lidos = await quandoHouverLugar(() => ler(this.#deps.leitor, { bytes, tamanhos }));
      return lidos.map((lido, index): [number, T] => [pedacos[index]?.id ?? 0, lido]);
    } catch (error) {
      if (!(error instanceof DocumentoIlegivel)) throw error;
      if (pedacos.length === 1) return [];
      const um: [number, T][] = [];
      for (const pedaco of pedacos) um.push(...(await this.#lerPedacos([pedaco], ler)));
      return um;
    }
  }
}

type LerPedacos<T> = (
  leitor: LeitorDeDocumentos,
  input: { bytes: Uint8Array; tamanhos: readonly number[] },
) => Promise<T[]>;

const lerValores: LerPedacos<ValoresDoDocumento | null> = (leitor, input) =>
  leitor.run<'valores'>({ kind: 'valores', ...input });
const lerPalavras: LerPedacos<string | null> = (leitor, input) =>
  leitor.run<'palavras'>({ kind: 'palavras', ...input });

/** People who look at documents go first; an export waits for many turns before it gives up. */
const TURNOS = 20;

/** @throws NoPlace when no turn came for ten minutes */
async function quandoHouverLugar<T>(work: () => Promise<T>): Promise<T> {
  for (let turno = 1; ; turno++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NoPlace) || turno === TURNOS) throw error;
    }
  }
}

interface Pedaco {
  id: number;
  bytes: Uint8Array;
}

function direcao(documento: Documento, partes: readonly queries.ParteDoCliente[]): Direcao | null {
  const [parte] = partes;
  if (!parte) return null;
  return direcaoDe({
    modelo: documento.modelo as Modelo,
    papel: documento.papel as Papel,
    tpNF: parte.tp_nf as '0' | '1' | null,
    ehTomador: partes.some(({ tomador }) => tomador === documento.cliente.cpfCnpj),
  });
}
