import type { ItemFiscal } from '../tipos.ts';
import { attribute, child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { CFOP, DECIMAL, matching } from './partes.ts';

/** Items of a note or coupon (`det/prod`). @fonte XSD leiauteNFe_v4.00; layout of CF-e SAT 0.08 */
export function readItens(tree: XmlTree, inf: XmlElement): ItemFiscal[] {
  return childrenNamed(inf, 'det').map((det, index) => {
    const prod = child(det, 'prod');
    const nItem = attribute(det, 'nItem')?.trim() ?? '';
    return {
      numero: /^[1-9]\d{0,3}$/.test(nItem) ? Number(nItem) : index + 1,
      cfop: matching(textAt(tree, prod, 'CFOP'), CFOP),
      ncm: matching(textAt(tree, prod, 'NCM'), /^\d{2,8}$/),
      valor: matching(textAt(tree, prod, 'vProd'), DECIMAL),
    };
  });
}
