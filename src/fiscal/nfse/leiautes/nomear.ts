import type { CodigoRejeicao } from '../../rejeicoes.ts';
import { ESPECIE, type Especie } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { below, childLike, textBelow } from '../nomes.ts';
import { falhaDita } from '../resposta.ts';
import { nomearComLeiaute } from './ler-nota.ts';
import { GENERICO } from './tabela.ts';

type Nomeada = { codigo: CodigoRejeicao; especie: Especie; mensagem: string };

const SO_MENSAGEM = 'não traz documento; envie o XML da NFS-e gerada.';

/** What IPM and SmarAPD write under the very names of their notes: requests, and answers that only tell a fault. */
function semNota(tree: XmlTree, element: XmlElement): string | null {
  const named = (what: string) => `${what} (elemento ${element.localName}) ${SO_MENSAGEM}`;
  const said = element.children.length === 1 ? falhaDita(tree, element) : null;
  if (said !== null) {
    const quoted = said.slice(0, 200).replace(/[^.!?]$/, '$&.');
    return `${named('Resposta de NFS-e')} Resposta: ${quoted}`;
  }
  const isIpm = childLike(element, 'nf') !== null && childLike(element, 'prestador') !== null;
  // Only the city fills numero_nfse.
  if (isIpm && textBelow(tree, element, 'numero_nfse') === null)
    return named('Pedido de NFS-e no layout IPM');
  return below(element, 'inscricaomunicipalemissor') === null
    ? null
    : named('Pedido de NFS-e no layout SmarAPD');
}

/** What to say of an element that carries the name of a note and is none that can be read. */
export function nomearNfseDesconhecida(tree: XmlTree, element: XmlElement): Nomeada {
  const mensagem = semNota(tree, element);
  return mensagem === null
    ? nomearComLeiaute(GENERICO, tree, element)
    : { codigo: 'mensagem_sem_documento', especie: ESPECIE.outro, mensagem };
}
