/** What signed events are sent in, and what each becomes with the answer of SEFAZ. */
import type { TipoDeManifestacao } from './tipos.ts';

export const NS_NFE = 'http://www.portalfiscal.inf.br/nfe';
export const NS_CTE = 'http://www.portalfiscal.inf.br/cte';
export const LAYOUT_CTE = '4.00';

export interface EventoAssinado {
  /** `Id` of infEvento. */
  id: string;
  /** `evento` or `eventoCTe`, in the one form that is sent, kept and joined with its answer. */
  xml: string;
}

/** @fonte XSD leiauteConfRecebto_v1.00: events of one lot */
export const EVENTOS_POR_LOTE = 20;

/**
 * The message to the national environment.
 * @param input.idLote 1 to 15 digits
 * @param input.eventos 1 to {@link EVENTOS_POR_LOTE}, of one author
 */
export function makeLote(input: { idLote: string; eventos: readonly EventoAssinado[] }): string {
  const { idLote, eventos } = input;
  if (!/^\d{1,15}$/.test(idLote) || eventos.length < 1 || eventos.length > EVENTOS_POR_LOTE)
    throw new RangeError(`lot ${idLote} of ${eventos.length}`);
  const inside = eventos.map(({ xml }) => xml).join('');
  return `<envEvento xmlns="${NS_NFE}" versao="1.00"><idLote>${idLote}</idLote>${inside}</envEvento>`;
}

/**
 * The document that an event and its answer are together: what is imported.
 * @param retorno `retEvento` or `retEventoCTe`, as it came, with the namespace declarations that it needs
 */
export function makeProcEvento(tipo: TipoDeManifestacao, evento: string, retorno: string): string {
  return tipo.documento === 'CTe'
    ? `<procEventoCTe xmlns="${NS_CTE}" versao="${LAYOUT_CTE}">${evento}${retorno}</procEventoCTe>`
    : `<procEventoNFe xmlns="${NS_NFE}" versao="1.00">${evento}${retorno}</procEventoNFe>`;
}
