/**
 * Judges what the product calls intact, without its code: the signed element's canonical form, by libxml2, must be
 * one that was really signed, and what was read of it must be what was read of the original.
 */
import { createHash } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import type { Peca, Registro } from '../../src/fiscal/tipos.ts';
import { canonical, parseXml } from '../sementes/assinar.ts';

type Lida = Extract<Peca, { resultado: 'lida' }>;

const ANCHORS = [
  'infNFe',
  'infCte',
  'infEvento',
  'infInut',
  'infCFe',
  'infNFSe',
  'InfNfse',
  'InfPedidoCancelamento',
];
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const BESIDE = `*[local-name()="Signature" and namespace-uri()="${DSIG}"]`;
const CANDIDATES = ANCHORS.map((name) => `//*[local-name()="${name}"][../${BESIDE}]`).join(' | ');

/** Elements that a Signature beside them names. */
function signedElements(root: XmlElement): XmlElement[] {
  return root.find(CANDIDATES).filter((found): found is XmlElement => {
    const element = found as XmlElement;
    const id = element.attr('Id')?.value;
    const references = element.find(
      `../${BESIDE}/*[local-name()="SignedInfo"]/*[local-name()="Reference"]/@URI`,
    );
    return references.some((uri) => uri.content === `#${id}`);
  });
}

/** The facts that stand inside the signed element, whatever stands around it. */
function signedFacts(registro: Registro): string {
  const { classe, chave, modelo } = registro;
  switch (classe) {
    case 'documento': {
      const { serie, numero, valor, dataEmissao, tpNF, participantes, itens } = registro;
      return JSON.stringify([
        classe,
        chave,
        modelo,
        serie,
        numero,
        valor,
        dataEmissao,
        tpNF,
        participantes,
        itens,
      ]);
    }
    case 'evento': {
      const { codigo, sequencia, autor, dataEmissao, efeito } = registro;
      return JSON.stringify([classe, chave, modelo, codigo, sequencia, autor, dataEmissao, efeito]);
    }
    case 'inutilizacao': {
      const { serie, numeroInicial, numeroFinal, ano, emitente } = registro;
      return JSON.stringify([classe, chave, modelo, serie, numeroInicial, numeroFinal, ano, emitente]);
    }
  }
}

function textOf({ bytes, codificacao }: Lida): string {
  const text = new TextDecoder(codificacao).decode(bytes);
  // The text is at hand: what the declaration says of its bytes is no concern any more. Nor is dirt around the root.
  const body = text.replace(/^[^<]*/, '').replace(/^<\?xml[^>]*\?>\s*/i, '');
  return body.slice(0, body.lastIndexOf('>') + 1);
}

/** A signed element: its namespace and name, and the hashes of both of its canonical forms. */
interface Assinado {
  nome: string;
  formas: string[];
}

/** All signed elements; null where libxml2 cannot read the text. */
function signedForms(piece: Lida): Assinado[] | null {
  try {
    using document = parseXml(textOf(piece));
    return signedElements(document.root).map((element) => ({
      nome: `{${element.namespaceUri}}${element.name}`,
      formas: [false, true].map((exclusive) =>
        createHash('sha256')
          .update(canonical(element, { exclusive, withComments: false }))
          .digest('base64'),
      ),
    }));
  } catch {
    return null;
  }
}

export class Oraculo {
  readonly #facts = new Map<string, Set<string>>();

  /** Learns what is genuine from the pieces of an unchanged file. */
  learn(pieces: readonly Peca[]): void {
    for (const piece of pieces) {
      if (piece.resultado !== 'lida') continue;
      for (const form of (signedForms(piece) ?? []).flatMap(({ formas }) => formas)) {
        const known = this.#facts.get(form) ?? new Set();
        this.#facts.set(form, known.add(signedFacts(piece.registro)));
      }
    }
  }

  #factsOf({ formas }: Assinado): Set<string> | null {
    return formas.map((form) => this.#facts.get(form)).find((facts) => facts !== undefined) ?? null;
  }

  /** @returns what is wrong with a piece that the product calls intact; null when nothing is */
  judge(piece: Lida): string | null {
    const signed = signedForms(piece);
    if (signed === null) return 'libxml2 cannot read what is called intact';
    const facts = signedFacts(piece.registro);
    const source = signed.find((element) => this.#factsOf(element)?.has(facts));
    if (!source) {
      return signed.some((element) => this.#factsOf(element))
        ? `read otherwise than the original: ${facts}`
        : 'the signed content differs from what was signed';
    }
    // A twin with other content leaves open which of the two was read.
    const twins = signed.filter((element) => element.nome === source.nome && !this.#factsOf(element));
    return twins.length === 0 ? null : 'the signed content stands beside another one that differs';
  }
}
