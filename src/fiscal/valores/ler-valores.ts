/** What is booked of a document, out of its kept bytes: for tables that people add up. */
import { treeOf } from '../xml/scan.ts';
import { child, walk, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { valoresDoCte } from './cte.ts';
import { type Lugar, texto } from './lugares.ts';
import { valoresDaNota } from './nfe.ts';
import { valoresDaNfseMunicipal, valoresDaNfseNacional } from './nfse.ts';
import type { ValoresDoDocumento } from './tipos.ts';

type Leitor = (lugar: Lugar) => Omit<ValoresDoDocumento, 'protocolo' | 'autorizadoEm'>;

/** By the element that holds a document's own data. */
const LEITORES: ReadonlyMap<string, Leitor> = new Map<string, Leitor>([
  ['infNFe', valoresDaNota],
  ['infCFe', valoresDaNota],
  ['infNFCom', valoresDaNota],
  ['infNF3e', valoresDaNota],
  ['infNFAg', valoresDaNota],
  ['infNFGas', valoresDaNota],
  ['infCte', valoresDoCte],
  ['infCTe', valoresDoCte],
  ['infNFSe', valoresDaNfseNacional],
]);

/**
 * Reads what a document says of itself; no rule is judged.
 * @param bytes the document as it is kept
 * @returns null for what is no XML, such as a note as text
 */
export function readValores(bytes: Uint8Array): ValoresDoDocumento | null {
  const tree = treeOf(bytes);
  if (!tree) return null;
  const [ancora, leitor] = ancoraDe(tree);
  const protocolo = primeiro(tree.root, 'infProt');
  return {
    ...leitor({ tree, em: ancora }),
    protocolo: texto({ tree, em: protocolo }, 'nProt'),
    autorizadoEm: texto({ tree, em: protocolo }, 'dhRecbto'),
  };
}

/** Reason of a cancellation, text of a letter of correction: what an event says in words; null where it says nothing. */
export function readPalavrasDoEvento(bytes: Uint8Array): string | null {
  const tree = treeOf(bytes);
  if (!tree) return null;
  for (const nome of ['xCorrecao', 'xJust', 'xMotivo']) {
    const dito = primeiro(tree.root, nome, DA_RESPOSTA);
    const palavras = dito ? tree.text(dito).trim() : '';
    if (palavras !== '') return palavras;
  }
  return null;
}

/** The authority's own words are not those of who made the event. */
const DA_RESPOSTA = new Set(['retEvento', 'retEventoCTe', 'Signature']);

/** A layout that is none of these is a city's. */
function ancoraDe(tree: XmlTree): [XmlElement, Leitor] {
  for (const element of walk(tree.root)) {
    const leitor = LEITORES.get(element.localName);
    // Some cities call their own note so.
    const deCidade = leitor === valoresDaNfseNacional && !child(element, 'nNFSe') && !child(element, 'DPS');
    if (leitor && !deCidade) return [element, leitor];
  }
  return [tree.root, valoresDaNfseMunicipal];
}

function primeiro(root: XmlElement, nome: string, fora: ReadonlySet<string> = new Set()): XmlElement | null {
  if (fora.size === 0) return root.namedWithin(nome)[0] ?? null;
  const found = root.namedWithin(nome);
  return found.find((element) => !estaDentroDe(element, fora)) ?? null;
}

function estaDentroDe(element: XmlElement, fora: ReadonlySet<string>): boolean {
  for (let at: XmlElement | null = element; at; at = at.parent) if (fora.has(at.localName)) return true;
  return false;
}
