/** A document as its sheets read it: texts by their paths, each with a length that paper can take. */
import { cutTexto } from '../../../../fiscal/limites-de-texto.ts';
import { textAt, type XmlElement, type XmlTree } from '../../../../fiscal/xml/tree.ts';

/** Characters. @fonte XSD TString and its kin: up to 255; of the texts below more */
const TEXTO_MAX = 300;
const TEXTOS_LONGOS: ReadonlyMap<string, number> = new Map([
  ['infCpl', 5_000],
  ['infAdFisco', 2_000],
  ['infAdProd', 500],
  ['qrCode', 1_000],
  ['assinaturaQRCODE', 1_000],
  ['xDescServ', 2_000],
  ['xInfComp', 2_000],
  ['xTribNac', 600],
  ['xTribMun', 600],
]);

export class Textos {
  readonly tree: XmlTree;

  constructor(tree: XmlTree) {
    this.tree = tree;
  }

  /** Text at the end of a path below an element; '' when there is none. */
  em(de: XmlElement | null | undefined, ...nomes: string[]): string {
    const texto = textAt(this.tree, de, ...nomes);
    return texto === null ? '' : cutTexto(texto, TEXTOS_LONGOS.get(nomes.at(-1) ?? '') ?? TEXTO_MAX);
  }

  /** Of these names the first that says something. */
  um(de: XmlElement | null, ...nomes: string[]): string {
    for (const nome of nomes) {
      const texto = this.em(de, nome);
      if (texto !== '') return texto;
    }
    return '';
  }
}
