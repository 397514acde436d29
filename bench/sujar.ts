/**
 * Documents as some programs write them: legal, with the same canonical form, so that schema and signature hold, and
 * yet not as the official layouts show them.
 */

const XML_DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>/;

type Jeito = (xml: string) => string | Buffer;

const JEITOS: readonly Jeito[] = [
  (xml) => `\ufeff${xml}`,
  (xml) => `${xml.replace(XML_DECLARATION, '$&\r\n')}\r\n`,
  (xml) => xml.replace(/<NFe [^>]*>/, '$&<!-- exportado pelo emissor -->'),
  (xml) => xml.replace(/<nfeProc [^>]*>/, (tag) => tag.replaceAll('"', "'")),
  (xml) => Buffer.from(xml.replace(XML_DECLARATION, '<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1'),
  (xml) => xml.replace('<nfeProc ', '<nfeProc\n  ').replace('</NFe>', '</NFe >'),
  (xml) => xml.replace(/[\u00c0-\u00ff]/g, (char) => `&#${char.charCodeAt(0)};`),
  (xml) => xml.replace(/<natOp>([^<&]*)<\/natOp>/, '<natOp><![CDATA[$1]]></natOp>'),
];

/** One of so many documents is not clean. */
const UM_SUJO_EM = 10;

/** The n-th document of a set: every tenth is written in another way, each way in its turn. */
export function sujar(bytes: Uint8Array, n: number): Uint8Array {
  const jeito = n % UM_SUJO_EM === UM_SUJO_EM - 1 ? JEITOS[Math.floor(n / UM_SUJO_EM) % JEITOS.length] : null;
  if (!jeito) return bytes;
  const xml = Buffer.from(bytes).toString('utf8');
  // Latin-1 has room for what it has room for.
  return Buffer.from(/[^\0-\xff]/.test(xml) ? xml : jeito(xml));
}
