/** Apart from what reads: who only puts bytes together does not load the reader. */
import type { XmlElement } from '../xml/tree.ts';

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The start tag of the layout's own wrapper, in the namespace and version of the request. */
export function openTag(processado: string, pedido: XmlElement): string {
  const versao = [pedido, ...pedido.children]
    .flatMap((element) => element.attributes)
    .find((candidate) => candidate.localName === 'versao' && candidate.namespace === '')?.value;
  const version = versao === undefined ? '' : ` versao="${escaped(versao)}"`;
  return `<${processado} xmlns="${escaped(pedido.namespace)}"${version}>`;
}
