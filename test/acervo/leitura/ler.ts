/** Finds everything that stands in a file, in whatever wrapper, and has each family's script read it. */
import { gunzipSync } from 'node:zlib';
import { ParseOption, XmlDocument, type XmlNode } from 'libxml2-wasm';
import { cfe } from './cfe.ts';
import { nfcom } from './comuns.ts';
import { cte } from './cte.ts';
import type { Fatos } from './fatos.ts';
import { cancelamentoAntigo, evento, inutilizacao, nota, resumo } from './nfe.ts';
import { cancelamentoAbrasf, eventoNfse, nfseAbrasf, nfseNacional, notaDsf, notaInfisc } from './nfse.ts';
import { readTxt } from './txt.ts';

const named = (...names: string[]) =>
  `self::*[${names.map((name) => `local-name()="${name}"`).join(' or ')}]`;

/** In document order; each with the script that reads it. */
const SCRIPTS: readonly [xpath: string, read: (node: XmlNode) => Fatos[]][] = [
  // CT-e and MDF-e name the notes that they carry in groups of the same name.
  ['//*[local-name()="infNFe"][not(ancestor::*[local-name()="infCte"])]', nota],
  [`//*[${named('procEventoNFe', 'procEventoCTe')}]`, evento],
  [
    `//*[${named('procCancNFe')} or (${named('retCancNFe')} and not(../*[local-name()="cancNFe"]))]`,
    cancelamentoAntigo,
  ],
  ['//*[local-name()="retInutNFe"]/*[local-name()="infInut"]', inutilizacao],
  ['//*[local-name()="resNFe" or local-name()="resEvento"]', resumo],
  [`//*[${named('infCte', 'infCTe')}][*[local-name()="ide"]]`, cte],
  ['//*[local-name()="infCFe"]', cfe],
  ['//*[local-name()="infNFCom"]', nfcom],
  ['//*[local-name()="infNFSe"][not(*[local-name()="Id"])]', nfseNacional],
  ['//*[local-name()="infNFSe"][*[local-name()="Id"]]', notaInfisc],
  ['//*[local-name()="infEvento"][*[local-name()="pedRegEvento"]]', eventoNfse],
  ['//*[local-name()="InfNfse"]', nfseAbrasf],
  [`//*[${named('NfseCancelamento', 'Cancelamento')}]`, cancelamentoAbrasf],
  ['//*[local-name()="Nota"][*[local-name()="NumeroNota"]]', notaDsf],
];

/** Documents that stand in the file as text, or compressed. */
function insides(root: XmlNode): string[] {
  const leaves = (root as unknown as { find(xpath: string): XmlNode[] })
    .find('//*[not(*)]')
    .map(({ content }) => content.trim());
  return leaves.flatMap((content) => {
    if (content.startsWith('<') && content.length > 200) return [content];
    const plain = /^P[A-P][A-Za-z0-9+/=\s]{200,}$/.test(content)
      ? Buffer.from(content, 'base64').toString()
      : '';
    if (/^<(?:\?xml|[A-Za-z])/.test(plain)) return [plain];
    if (!content.startsWith('H4sI')) return [];
    try {
      return [gunzipSync(Buffer.from(content, 'base64')).toString('utf8')];
    } catch {
      return [];
    }
  });
}

function readTexto(xml: string): Fatos[] {
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_HUGE;
  using document = XmlDocument.fromString(xml, { option });
  const { root } = document;
  return [
    ...SCRIPTS.flatMap(([xpath, read]) => root.find(xpath).flatMap(read)),
    ...insides(root).flatMap((inner) => readTexto(withoutDeclaration(inner))),
  ];
}

const withoutDeclaration = (xml: string) => xml.replace(/^[\s\ufeff]*<\?xml[^>]*\?>/, '').trim();

/** Byte order mark, then the declaration, then UTF-8 if it is, then what Windows writes. */
function decode(bytes: Uint8Array): string {
  const text = (label: string) => new TextDecoder(label, { fatal: true }).decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return text('utf-16le');
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return text(/^utf-8$/i.test(declared) ? 'utf-8' : 'windows-1252');
  } catch {
    return text('windows-1252');
  }
}

/** Several documents one behind the other, or text behind one, become what they are in: one root around all. */
function readSeveral(text: string): Fatos[] {
  const bare = text.replaceAll(/[\s\ufeff]*<\?xml[^>]*\?>/g, '').trim();
  try {
    return readTexto(bare);
  } catch {
    return readTexto(`<varios>${bare}</varios>`);
  }
}

/** @throws where libxml2 cannot read the file as it is */
export function readByXPath(bytes: Uint8Array): Fatos[] {
  const text = decode(bytes);
  if (/^\s*(?:NOTAFISCAL|NOTA FISCAL)\|/.test(text)) return readTxt(text);
  return readSeveral(text);
}
