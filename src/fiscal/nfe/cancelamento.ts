import type { PartesDoDfe } from '../dfe/partes.ts';
import { EVENTOS_NFE } from '../eventos/tabela.ts';
import type { Chave } from '../tipos.ts';
import { child, textAt, type XmlElement } from '../xml/tree.ts';

/** 101 and 151 homologated cancellation, 135, 136 and 155 registered event. @fonte cStat of MOC NF-e 7.0 */
const CANCELLED: readonly string[] = ['101', '151', '135', '136', '155'];

function isCancellation({ tree }: PartesDoDfe, info: XmlElement, chave: Chave): boolean {
  const cStat = textAt(tree, info, 'cStat') ?? '';
  const chNFe = textAt(tree, info, 'chNFe');
  if (!CANCELLED.includes(cStat) || (chNFe !== null && chNFe.toUpperCase() !== chave)) return false;
  // retCancNFe is of cancellations only; a retEvento says of which event it is, or the event beside it does.
  if (info.localName === 'infCanc') return true;
  const evento = child(info.parent?.parent, 'evento');
  const codigo = textAt(tree, info, 'tpEvento') ?? textAt(tree, child(evento, 'infEvento'), 'tpEvento');
  return EVENTOS_NFE[codigo ?? '']?.efeito === 'cancela';
}

/** Answers (retEvento, retCancNFe) in the kept element, outside the signed note. */
function answersIn(root: XmlElement, infNFe: XmlElement): XmlElement[] {
  const named = (name: string, parent: string): XmlElement[] =>
    root
      .namedWithin(name)
      .filter(
        (info) => info.parent?.localName === parent && (info.end <= infNFe.start || info.start >= infNFe.end),
      );
  return [...named('infEvento', 'retEvento'), ...named('infCanc', 'retCancNFe')];
}

/**
 * Whether SEFAZ's answer to a cancellation was put into the note's own file, behind its protocol. Emitters did so
 * to print the DANFE as cancelled, and the event's file may never come.
 */
export function carriesCancellation(parts: PartesDoDfe, chave: Chave): boolean {
  return answersIn(parts.root, parts.inf).some((info) => isCancellation(parts, info, chave));
}
