/**
 * The XML that the library draws a DANFE of. It is made of the elements and texts of our own tree, so that paper and
 * verdicts never come from different readings. It holds as much of them as a sheet has room for: what is longer than any
 * layout allows would keep the library busy for minutes.
 */
import { escapeAttribute, escapeText, qualifiedName } from '../../fiscal/xml/c14n-text.ts';
import { childrenNamed, descend, type XmlElement, type XmlTree } from '../../fiscal/xml/tree.ts';

/** Items of a note, and siblings of one name: the most that a layout allows of what is drawn. */
const IRMAOS_MAX = 990;
/** A note with as many items as may be, and all of the taxes in each, has some 150,000. */
const ELEMENTOS_MAX = 200_000;
/** Attributes that the layouts have: `versao`, `Id`, `nItem`, `xCampo`. */
const ATRIBUTOS_MAX = 8;
/** Characters of a text. @fonte XSD TString and its kin: up to 255; the texts below have more */
const TEXTO_MAX = 300;
const TEXTOS_LONGOS: ReadonlyMap<string, number> = new Map([
  ['infCpl', 5_000],
  ['infAdFisco', 2_000],
  ['infAdProd', 500],
  ['qrCode', 1_000],
]);

/** @returns null of what is no note with its protocol, and of what is too much for a sheet */
export function xmlDaDanfe(tree: XmlTree): string | null {
  const { root } = tree;
  if (root.localName !== 'nfeProc' || !descend(root, 'protNFe', 'infProt')) return null;
  if (childrenNamed(descend(root, 'NFe', 'infNFe'), 'det').length > IRMAOS_MAX) return null;
  const escrita = new Escrita(tree);
  return escrita.escrever(root) ? escrita.partes.join('') : null;
}

class Escrita {
  readonly partes: string[] = [];
  readonly #tree: XmlTree;
  #elementos = 0;

  constructor(tree: XmlTree) {
    this.#tree = tree;
  }

  /** @returns false when there is too much */
  escrever(element: XmlElement): boolean {
    if (++this.#elementos > ELEMENTOS_MAX) return false;
    const name = qualifiedName(element);
    this.partes.push(`<${name}${namespacesDe(element)}${atributosDe(element)}>`);
    if (element.children.length === 0) {
      const max = TEXTOS_LONGOS.get(element.localName) ?? TEXTO_MAX;
      this.partes.push(escapeText(cortado(this.#tree.text(element).trim(), max)));
    }
    const quantos = new Map<string, number>();
    for (const inner of element.children) {
      const nth = (quantos.get(inner.localName) ?? 0) + 1;
      quantos.set(inner.localName, nth);
      if (nth <= IRMAOS_MAX && !this.escrever(inner)) return false;
    }
    this.partes.push(`</${name}>`);
    return true;
  }
}

function namespacesDe({ declarations }: XmlElement): string {
  return declarations
    .map(({ prefix, uri }) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`)
    .join('');
}

function atributosDe({ attributes }: XmlElement): string {
  return attributes
    .slice(0, ATRIBUTOS_MAX)
    .map((one) => ` ${qualifiedName(one)}="${escapeAttribute(cortado(one.value, TEXTO_MAX))}"`)
    .join('');
}

function cortado(texto: string, max: number): string {
  return texto.length <= max ? texto : `${texto.slice(0, max)}…`.toWellFormed();
}
