import type { CodigoRejeicao } from '../../rejeicoes.ts';
import { ESPECIE, type Especie } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { childLike, textBelow } from '../nomes.ts';
import { nomearComLeiaute } from './ler-nota.ts';
import { GENERICO } from './tabela.ts';

/** What to say of an element that carries the name of a note and is none that can be read. */
export function nomearNfseDesconhecida(
  tree: XmlTree,
  element: XmlElement,
): { codigo: CodigoRejeicao; especie: Especie; mensagem: string } {
  // IPM takes requests under the very names of its notes; only the city fills numero_nfse.
  const isIpm = childLike(element, 'nf') !== null && childLike(element, 'prestador') !== null;
  if (isIpm && textBelow(tree, element, 'numero_nfse') === null) {
    return {
      codigo: 'mensagem_sem_documento',
      especie: ESPECIE.outro,
      mensagem: `Pedido de NFS-e no layout IPM (elemento ${element.localName}) não traz documento; envie o XML da NFS-e gerada.`,
    };
  }
  return nomearComLeiaute(GENERICO, tree, element);
}
