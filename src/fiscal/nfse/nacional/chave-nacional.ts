import { hasValidCheckDigit, parseChave50 } from '../../chave.ts';
import { type Contexto, refuseAt } from '../../leitura.ts';
import type { Recusa } from '../../rejeicoes.ts';
import type { Chave } from '../../tipos.ts';
import type { XmlElement } from '../../xml/tree.ts';

export const NAMESPACE_NFSE = 'http://www.sped.fazenda.gov.br/nfse';

/** The namespace is told, not judged: vendors put notes of this very layout into their own. */
export function namespaceWarning(element: XmlElement): string[] {
  if (element.namespace === NAMESPACE_NFSE) return [];
  return element.namespace === ''
    ? [`O documento veio sem o namespace ${NAMESPACE_NFSE}.`]
    : [`O documento veio no namespace ${element.namespace.slice(0, 120)}; o da NFS-e é ${NAMESPACE_NFSE}.`];
}

/** Reads a 50-character key, or refuses at the element that should carry it. */
export function judgeChave50(
  context: Contexto,
  text: string | null,
  place: { element: XmlElement; missing?: string; nome: string },
): { ok: true; chave: Chave } | Recusa {
  const { nome, ...where } = place;
  if (text === null || text === '') {
    return refuseAt(
      context,
      'chave_ausente',
      `Falta a chave de acesso (${nome}). Envie o XML da NFS-e como o sistema nacional o gerou.`,
      where,
    );
  }
  const chave = parseChave50(text);
  return chave
    ? { ok: true, chave }
    : refuseAt(
        context,
        'chave_invalida',
        `A chave de acesso "${text.slice(0, 60)}" ${shapeFault(text)}. Envie o XML como o sistema nacional o gerou.`,
        where,
      );
}

function shapeFault(text: string): string {
  return text.length === 50
    ? 'tem letras fora do lugar do CNPJ'
    : `tem ${text.length} posições; a da NFS-e nacional tem 50`;
}

/** What to say of a key whose check digit is not that of the others. */
export function checkDigitWarning(chave: Chave): string[] {
  return hasValidCheckDigit(chave) ? [] : ['O dígito verificador da chave da NFS-e não confere.'];
}

/**
 * The national key that a city writes into its own layout (`ChaveNotaNacional`: São Paulo, GISS; `ChaveADN`: Tiplan); a wrong one is told
 * and not used.
 */
export function chaveDadaPelaCidade(text: string | null): { chave: Chave | null; avisos: string[] } {
  if (text === null) return { chave: null, avisos: [] };
  const chave = parseChave50(text);
  return chave && hasValidCheckDigit(chave)
    ? { chave, avisos: [] }
    : { chave: null, avisos: [`A chave nacional da NFS-e (${text.slice(0, 60)}) não é válida.`] };
}

/** What to tell of a national key that is not the note's own key here. */
export function avisosDaChaveNacional(dada: { chave: Chave | null; avisos: string[] }): string[] {
  return dada.chave ? [`No sistema nacional, a chave desta NFS-e é ${dada.chave}.`] : dada.avisos;
}
