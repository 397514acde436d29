/** What a note is for: its nature, its CFOPs and how it is taxed. */

export type CodigoOperacao =
  | 'venda'
  | 'devolucao'
  | 'devolucao_uso_consumo'
  | 'transferencia'
  | 'transferencia_uso_consumo'
  | 'ativo'
  | 'bonificacao'
  | 'remessa_conserto'
  | 'entrada_produtor';

export interface Operacao {
  codigo: CodigoOperacao;
  natOp: string;
  /** 0 entrada, 1 saída. */
  tpNF: '0' | '1';
  /** 1 normal, 4 devolução. */
  finNFe: '1' | '4';
  /** Whether money changes hands: else tPag 90. */
  onerosa: boolean;
  /** How ICMS, PIS and COFINS treat it. */
  tributacao: 'venda' | 'devolucao' | 'nao_incide' | 'suspensa' | 'entrada';
}

function operacao(
  codigo: CodigoOperacao,
  natOp: string,
  tributacao: Operacao['tributacao'],
  rest: Partial<Operacao> = {},
): Operacao {
  return { codigo, natOp, tributacao, tpNF: '1', finNFe: '1', onerosa: false, ...rest };
}

export const OPERACOES: Readonly<Record<CodigoOperacao, Operacao>> = {
  venda: operacao('venda', 'Venda de mercadoria', 'venda', { onerosa: true }),
  devolucao: operacao('devolucao', 'Devolução de compra', 'devolucao', { finNFe: '4' }),
  devolucao_uso_consumo: operacao(
    'devolucao_uso_consumo',
    'Devolução de compra p/ uso e consumo',
    'devolucao',
    { finNFe: '4' },
  ),
  transferencia: operacao('transferencia', 'Transferência de mercadoria entre filiais', 'nao_incide'),
  transferencia_uso_consumo: operacao(
    'transferencia_uso_consumo',
    'Transferência de material de uso & consumo',
    'nao_incide',
  ),
  ativo: operacao('ativo', 'Venda de bem do ativo imobilizado', 'nao_incide', { onerosa: true }),
  bonificacao: operacao('bonificacao', 'Remessa em bonificação, doação ou brinde', 'venda'),
  remessa_conserto: operacao('remessa_conserto', 'Remessa para conserto ou reparo', 'suspensa'),
  entrada_produtor: operacao('entrada_produtor', 'Compra de produtor rural', 'entrada', {
    tpNF: '0',
    onerosa: true,
  }),
};

/** What besides the operation decides the CFOP of an item. */
interface ContextoCfop {
  interestadual: boolean;
  /** Made by the issuer, not bought for resale. */
  producaoPropria: boolean;
  st: boolean;
  /** Whether the recipient is an ICMS taxpayer. */
  contribuinte: boolean;
}

function saleSuffix(c: ContextoCfop): string {
  if (c.interestadual && !c.contribuinte) return c.producaoPropria ? '107' : '108';
  if (c.producaoPropria) return c.st ? '401' : '101';
  if (c.st) return c.interestadual ? '404' : '405';
  return '102';
}

function suffix(codigo: CodigoOperacao, c: ContextoCfop): string {
  switch (codigo) {
    case 'venda':
      return saleSuffix(c);
    case 'devolucao':
      return c.producaoPropria ? (c.st ? '410' : '201') : c.st ? '411' : '202';
    case 'devolucao_uso_consumo':
      return c.st ? '413' : '556';
    case 'transferencia':
      return c.producaoPropria ? (c.st ? '408' : '151') : c.st ? '409' : '152';
    case 'transferencia_uso_consumo':
      return '557';
    case 'ativo':
      return '551';
    case 'bonificacao':
      return '910';
    case 'remessa_conserto':
      return '915';
    case 'entrada_produtor':
      return c.producaoPropria ? '101' : '102';
  }
}

/**
 * CFOP of an item: first digit 1 and 2 for entries, 5 and 6 for exits, within the UF and between UFs.
 * @fonte docs/regras.md, purpose
 */
export function cfopOf(op: Operacao, c: ContextoCfop): string {
  const first = op.tpNF === '0' ? (c.interestadual ? '2' : '1') : c.interestadual ? '6' : '5';
  return first + suffix(op.codigo, c);
}
