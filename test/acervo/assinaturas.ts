/** The product's verdict on every signature of a file, whether or not the file is one that is kept. */
import { verifySignature } from '../../src/fiscal/assinatura/verify.ts';
import { decodeXml } from '../../src/fiscal/xml/decode.ts';
import { scanXml } from '../../src/fiscal/xml/scan.ts';
import { attribute, walk, type XmlElement } from '../../src/fiscal/xml/tree.ts';

/** What a Signature says that it signs: the element beside it with that Id; without one, any beside it. */
function target(signature: XmlElement): XmlElement | null {
  const reference = [...walk(signature)].find(({ localName }) => localName === 'Reference');
  const id = (reference ? attribute(reference, 'URI') : null)?.slice(1);
  const beside = signature.parent?.children.filter((element) => element !== signature) ?? [];
  const named = beside.find((element) =>
    ['Id', 'ID', 'id'].some((name) => id && attribute(element, name) === id),
  );
  return named ?? beside[0] ?? null;
}

/** `integra` when every signature of the file holds, else `alterada`. */
export function vereditoDoArquivo(bytes: Uint8Array): 'integra' | 'alterada' | 'ilegivel' {
  const decoded = decodeXml(bytes);
  if ('rejeicao' in decoded) return 'ilegivel';
  const scan = scanXml(decoded.bytes);
  if (!scan.ok) return 'ilegivel';
  const { tree } = scan;
  const signatures = [...walk(tree.root)].filter(({ localName }) => localName === 'Signature');
  const holds = (signature: XmlElement) => {
    const signed = target(signature);
    return signed !== null && verifySignature(tree, signed).resultado === 'integra';
  };
  return signatures.length > 0 && signatures.every(holds) ? 'integra' : 'alterada';
}
