import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import type { Cancelamento } from '../montar.ts';
import { below, textBelow, textLike } from '../nomes.ts';

/** Elements that hold a confirmed cancellation: 1.00 says `Cancelamento` in answers, the others `NfseCancelamento`. */
export const NOMES_DO_CANCELAMENTO: readonly string[] = ['NfseCancelamento', 'Cancelamento'];

/** Whether texts such as `true`, `1`, `S` say yes. */
function saysYes(text: string): boolean {
  return /^(?:true|1|s|sim)$/i.test(text);
}

/** DataHoraCancelamento in 1.00, DataHora from 2.00 on. */
function readWhen(tree: XmlTree, element: XmlElement): string | null {
  return textBelow(tree, element, 'DataHoraCancelamento') ?? textBelow(tree, element, 'DataHora');
}

/**
 * A confirmed cancellation, which has a date; null where the group is empty, as some cities send it with every note,
 * says that the cancellation failed, or only repeats the request, as answers with an error do.
 * @fonte ABRASF 1.00 to 2.04
 */
export function readConfirmacao(tree: XmlTree, element: XmlElement | null): { quando: string | null } | null {
  if (!element) return null;
  const success = textBelow(tree, element, 'Sucesso');
  if (success !== null) return saysYes(success) ? { quando: readWhen(tree, element) } : null;
  const quando = readWhen(tree, element);
  return quando === null ? null : { quando };
}

/** Fields that some vendors added to the note for its situation. */
const SITUACAO = ['StatusNfse', 'SituacaoNfse', 'Situacao', 'Status', 'Cancelada'] as const;
export const NOMES_DA_SITUACAO: readonly string[] = SITUACAO.map((name) => name.toLowerCase());

/** Codes: 1 is normal and 2 cancelled. @fonte XSD tsStatusNfse of Porto Velho (2.00) and Ginfes (TsStatusNfse) */
const CODIFICADAS: readonly string[] = ['StatusNfse', 'Status'];

function saysCancelled(tree: XmlTree, infNfse: XmlElement): boolean {
  return SITUACAO.some((name) => {
    const text = textLike(tree, infNfse, name) ?? '';
    if (/^(?:ca?|cancelad[ao])$/i.test(text) || (name === 'Cancelada' && saysYes(text))) return true;
    return text === '2' && CODIFICADAS.includes(name);
  });
}

/**
 * What the groups beside a note say of it: cancelled, or replaced by another note, which cancels it too. The
 * replacing note may carry the same group about itself.
 * @fonte ABRASF 1.00 to 2.04; docs/regras.md, status
 */
export function readCancelamento(
  tree: XmlTree,
  input: { comp: XmlElement; infNfse: XmlElement },
): Cancelamento | null {
  const { comp, infNfse } = input;
  const own = textLike(tree, infNfse, 'Numero');
  const substituteOf = below(comp, 'NfseSubstituicao');
  const substitute = textBelow(tree, substituteOf, 'NfseSubstituidora');
  const isReplaced = substitute !== null && !/^0+$/.test(substitute) && substitute !== own;
  for (const name of NOMES_DO_CANCELAMENTO) {
    const confirmed = readConfirmacao(tree, below(comp, name));
    if (!confirmed) continue;
    const motivo = isReplaced ? replacedBy(substitute) : 'NFS-e cancelada pela prefeitura';
    return { quando: confirmed.quando, motivo };
  }
  if (saysCancelled(tree, infNfse)) return { quando: null, motivo: 'NFS-e cancelada pela prefeitura' };
  return isReplaced ? { quando: null, motivo: replacedBy(substitute) } : null;
}

function replacedBy(substitute: string): string {
  return `NFS-e substituída pela de número ${substitute.slice(0, 20)}`;
}
