/** Lots that come out of a service as they should not. */
import { gzipSync } from 'node:zlib';
import type { DefeitoDoLote } from './contexto.ts';
import type { Item } from './fila.ts';
import { docZip, zip } from './soap.ts';

type ItemDoLote = Omit<Item, 'nsu'> & { nsu: number | null };

const SOBRA = '<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><chNFe/></resNFe>';

/** Base64 of the gzip with a wrong byte in the middle. */
function brokenZip(xml: string): string {
  const bytes = gzipSync(xml);
  const at = bytes.length >> 1;
  bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at);
  return bytes.toString('base64');
}

/** Half of a document. */
const half = (xml: string) => xml.slice(0, xml.length >> 1);

/** Announced as UTF-8, written as ISO-8859-1. */
const asLatin1 = (xml: string) => Buffer.from(xml, 'latin1');

/** `docZip` elements of a lot whose first document, or whose shape, is spoiled. */
export function spoilLote(itens: readonly ItemDoLote[], defeito: DefeitoDoLote): string {
  const good = itens.map((item) => docZip(item, zip(item.xml)));
  const [first] = itens;
  if (!first) return '';
  if (defeito === 'gzip_errado') good[0] = docZip(first, brokenZip(first.xml));
  if (defeito === 'documento_quebrado') good[0] = docZip(first, zip(half(first.xml)));
  if (defeito === 'latin1') good[0] = docZip(first, zip(asLatin1(first.xml)));
  if (defeito === 'chave_dobrada') good.push(docZip(first, zip(first.xml)));
  if (defeito === 'cinquenta_e_um')
    while (good.length <= 50) good.push(docZip({ ...first, schema: 'resNFe_v1.01.xsd' }, zip(SOBRA)));
  return good.join('');
}
