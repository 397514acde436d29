import type { XmlElement, XmlTree } from '../xml/tree.ts';
import { below, textLike } from './nomes.ts';

/** Groups in which the services of cities tell a fault: ABRASF, São Paulo and DSF. */
const FALHAS = ['MensagemRetorno', 'Erro'] as const;

/**
 * The first fault that the answer of a city tells: `[E182] Erro na autenticação.`; IPM has code and words in one.
 *
 * @returns null where the answer tells none
 */
export function falhaDita(tree: XmlTree, answer: XmlElement): string | null {
  for (const name of FALHAS) {
    const group = below(answer, name);
    const words = textLike(tree, group, 'Mensagem', 'Descricao');
    const code = textLike(tree, group, 'Codigo');
    if (words) return code ? `[${code.slice(0, 10)}] ${words}` : words;
  }
  return textLike(tree, below(answer, 'mensagem'), 'codigo', 'erro');
}
