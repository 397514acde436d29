import type { Aleatorio } from './aleatorio.ts';
import type { Empresa } from './empresas.ts';
import { cfopOf } from './operacoes.ts';
import type { Produto } from './produtos.ts';
import {
  type ContextoFiscal,
  isOwnProduction,
  type Linha,
  tributar,
  type Valores,
  ZERO,
} from './tributos.ts';
import { branch, leaf, moneyLeaf, percentOf } from './xml.ts';

/** The items of a note with their totals. */
interface Itens {
  xml: string;
  quantidade: number;
  totais: Valores;
  /** Document total, in cents. */
  vNF: number;
}

const HOMOLOGACAO_ITEM = 'NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

/** How many items a note of the profile has, 1 to 40: most are short, wholesale ones long. */
export function quantidadeDeItens(random: Aleatorio, perfil: Empresa['perfil'], modelo: '55' | '65'): number {
  if (modelo === '65') {
    return random.weighted([
      [random.integer(1, 3), 76],
      [random.integer(4, 8), 20],
      [random.integer(9, 25), 4],
    ]);
  }
  const isWholesale = perfil === 'distribuidora' || perfil === 'industria';
  return random.weighted([
    [1, isWholesale ? 28 : 50],
    [random.integer(2, 4), isWholesale ? 46 : 38],
    [random.integer(5, 12), isWholesale ? 22 : 11],
    [random.integer(13, 40), isWholesale ? 4 : 1],
  ]);
}

function quantityOf(random: Aleatorio, produto: Produto, isWholesale: boolean): number {
  // Dear goods sell one by one.
  if (produto.preco >= 100_000) return random.integer(1, 3) * 1_000;
  if (produto.fracionado) return random.integer(150, isWholesale ? 900_000 : 6_000);
  return random.integer(1, isWholesale ? 120 : 6) * 1_000;
}

function draftLine(random: Aleatorio, produto: Produto, isWholesale: boolean): Linha {
  const quantidade = quantityOf(random, produto, isWholesale);
  const vProd = Math.max(1, Math.round((quantidade * produto.preco) / 1_000));
  const vDesc = random.chance(0.12) ? percentOf(vProd, random.integer(2, 10)) : 0;
  return { produto, quantidade, preco: produto.preco, vProd, vDesc, vFrete: 0 };
}

/** Spreads the freight of the note over its lines in proportion to their value; the last takes the remainder. */
function spreadFreight(lines: Linha[], freight: number): void {
  const total = lines.reduce((sum, line) => sum + line.vProd, 0);
  let left = freight;
  lines.forEach((line, i) => {
    line.vFrete = i === lines.length - 1 ? left : Math.floor((freight * line.vProd) / total);
    left -= line.vFrete;
  });
}

function productXml(ctx: ContextoFiscal, linha: Linha, descricao: string): string {
  const { produto } = linha;
  const gtin = produto.gtin === 'SEM GTIN' && ctx.layout === '3.10' ? '' : produto.gtin;
  const cfop = cfopOf(ctx.operacao, {
    interestadual: ctx.emitente.uf !== ctx.ufDestino,
    producaoPropria: isOwnProduction(ctx.emitente, produto),
    st: produto.st,
    contribuinte: ctx.contribuinte,
  });
  const quantity = (linha.quantidade / 1_000).toFixed(4);
  const price = (linha.preco / 100).toFixed(ctx.emitente.estilo.casasPreco);
  return branch(
    'prod',
    leaf('cProd', produto.codigo),
    leaf('cEAN', gtin),
    leaf('xProd', descricao),
    leaf('NCM', produto.ncm),
    leaf('CEST', produto.cest),
    leaf('CFOP', cfop),
    leaf('uCom', produto.unidade),
    leaf('qCom', quantity),
    leaf('vUnCom', price),
    moneyLeaf('vProd', linha.vProd),
    leaf('cEANTrib', gtin),
    leaf('uTrib', produto.unidade),
    leaf('qTrib', quantity),
    leaf('vUnTrib', price),
    linha.vFrete > 0 ? moneyLeaf('vFrete', linha.vFrete) : '',
    linha.vDesc > 0 ? moneyLeaf('vDesc', linha.vDesc) : '',
    leaf('indTot', 1),
  );
}

