/** A NF-e or NFC-e as its sheets read it. */

import { cutTexto } from '../../../../fiscal/limites-de-texto.ts';
import { child, childrenNamed, descend, type XmlElement, type XmlTree } from '../../../../fiscal/xml/tree.ts';
import { Textos } from '../base/textos.ts';

/** Items of a note: the most that a layout allows. */
const IRMAOS_MAX = 990;

export class Nota extends Textos {
  readonly inf: XmlElement;
  /** `infProt`; null in a note without protocol. */
  readonly prot: XmlElement | null;

  constructor(tree: XmlTree, inf: XmlElement, prot: XmlElement | null) {
    super(tree);
    this.inf = inf;
    this.prot = prot;
  }

  /** Text at the end of a path below `infNFe`. */
  de(...nomes: string[]): string {
    return this.em(this.inf, ...nomes);
  }

  /** `ide`, `emit` …: a part of the note. */
  parte(...nomes: string[]): XmlElement | null {
    return descend(this.inf, ...nomes);
  }

  get itens(): readonly XmlElement[] {
    return childrenNamed(this.inf, 'det');
  }

  /** Those of them that are drawn. */
  get itensMostrados(): readonly XmlElement[] {
    return this.itens.slice(0, IRMAOS_MAX);
  }

  /** Items that there is no room for, told in a sentence; '' where all of them are shown. */
  get haMaisItens(): string {
    const mais = this.itens.length - IRMAOS_MAX;
    if (mais <= 0) return '';
    return mais === 1 ? 'Há mais 1 item, que está no XML.' : `Há mais ${mais} itens, que estão no XML.`;
  }

  get chave(): string {
    return cutTexto((this.inf.attributeValue('Id') ?? '').replace(/^NFe/, ''), 60);
  }

  get emissao(): string {
    return this.de('ide', 'dhEmi') || this.de('ide', 'dEmi');
  }

  /** CNPJ, CPF or foreign number of a party. */
  quem(parte: XmlElement | null): string {
    return this.um(parte, 'CNPJ', 'CPF', 'idEstrangeiro');
  }
}

/** The note of a tree, whatever stands around it; null when there is none. */
export function notaDe(tree: XmlTree): Nota | null {
  const nfe = tree.root.localName === 'NFe' ? tree.root : child(tree.root, 'NFe');
  const inf = child(nfe, 'infNFe');
  if (!inf) return null;
  const prot = tree.root.namedWithin('infProt')[0] ?? null;
  return new Nota(tree, inf, prot);
}

/** First date on which notes have the sheet with IBS, CBS and IS. @fonte NT 2026.010 v1.00 */
const LEIAUTE_RTC = '2026-12-01';

/** By the day on which it was issued: older notes keep the sheet of their time. @fonte NT 2026.010 v1.00; MOC NF-e 7.0, Anexo II */
export const temLeiauteRtc = (nota: Nota): boolean => nota.emissao.slice(0, 10) >= LEIAUTE_RTC;
