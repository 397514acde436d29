/** What is booked of a document, as its own bytes say it. Amounts are decimal texts with a point; null: it says none. */

/** Bases and values of the taxes of a document or an item. */
export interface Tributos {
  baseIcms: string | null;
  icms: string | null;
  baseSt: string | null;
  st: string | null;
  baseIpi: string | null;
  ipi: string | null;
  basePis: string | null;
  pis: string | null;
  baseCofins: string | null;
  cofins: string | null;
  baseIss: string | null;
  iss: string | null;
  baseIbsCbs: string | null;
  ibs: string | null;
  cbs: string | null;
  baseIs: string | null;
  is: string | null;
}

export interface TotaisDoDocumento extends Tributos {
  /** Goods and services before discounts and taxes. */
  produtos: string | null;
  desconto: string | null;
  frete: string | null;
  seguro: string | null;
  outras: string | null;
  icmsDesonerado: string | null;
  fcp: string | null;
  fcpSt: string | null;
  ii: string | null;
  /** What the tomador keeps back and pays himself. */
  issRetido: string | null;
}

export interface ItemEscriturado extends Tributos {
  /** nItem, from 1. */
  numero: number;
  codigo: string | null;
  descricao: string | null;
  ncm: string | null;
  cest: string | null;
  cfop: string | null;
  unidade: string | null;
  quantidade: string | null;
  unitario: string | null;
  valor: string | null;
  desconto: string | null;
  /** CST or CSOSN. */
  cstIcms: string | null;
  aliquotaIcms: string | null;
  cstIpi: string | null;
  cstPis: string | null;
  cstCofins: string | null;
  cstIbsCbs: string | null;
  classificacao: string | null;
}

/** IE and UF as the document has them. */
interface ParteEscriturada {
  ie: string | null;
  uf: string | null;
}

export interface ValoresDoDocumento {
  natureza: string | null;
  /** Each one once, in their order. */
  cfops: readonly string[];
  emitente: ParteEscriturada;
  destinatario: ParteEscriturada;
  protocolo: string | null;
  /** ISO 8601 as it stands there. */
  autorizadoEm: string | null;
  totais: TotaisDoDocumento;
  itens: readonly ItemEscriturado[];
}

export const SEM_TRIBUTOS: Tributos = {
  baseIcms: null,
  icms: null,
  baseSt: null,
  st: null,
  baseIpi: null,
  ipi: null,
  basePis: null,
  pis: null,
  baseCofins: null,
  cofins: null,
  baseIss: null,
  iss: null,
  baseIbsCbs: null,
  ibs: null,
  cbs: null,
  baseIs: null,
  is: null,
};

export const SEM_TOTAIS: TotaisDoDocumento = {
  ...SEM_TRIBUTOS,
  produtos: null,
  desconto: null,
  frete: null,
  seguro: null,
  outras: null,
  icmsDesonerado: null,
  fcp: null,
  fcpSt: null,
  ii: null,
  issRetido: null,
};