/** What the note owes besides its articles. @fonte MOC 7.0 Anexo I, rule W16-10 */
function documentTotal(t: Valores): number {
  return t.vProd - t.vDesc + t.vFrete + t.vST + t.vIPI;
}

interface PedidoItens {
  produtos: readonly Produto[];
  quantidade: number;
  ambiente: 1 | 2;
  modelo: '55' | '65';
  /** Whether freight is charged to the buyer. */
  comFrete: boolean;
}

/** Draws the items of a note and computes every amount; the totals are the exact sums of the items. */
export function generateItens(random: Aleatorio, ctx: ContextoFiscal, pedido: PedidoItens): Itens {
  const isWholesale = pedido.modelo === '55' && ctx.contribuinte;
  const lines = Array.from({ length: pedido.quantidade }, () =>
    draftLine(random, random.pick(pedido.produtos), isWholesale),
  );
  if (pedido.comFrete) spreadFreight(lines, random.integer(1_500, 48_000));
  const totais: Valores = { ...ZERO };
  let xml = '';
  lines.forEach((linha, i) => {
    const isTest = pedido.ambiente === 2 && pedido.modelo === '65' && i === 0;
    const { xml: taxes, valores } = tributar(ctx, linha);
    const note = random.chance(0.1) ? leaf('infAdProd', `Lote ${random.digits(6)} & validade conferida`) : '';
    const product = productXml(ctx, linha, isTest ? HOMOLOGACAO_ITEM : linha.produto.descricao);
    xml += `<det nItem="${i + 1}">${product}${taxes}${note}</det>`;
    for (const key of Object.keys(valores) as (keyof Valores)[]) totais[key] += valores[key];
  });
  return { xml, quantidade: lines.length, totais, vNF: documentTotal(totais) };
}

/** The `total` element. */
export function totalXml(itens: Itens, ctx: ContextoFiscal): string {
  const t = itens.totais;
  const is400 = ctx.layout === '4.00';
  const hasDifal = t.vICMSUFDest > 0;
  const icms = branch(
    'ICMSTot',
    moneyLeaf('vBC', t.vBC),
    moneyLeaf('vICMS', t.vICMS),
    moneyLeaf('vICMSDeson', 0),
    hasDifal ? moneyLeaf('vFCPUFDest', t.vFCPUFDest) : '',
    hasDifal ? moneyLeaf('vICMSUFDest', t.vICMSUFDest) : '',
    hasDifal ? moneyLeaf('vICMSUFRemet', t.vICMSUFRemet) : '',
    is400 ? moneyLeaf('vFCP', 0) : '',
    moneyLeaf('vBCST', t.vBCST),
    moneyLeaf('vST', t.vST),
    is400 ? moneyLeaf('vFCPST', 0) + moneyLeaf('vFCPSTRet', 0) : '',
    moneyLeaf('vProd', t.vProd),
    moneyLeaf('vFrete', t.vFrete),
    moneyLeaf('vSeg', 0),
    moneyLeaf('vDesc', t.vDesc),
    moneyLeaf('vII', 0),
    moneyLeaf('vIPI', t.vIPI),
    is400 ? moneyLeaf('vIPIDevol', 0) : '',
    moneyLeaf('vPIS', t.vPIS),
    moneyLeaf('vCOFINS', t.vCOFINS),
    moneyLeaf('vOutro', 0),
    moneyLeaf('vNF', itens.vNF),
    ctx.consumidorFinal ? moneyLeaf('vTotTrib', t.vTotTrib) : '',
  );
  return branch('total', icms, ctx.comIbsCbs ? ibsCbsTotal(t) : '');
}

function ibsCbsTotal(t: Valores): string {
  const none = moneyLeaf('vDif', 0) + moneyLeaf('vDevTrib', 0);
  const credits = moneyLeaf('vCredPres', 0) + moneyLeaf('vCredPresCondSus', 0);
  return branch(
    'IBSCBSTot',
    moneyLeaf('vBCIBSCBS', t.vBCIBSCBS),
    branch(
      'gIBS',
      branch('gIBSUF', none, moneyLeaf('vIBSUF', t.vIBS)),
      branch('gIBSMun', none, moneyLeaf('vIBSMun', 0)),
      moneyLeaf('vIBS', t.vIBS),
      credits,
    ),
    branch('gCBS', none, moneyLeaf('vCBS', t.vCBS), credits),
  );
}
