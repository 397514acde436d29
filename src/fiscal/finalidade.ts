import type { ItemFiscal, Modelo } from './tipos.ts';

export const FINALIDADE_AQUISICAO = {
  revenda: 'Revenda',
  industrializacao: 'Industrializacao',
  usoConsumo: 'UsoConsumo',
  ativoImobilizado: 'AtivoImobilizado',
  servico: 'Servico',
  outras: 'Outras',
} as const;
/** For what the goods or services were bought. */
export type FinalidadeAquisicao = (typeof FINALIDADE_AQUISICAO)[keyof typeof FINALIDADE_AQUISICAO];

interface FinalidadeSugerida {
  finalidade_aquisicao: FinalidadeAquisicao;
  /** `documento`: the CFOP is the buyer's own and says it; `sugerida`: derived from the seller's, to be confirmed. */
  origem: 'documento' | 'sugerida';
}

interface DadosDaFinalidade {
  modelo: Modelo;
  tipo: 'Emitida' | 'Recebida';
  tpNF: '0' | '1' | null;
  cfop: string | null;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function purposeTable(rows: readonly (readonly [FinalidadeAquisicao, readonly number[]])[]) {
  return new Map(rows.flatMap(([purpose, codes]) => codes.map((code) => [code, purpose] as const)));
}

const { revenda, industrializacao, usoConsumo, ativoImobilizado, servico, outras } = FINALIDADE_AQUISICAO;
/** Energy, communication, transport and services under ISSQN. */
const SERVICES = [...numbers(251, 257), ...numbers(301, 307), ...numbers(351, 357), 359, 360, 931, 932, 933];

/** Last three digits of an entry CFOP (1, 2, 3). What is not here is `Outras`. @fonte docs/regras.md, purpose */
const ENTRY = purposeTable([
  [revenda, [102, 113, 117, 118, 121, 126, 128, 403, 652, 922]],
  [industrializacao, [101, 111, 116, 120, 122, 124, 125, 401, 651]],
  [usoConsumo, [407, 556, 653]],
  [ativoImobilizado, [406, 551]],
  [servico, SERVICES],
]);

/**
 * Last three digits of an exit CFOP (5, 6, 7), read as the entry that mirrors it: own production → raw material,
 * resale → resale, ST 402, 403 and 405 → 1403, fuel by the use that the code itself names.
 * @fonte docs/regras.md, purpose; CFOP table (Convênio s/nº 1970) for 651–656, 667
 */
const EXIT = purposeTable([
  [industrializacao, [101, 103, 105, 109, 111, 113, 116, 118, 122, 124, 125, 401, 651, 654]],
  [revenda, [102, 104, 106, 110, 112, 114, 115, 117, 119, 120, 123, 402, 403, 405, 652, 655]],
  [usoConsumo, [653, 656, 667]],
  [ativoImobilizado, [551]],
  [servico, SERVICES],
]);

/** Small purchases at a till are consumption nearly always. @fonte docs/regras.md, purpose */
const RETAIL: readonly Modelo[] = ['65', '59'];

/** Whatever its CFOP (7358 has no mirror among the entries), a CT-e is a transport service. @fonte docs/regras.md, purpose */
const TRANSPORT: readonly Modelo[] = ['57', '67', '64'];

function purposeWithoutCfop(modelo: Modelo): FinalidadeAquisicao {
  return modelo === 'NFSe' ? servico : outras;
}

/**
 * Purpose of a purchase as far as the document tells it. A CFOP of entry (1, 2, 3) is the buyer's own word; one of
 * exit (5, 6, 7) is the seller's, and only a suggestion for the buyer, mirrored.
 *
 * @param input `cfop` of an item, or the one that `cfopPrincipal` finds for the whole document
 * @fonte docs/regras.md, answers, purpose
 */
export function suggestFinalidade(input: DadosDaFinalidade): FinalidadeSugerida {
  const { modelo, tipo, tpNF, cfop } = input;
  const code = Number(cfop?.slice(1));
  if (cfop && /^[123]/.test(cfop)) {
    return { finalidade_aquisicao: ENTRY.get(code) ?? outras, origem: 'documento' };
  }
  if (tipo === 'Recebida' && RETAIL.includes(modelo)) {
    return { finalidade_aquisicao: usoConsumo, origem: 'sugerida' };
  }
  if (TRANSPORT.includes(modelo)) return { finalidade_aquisicao: servico, origem: 'sugerida' };
  if (!cfop) return { finalidade_aquisicao: purposeWithoutCfop(modelo), origem: 'sugerida' };
  const purpose = EXIT.get(code) ?? outras;
  // An entry note of one's own (tpNF 0) carries one's own CFOP, whatever its first digit.
  return {
    finalidade_aquisicao: purpose,
    origem: tipo === 'Emitida' && tpNF === '0' ? 'documento' : 'sugerida',
  };
}

/** The CFOP that carries most of the value of a document (sum of vProd); the first one where two are equal. */
export function cfopPrincipal(itens: readonly ItemFiscal[]): string | null {
  const totals = new Map<string, number>();
  for (const { cfop, valor } of itens) {
    if (cfop) totals.set(cfop, (totals.get(cfop) ?? 0) + Number(valor ?? 0));
  }
  let principal: string | null = null;
  for (const [cfop, total] of totals) {
    if (principal === null || total > (totals.get(principal) ?? 0)) principal = cfop;
  }
  return principal;
}
