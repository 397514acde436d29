/** Reads what a service of events answered: one verdict for the message, one for each event in it. */
import { recortar } from '../../fiscal/recortar.ts';
import { scanXml } from '../../fiscal/xml/scan.ts';
import { textAt, type XmlElement, type XmlTree } from '../../fiscal/xml/tree.ts';

export interface RespostaDoEvento {
  /** Key that the answer names; null where it names none. */
  chave: string | null;
  /** `tpEvento` that the answer names. */
  codigo: string | null;
  cStat: string;
  /** Literal, at most 255 characters. */
  xMotivo: string;
  nProt: string | null;
  /** `dhRegEvento`, as written. */
  registradoEm: string | null;
  /** `retEvento` or `retEventoCTe` as it came, standing alone. */
  xml: string;
}

interface RespostaDaRecepcao {
  /** Of the lot (128: it was processed); of a CT-e, which has no lot, that of its event. */
  cStat: string;
  xMotivo: string;
  eventos: RespostaDoEvento[];
}

const XMOTIVO_MAX = 255;
const RAIZES = ['retEnvEvento', 'retEventoCTe'];

/**
 * Finds the answer by local names, in whatever envelope it came.
 * @returns null when there is none in it: a page of HTML, a SOAP fault, half of an answer
 */
export function readRecepcao(corpo: Uint8Array): RespostaDaRecepcao | null {
  const scan = scanXml(corpo);
  if (!scan.ok) return null;
  const { tree } = scan;
  const raiz = RAIZES.flatMap((name) => tree.root.namedWithin(name))[0];
  if (!raiz) return null;
  if (raiz.localName === 'retEventoCTe') {
    const evento = readEvento(tree, raiz);
    return evento && { cStat: evento.cStat, xMotivo: evento.xMotivo, eventos: [evento] };
  }
  const cStat = textAt(tree, raiz, 'cStat');
  if (cStat === null) return null;
  const eventos = raiz.namedChildren('retEvento').flatMap((element) => readEvento(tree, element) ?? []);
  return { cStat, xMotivo: motivoOf(tree, raiz), eventos };
}

function readEvento(tree: XmlTree, element: XmlElement): RespostaDoEvento | null {
  const at = (...names: string[]) => textAt(tree, element, 'infEvento', ...names);
  const cStat = at('cStat');
  if (cStat === null) return null;
  return {
    chave: at('chNFe') ?? at('chCTe'),
    codigo: at('tpEvento'),
    cStat,
    xMotivo: motivoOf(tree, element.firstNamed('infEvento')),
    nProt: at('nProt'),
    registradoEm: at('dhRegEvento'),
    xml: Buffer.from(recortar(tree, element).bytes).toString('utf8'),
  };
}

function motivoOf(tree: XmlTree, element: XmlElement | null): string {
  return (textAt(tree, element, 'xMotivo') ?? '').slice(0, XMOTIVO_MAX);
}

/** What an answer means for the manifestation. */
type Desfecho =
  /** SEFAZ has it now. */
  | 'registrada'
  /** SEFAZ had it before, perhaps from another program: as good as registered. */
  | 'ja_registrada'
  /** SEFAZ will never take this one for this document. */
  | 'recusada'
  /** The certificate is the obstacle: nothing goes out before it is another one. */
  | 'certificado'
  /** We are held up, not the document: it may be sent again later. */
  | 'adiada';

/** 135 and 136 registered; 134 of CT-e is registered with the document's situation changed. @fonte MOC NF-e 7.0; MOC CT-e 4.00 */
const REGISTRADA: ReadonlySet<string> = new Set(['134', '135', '136']);
/** @fonte NT 2014.002 (573); MOC CT-e 4.00 (631) */
const DUPLICADA: ReadonlySet<string> = new Set(['573', '631']);
/** @fonte MOC NF-e 7.0, rejections of the transmitter's and the signer's certificate */
const DO_CERTIFICADO = /^(?:28[0-6]|29[0-6]|472|473|593)$/;
/** Service out, misuse, anything not catalogued; and, by a clock that is slow, an event before the authorisation (579). */
const PASSAGEIRA: ReadonlySet<string> = new Set(['108', '109', '579', '656', '678', '999']);

/** Judges the code of an event, or that of a lot which held none. */
export function desfechoDe(cStat: string): Desfecho {
  if (REGISTRADA.has(cStat)) return 'registrada';
  if (DUPLICADA.has(cStat)) return 'ja_registrada';
  if (DO_CERTIFICADO.test(cStat)) return 'certificado';
  return PASSAGEIRA.has(cStat) ? 'adiada' : 'recusada';
}
