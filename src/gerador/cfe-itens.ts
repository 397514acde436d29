import type { Aleatorio } from './aleatorio.ts';
import type { Empresa } from './empresas.ts';
import { internalRate } from './municipios.ts';
import type { Produto } from './produtos.ts';
import { branch, leaf, moneyLeaf, percentOf } from './xml.ts';

/** Amounts in cents under their XML names; a total is the sum over the items. */
interface TotaisDoCfe {
  vProd: number;
  vDesc: number;
  vICMS: number;
  vPIS: number;
  vCOFINS: number;
  vItem12741: number;
}

export interface ItensDoCfe {
  xml: string;
  quantidade: number;
  totais: TotaisDoCfe;
  /** Total of the coupon, in cents. */
  vCFe: number;
}

const PIS_RATE = 1.65;
const COFINS_RATE = 7.6;
const TRIBUTOS_APROXIMADOS = 31.45;

interface LinhaDoCfe {
  produto: Produto;
  /** Thousandths. */
  quantidade: number;
  vProd: number;
  vDesc: number;
  /** What is paid: vProd − vDesc. */
  vItem: number;
}

function draftLine(random: Aleatorio, produto: Produto): LinhaDoCfe {
  const quantidade = produto.fracionado ? random.integer(150, 4_000) : random.integer(1, 5) * 1_000;
  const vProd = Math.max(1, Math.round((quantidade * produto.preco) / 1_000));
  const vDesc = random.chance(0.12) ? percentOf(vProd, random.integer(2, 10)) : 0;
  return { produto, quantidade, vProd, vDesc, vItem: vProd - vDesc };
}

function productXml({ produto, quantidade, vProd, vDesc, vItem }: LinhaDoCfe): string {
  return branch(
    'prod',
    leaf('cProd', produto.codigo),
    produto.gtin === 'SEM GTIN' ? '' : leaf('cEAN', produto.gtin),
    leaf('xProd', produto.descricao),
    leaf('NCM', produto.ncm),
    leaf('CEST', produto.cest),
    leaf('CFOP', produto.st ? '5405' : '5102'),
    leaf('uCom', produto.unidade),
    leaf('qCom', (quantidade / 1_000).toFixed(4)),
    leaf('vUnCom', (produto.preco / 100).toFixed(2)),
    moneyLeaf('vProd', vProd),
    leaf('indRegra', 'A'),
    vDesc > 0 ? moneyLeaf('vDesc', vDesc) : '',
    moneyLeaf('vItem', vItem),
  );
}

/** ICMS of one item: XML and amount. A coupon is always sold inside the UF. */
function icmsOf({ crt, uf }: Empresa, { produto, vItem }: LinhaDoCfe): [string, number] {
  const simples = (csosn: string) => branch('ICMSSN102', leaf('Orig', 0), leaf('CSOSN', csosn));
  if (crt === '1') return [simples(produto.st ? '500' : '102'), 0];
  if (produto.st) return [branch('ICMS40', leaf('Orig', 0), leaf('CST', '60')), 0];
  const vICMS = percentOf(vItem, internalRate(uf));
  const fields = [leaf('Orig', 0), leaf('CST', '00'), leaf('pICMS', internalRate(uf).toFixed(2))];
  return [branch('ICMS00', ...fields, moneyLeaf('vICMS', vICMS)), vICMS];
}

/** PIS or COFINS of one item; the rate of this layout is a ratio with four places. */
function contributionOf(
  name: 'PIS' | 'COFINS',
  emitente: Empresa,
  { produto, vItem }: LinhaDoCfe,
  vICMS: number,
): [string, number] {
  if (emitente.crt === '1') return [branch(name, branch(`${name}SN`, leaf('CST', '49'))), 0];
  if (produto.st) return [branch(name, branch(`${name}NT`, leaf('CST', '04'))), 0];
  const rate = name === 'PIS' ? PIS_RATE : COFINS_RATE;
  const vBC = vItem - vICMS;
  const value = percentOf(vBC, rate);
  const fields = [leaf('CST', '01'), moneyLeaf('vBC', vBC), leaf(`p${name}`, (rate / 100).toFixed(4))];
  return [branch(name, branch(`${name}Aliq`, ...fields, moneyLeaf(`v${name}`, value))), value];
}

/** Draws the items of a coupon and computes every amount; the totals are the exact sums of the items. */
export function generateItensDoCfe(random: Aleatorio, emitente: Empresa, quantidade: number): ItensDoCfe {
  const totais: TotaisDoCfe = { vProd: 0, vDesc: 0, vICMS: 0, vPIS: 0, vCOFINS: 0, vItem12741: 0 };
  let xml = '';
  for (let n = 1; n <= quantidade; n++) {
    const linha = draftLine(random, random.pick(emitente.produtos));
    const [icms, vICMS] = icmsOf(emitente, linha);
    const [pis, vPIS] = contributionOf('PIS', emitente, linha, vICMS);
    const [cofins, vCOFINS] = contributionOf('COFINS', emitente, linha, vICMS);
    const vItem12741 = percentOf(linha.vItem, TRIBUTOS_APROXIMADOS);
    const taxes = branch('imposto', moneyLeaf('vItem12741', vItem12741), branch('ICMS', icms), pis, cofins);
    xml += `<det nItem="${n}">${productXml(linha)}${taxes}</det>`;
    const { vProd, vDesc } = linha;
    const values: TotaisDoCfe = { vProd, vDesc, vICMS, vPIS, vCOFINS, vItem12741 };
    for (const key of Object.keys(values) as (keyof TotaisDoCfe)[]) totais[key] += values[key];
  }
  return { xml, quantidade, totais, vCFe: totais.vProd - totais.vDesc };
}
