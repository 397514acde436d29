import { Buffer } from 'node:buffer';
import type { NfeGerada } from './nfe.ts';
import type { Layout } from './partes.ts';
import { DECLARACAO, leaf, NS_NFE } from './xml.ts';

/**
 * Puts bare notes into an `enviNFe`: what an invoicing program sends, so each is a document without protocol.
 *
 * @throws RangeError for less than 1 or more than 50 notes. @fonte leiauteNFe TEnviNFe
 */
export function gerarLote(
  notas: readonly NfeGerada[],
  opcoes: { idLote: string; layout?: Layout },
): { xml: string; bytes: Uint8Array } {
  if (notas.length < 1 || notas.length > 50) throw new RangeError('a lote has 1 to 50 notes');
  const layout = opcoes.layout ?? '4.00';
  const head = leaf('idLote', opcoes.idLote) + leaf('indSinc', 0);
  const body = head + notas.map((nota) => nota.nfe).join('');
  const xml = `${DECLARACAO}<enviNFe xmlns="${NS_NFE}" versao="${layout}">${body}</enviNFe>`;
  return { xml, bytes: Buffer.from(xml, 'utf8') };
}
