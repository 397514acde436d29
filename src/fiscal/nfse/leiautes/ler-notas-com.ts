import type { Leitura } from '../../leitura.ts';
import type { Documento } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { campos, indexar, readCaminho } from './caminho.ts';
import { compilar } from './compilar.ts';
import type { Leiaute } from './leiaute.ts';
import { readComLeiaute } from './ler-nota.ts';
import { Reconhecedor } from './reconhecer.ts';

/**
 * Reads all notes that one layout sees in a file: what a description that is being made would give.
 *
 * @param leiaute one that passed its check (`validar-leiaute.ts`)
 */
export function readNotasCom(
  leiaute: Leiaute,
  tree: XmlTree,
): { element: XmlElement; leitura: Leitura<Documento> }[] {
  const layout = compilar(leiaute);
  const reconhecedor = new Reconhecedor([layout]);
  const found: { element: XmlElement; leitura: Leitura<Documento> }[] = [];
  const visit = (element: XmlElement): void => {
    if (reconhecedor.reconhecer(element) === null) {
      element.children.forEach(visit);
      return;
    }
    found.push({
      element,
      leitura: readComLeiaute(layout, { tree, root: element, origem: { tree, element } }),
    });
  };
  visit(tree.root);
  return found;
}

/** What stands at one place of a layout in all notes of it in a file, in their order; texts of at most 100 letters. */
export function textosEm(leiaute: Leiaute, tree: XmlTree, texto: string): string[] {
  const layout = compilar(leiaute);
  const caminho = readCaminho(texto);
  if ('falta' in caminho) return [];
  return readNotasCom(leiaute, tree).flatMap(({ element }) => {
    const indice = indexar({ tree, root: element, nota: element, fechados: layout.fechados });
    const [campo] = campos(indice, [caminho]);
    return campo ? [campo.texto.slice(0, 100)] : [];
  });
}
