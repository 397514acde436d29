import { tabela } from '../tabela.ts';

/** Declared kind of a CT-e. @fonte XSD cteTiposBasico_v4.00; XSD tiposGeralCTe (TFinCTe, TFinGTVe, TFinCTeSimp) */
const TP_CTE: Readonly<Record<string, string>> = tabela({
  '0': 'normal',
  '1': 'de complemento de valores',
  '2': 'de anulação',
  '3': 'de substituição',
});

const TP_CTE_INTEIRO: Readonly<Record<string, string>> = tabela({
  '4': 'GTV-e',
  '5': 'CT-e simplificado',
  '6': 'CT-e simplificado de substituição',
});

/**
 * Text of tpCTe.
 *
 * @returns null when the document declares none
 */
export function describeTpCte(
  tpCTe: string | null,
  modelo: '57' | '67' | '64',
): { codigo: string; descricao: string } | null {
  if (tpCTe === null) return null;
  const kind = TP_CTE[tpCTe];
  const named = kind ? `${modelo === '67' ? 'CT-e OS' : 'CT-e'} ${kind}` : TP_CTE_INTEIRO[tpCTe];
  return { codigo: tpCTe.slice(0, 10), descricao: named ?? `Tipo de CT-e ${tpCTe.slice(0, 10)}` };
}
