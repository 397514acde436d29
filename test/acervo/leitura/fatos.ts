/** What a file says of one document, read by XPath over libxml2's tree: none of the product's own code takes part. */
import type { XmlElement, XmlNode } from 'libxml2-wasm';

export interface Fatos {
  classe: 'documento' | 'evento' | 'inutilizacao' | 'esperado';
  chave: string;
  modelo: string;
  /** Null where the file does not say it. */
  ambiente: string | null;
  serie: string;
  numero: string;
  /** As it stands in the XML. */
  data: string;
  valor: string | null;
  status: string;
  /** `papel cpfCnpj`, sorted. */
  partes: string[];
  tpEvento: string | null;
  cStat: string | null;
}

/** `a/b/@c` by local names: the namespace, and a prefix, are no concern of this reading. */
const byLocalName = (path: string) =>
  path
    .split('/')
    .map((step) => (/^(?:@.*|\.\.|\.|ancestor::.*|)$/.test(step) ? step : `*[local-name()="${step}"]`))
    .join('/');

export const all = (node: XmlNode, path: string): XmlNode[] => (node as XmlElement).find(byLocalName(path));

/** First of the paths that has a text. */
export function text(node: XmlNode, ...paths: string[]): string | null {
  for (const path of paths) {
    const found = all(node, path)[0]?.content.trim();
    if (found) return found;
  }
  return null;
}

/** A CPF or CNPJ without mask; null where it is empty, only zeros, or of neither length. */
export function quem(id: string | null): string | null {
  const bare = (id ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  return /^0*$/.test(bare) || ![11, 14].includes(bare.length) ? null : bare;
}

/** `papel cpfCnpj` for the party at each of these elements. */
export function parte(papel: string, node: XmlNode, path: string): string[] {
  return all(node, path).flatMap((party) => {
    const id = quem(text(party, 'CNPJ', 'CPF'));
    return id === null ? [] : [`${papel} ${id}`];
  });
}

export const distintas = (partes: readonly string[]): string[] => [...new Set(partes)].sort();
export const plain = (number: string | null): string => (number ?? '').replace(/^0+(?=.)/, '');
export const keyIn = (id: string | null): string => (id ?? '').replace(/^[A-Za-z]+(?=\d)/, '').toUpperCase();

const BASE: Fatos = {
  classe: 'documento',
  chave: '',
  modelo: '',
  ambiente: null,
  serie: '',
  numero: '',
  data: '',
  valor: null,
  status: '',
  partes: [],
  tpEvento: null,
  cStat: null,
};
export const fatos = (some: Partial<Fatos>): Fatos => ({ ...BASE, ...some });

/** Codes of SEFAZ (cStat of MOC NF-e 7.0), written down once more on purpose. */
export function statusOf(cStat: string | null): string {
  if (cStat === null) return 'Pendente';
  if (['100', '150'].includes(cStat)) return 'Autorizada';
  if (['101', '151', '155'].includes(cStat)) return 'Cancelada';
  if (['110', '205', '301', '302', '303'].includes(cStat)) return 'Denegada';
  return `rejeição ${cStat}`;
}
