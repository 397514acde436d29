/**
 * What is prepared, bounded in bytes: stretches of feeds and texts of documents. What was not used for the longest
 * time goes first. Nothing here is believed without `vigencia.ts`.
 */
import { LRUCache } from 'lru-cache';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Segmento } from '../../platform/gzip/membro.ts';
import type { PacoteDeSegmentos } from './preparar-segmentos.ts';
import type { TrechoPreparado, Variante } from './preparar-trechos.ts';

/** About 25,000 entries. */
const TRECHOS_BYTES = 16 * 1024 * 1024;
/** About 11,000 documents. */
const SEGMENTOS_BYTES = 36 * 1024 * 1024;
/** Stretches that were asked for in a page made at one go: 250,000 entries. */
const PEDIDOS = 5_000;
/** What a stretch or a segment takes beside its bytes, estimated generously. */
const TRECHO_OVERHEAD_BYTES = 6_000;
const SEGMENTO_OVERHEAD_BYTES = 300;

export class Estoque {
  readonly #trechos = new LRUCache<string, TrechoPreparado>({
    maxSize: TRECHOS_BYTES,
    sizeCalculation: ({ bytes, grupos }) =>
      (grupos ?? []).reduce((sum, grupo) => sum + grupo.bytes.length, bytes.length + TRECHO_OVERHEAD_BYTES),
  });
  readonly #segmentos = new LRUCache<number, Segmento>({
    maxSize: SEGMENTOS_BYTES,
    maxEntrySize: SEGMENTOS_BYTES / 8,
    sizeCalculation: ({ bytes }) => bytes.length + SEGMENTO_OVERHEAD_BYTES,
  });
  readonly #pedidos = boundedCache<string, true>(PEDIDOS);

  /** What lies here, bytes. */
  get bytes(): { trechos: number; segmentos: number } {
    return { trechos: this.#trechos.calculatedSize, segmentos: this.#segmentos.calculatedSize };
  }

  trecho(clienteId: number, variante: Variante, indice: number): TrechoPreparado | undefined {
    return this.#trechos.get(keyOf(clienteId, variante, indice));
  }

  putTrecho(clienteId: number, variante: Variante, trecho: TrechoPreparado): void {
    this.#trechos.set(keyOf(clienteId, variante, trecho.indice), trecho);
  }

  /** Whether a text of these stretches is prepared, or was asked for in a page made at one go. If not, now it was. */
  pedir(clienteId: number, variante: Variante, indices: readonly number[]): boolean {
    const keys = indices.map((indice) => keyOf(clienteId, variante, indice));
    if (keys.some((key) => this.#pedidos.has(key) || this.#temTexto(this.#trechos.peek(key)))) return true;
    for (const key of keys) this.#pedidos.set(key, true);
    return false;
  }

  #temTexto(trecho: TrechoPreparado | undefined): boolean {
    return (
      trecho?.registros.some(({ textos }) => textos.some(({ versaoId }) => this.#segmentos.has(versaoId))) ===
      true
    );
  }

  segmento(versaoId: number): Segmento | undefined {
    return this.#segmentos.get(versaoId);
  }

  /** @returns the segments of the pack; one that is too large to be kept is among them */
  putSegmentos({ bytes, partes }: PacoteDeSegmentos): Map<number, Segmento> {
    const found = new Map<number, Segmento>();
    for (const { versaoId, inicio, fim, crc, tamanho, shift } of partes) {
      // A copy, so that one that stays does not keep the memory of those that go.
      const segmento = { bytes: bytes.slice(inicio, fim), crc, tamanho, shift };
      this.#segmentos.set(versaoId, segmento);
      found.set(versaoId, segmento);
    }
    return found;
  }
}

function keyOf(clienteId: number, { origin, comFinalidade }: Variante, indice: number): string {
  return `${clienteId}/${indice}/${comFinalidade ? 1 : 0}/${origin}`;
}
