/** Texts of documents in the form in which they stand in a compressed page. */
import type { Kysely } from 'kysely';
import type { Tabelas } from '../../banco/tabelas.ts';
import { textosDe } from '../../documentos/read/feed.ts';
import { type Segmento, segmentoDe } from '../../platform/gzip/membro.ts';

/** Segments one behind the other, in one block of memory. */
export interface PacoteDeSegmentos {
  bytes: Uint8Array;
  partes: (Omit<Segmento, 'bytes'> & { versaoId: number; inicio: number; fim: number })[];
}

/** Texts that are in memory at once. */
const AT_ONCE = 25;

/** A version whose bytes are no longer there has no segment. @throws when a document is damaged */
export async function prepareSegmentos(
  db: Kysely<Tabelas>,
  versaoIds: readonly number[],
): Promise<PacoteDeSegmentos> {
  const feitos: { versaoId: number; segmento: Segmento }[] = [];
  for (let from = 0; from < versaoIds.length; from += AT_ONCE) {
    for (const [versaoId, text] of await textosDe(db, versaoIds.slice(from, from + AT_ONCE))) {
      // As `JSON.stringify` of the whole record writes it.
      feitos.push({ versaoId, segmento: segmentoDe(Buffer.from(JSON.stringify(text))) });
    }
  }
  return packed(feitos);
}

function packed(feitos: readonly { versaoId: number; segmento: Segmento }[]): PacoteDeSegmentos {
  const bytes = new Uint8Array(feitos.reduce((sum, { segmento }) => sum + segmento.bytes.length, 0));
  let at = 0;
  const partes = feitos.map(({ versaoId, segmento: { bytes: own, ...rest } }) => {
    const inicio = at;
    bytes.set(own, inicio);
    at += own.length;
    return { ...rest, versaoId, inicio, fim: at };
  });
  return { bytes, partes };
}
