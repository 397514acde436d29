import { type Camadas, placedBy, scanSlice } from '../camadas.ts';
import { type Recorte, recortar } from '../recortar.ts';
import type { XmlElement, XmlTree } from '../xml/tree.ts';
import { openTag } from './open-tag.ts';

/**
 * Puts a request and its answer, which stand apart in a file, together as SEFAZ's layout has them, so that the
 * reader of the whole document can read them. Only for reading: this is not what is kept.
 *
 * @param input.prefixos as in `recortar`, of the request
 * @returns null when the two do not make a document together
 */
export function compor(
  tree: XmlTree,
  input: {
    pedido: XmlElement;
    resposta: XmlElement;
    processado: string;
    prefixos: 'usados' | 'todos';
    camadas: Camadas;
  },
): { tree: XmlTree; deixouPrefixos: boolean } | null {
  const encoder = new TextEncoder();
  const pedido = recortar(tree, input.pedido, input.prefixos);
  const resposta = recortar(tree, input.resposta);
  const open = encoder.encode(openTag(input.processado, input.pedido));
  const close = encoder.encode(`</${input.processado}>`);
  const bytes = Buffer.concat([open, pedido.bytes, resposta.bytes, close]);
  const scan = scanSlice(bytes, input.camadas);
  if (!scan.ok) return null;
  const toFile = (offset: number): number => {
    const at = offset - open.length;
    return at < pedido.bytes.length
      ? place(pedido, at)
      : place(resposta, Math.min(at - pedido.bytes.length, resposta.bytes.length - 1));
  };
  return {
    deixouPrefixos: pedido.deixouPrefixos,
    // Places are told as they stand in the file that the person has.
    tree: placedBy(scan.tree, (offset) => tree.position(toFile(offset))),
  };
}

function place(slice: Recorte, offset: number): number {
  return slice.offsetNoArquivo(Math.max(0, offset));
}
