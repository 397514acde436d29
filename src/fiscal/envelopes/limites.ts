/**
 * Limits of what is inflated inside one file (docZip, gzip, ADN answers). They stand beside those of zips: a
 * compressed document must not get past what a zip may not do.
 */
export const COMPACTADOS = {
  /** One inflated content; the same as one document. */
  bytesDeUm: 10_000_000,
  /** All inflated contents of one file. A distribution answer has 50 documents of some 20 KB; 6 of the largest fit. */
  bytesDeTodos: 60_000_000,
  /** Inflated bytes per compressed byte, looked at above `razaoDesde`. */
  razao: 100,
  /** Small repetitive documents are legitimate and cheap. */
  razaoDesde: 1_000_000,
  /** Compressed inside compressed, or XML as text inside XML: no service nests deeper. */
  niveis: 2,
} as const;

/** What one file may still cost; shared by everything that is opened inside it. */
export interface Orcamento {
  bytes: number;
  pecas: number;
}
