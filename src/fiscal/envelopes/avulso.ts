/** A protocol that comes by itself, in the answer to a lot or to a query, while its document comes in another file. */
import { parseChave44 } from '../chave.ts';
import { readAmbiente } from '../leitura.ts';
import { TEXTO_MAX } from '../limites-de-texto.ts';
import { recortar } from '../recortar.ts';
import { statusDoProtocolo } from '../status.ts';
import { ESPECIE, type ProtocoloAvulso, STATUS_DOCUMENTO } from '../tipos.ts';
import { decodeXml } from '../xml/decode.ts';
import { scanXml } from '../xml/scan.ts';
import { child, textAt, walk, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { openTag } from './open-tag.ts';
import { processadoDe } from './parear.ts';

/** Elements above a document in what is kept of it: its wrapper. */
const LOOKED_AT = 50;

/** A protocol, wherever it stands. */
export function isProtocolo(element: XmlElement): boolean {
  return /^prot(NFe|CTe|NFCom|NF3e|NFAg|NFGas|NFe?ABI)$/i.test(element.localName);
}

/**
 * Reads an answer that stands without its document.
 * @returns null when it says nothing that a document would be the better for: SEFAZ refused it (such a document does
 *   not exist), or took note only (EPEC), or it does not say of which one it speaks
 * @fonte cStat of MOC NF-e 7.0; docs/regras.md, status
 */
export function readProtocoloAvulso(tree: XmlTree, element: XmlElement): ProtocoloAvulso | null {
  const infProt = child(element, 'infProt');
  if (!isProtocolo(element) || !infProt) return null;
  const field = (name: string): string | null => textAt(tree, infProt, name);
  const chave = parseChave44(keyFieldOf(tree, infProt) ?? '');
  const environment = readAmbiente({ tree, especie: ESPECIE.outro, chave }, [infProt]);
  const status = statusDoProtocolo(field('cStat'));
  if (chave === null || !environment.ok) return null;
  if (status === null || status === STATUS_DOCUMENTO.pendente) return null;
  const digVal = field('digVal')?.replace(/\s/g, '') || null;
  // It is part of what the protocol is known by: neither cut nor left out.
  if (digVal !== null && digVal.length > TEXTO_MAX.digVal) return null;
  return {
    chave,
    ambiente: environment.ambiente,
    status,
    digVal,
    bytes: recortar(tree, element).bytes,
  };
}

/** The key, which each kind calls after itself (`chNFe`, `chCTe`, `chNFCom` …). */
function keyFieldOf(tree: XmlTree, infProt: XmlElement): string | null {
  const named = infProt.children.find(({ localName }) => /^ch(NF|CT)\w+$/.test(localName));
  return named ? tree.text(named).trim() : null;
}

/**
 * Puts a kept document and its protocol together as SEFAZ's layout has them (`nfeProc`, `cteProc`), the signed part
 * byte for byte as it is. What comes of it is read like any file.
 *
 * @param documento bytes as they are kept
 * @param protocolo {@link ProtocoloAvulso.bytes}
 * @returns UTF-8; null when what is kept is no XML with such a document
 */
export function joinProtocolo(documento: Uint8Array, protocolo: Uint8Array): Uint8Array | null {
  const decoded = decodeXml(documento);
  if ('rejeicao' in decoded) return null;
  const scan = scanXml(decoded.bytes);
  if (!scan.ok) return null;
  let looked = 0;
  for (const element of walk(scan.tree.root)) {
    const processado = processadoDe(element);
    if (processado !== null) {
      const { bytes } = recortar(scan.tree, element);
      const parts = [openTag(processado, element), bytes, protocolo, `</${processado}>`];
      return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
    }
    if (++looked > LOOKED_AT) break;
  }
  return null;
}
